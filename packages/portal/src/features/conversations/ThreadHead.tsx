/** The head of a conversation: who it is with, what is known of them, who else looks at it, and what can be done with it. */
import { useCallback, useEffect, useState } from 'react';
import { api } from '../../api/client';
import { useLive } from '../../api/live';
import type { ThreadPage } from '../../api/routes/conversations';
import { useMay, useMe } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { Icon } from '../../ui/icons';
import { ActionMenu } from '../../ui/Tabs';
import { Phone, phoneText } from '../../ui/Values';
import { ActivityPanel } from '../audit/ActivityPanel';
import { AssignMenu, type Mark, SnoozedStrip, SnoozeMenu } from './Assignment';
import { ContactDialog } from './ContactDialog';
import styles from './Conversations.module.css';

const labels = labelsOf('conversation');
const contactLabels = labelsOf('contact');

/** The gateway forgets an onlooker after 50 s without a word. */
const sayEveryMs = 20_000;

interface HeadParts {
  now: ThreadPage;
  isPending: boolean;
  onMark(mark: Mark): void;
  onToggleDone(): void;
}

export function ThreadHead({ now, isPending, onMark, onToggleDone }: HeadParts) {
  const { number, peer, contact, begun, done } = now;
  const maySend = useMay('send');
  const mayAudit = useMay('readAudit');
  const [opened, open] = useState<'contact' | 'activity' | null>(null);
  const name = contact?.name ?? '';
  const close = () => open(null);
  return (
    <>
      <header className={styles.threadHead}>
        <div className={styles.who}>
          <h2>{name === '' ? <Phone digits={peer} /> : name}</h2>
          <span className={styles.whoElse}>
            {name !== '' && (
              <>
                <Phone digits={peer} />{' '}
              </>
            )}
            {labels.on(phoneText(number))}
          </span>
        </div>
        <div className={styles.tools}>
          {begun && maySend && <AssignMenu now={now} onMark={onMark} />}
          {begun && maySend && !done && <SnoozeMenu onMark={onMark} />}
          <ActionMenu
            label={labels.more}
            tool="more"
            actions={[
              ...(maySend
                ? [
                    {
                      id: 'contact',
                      label: contact === null ? contactLabels.add : contactLabels.edit,
                      run: () => open('contact'),
                    },
                  ]
                : []),
              ...(mayAudit ? [{ id: 'activity', label: labels.activity, run: () => open('activity') }] : []),
            ]}
          />
          {begun && maySend && (
            <Button icon={done ? 'left' : 'check'} isPending={isPending} onPress={onToggleDone}>
              {done ? labels.reopen : labels.markDone}
            </Button>
          )}
        </div>
      </header>
      <Facts contact={contact} />
      <Onlookers number={number} peer={peer} />
      <SnoozedStrip now={now} onMark={onMark} />
      {opened === 'contact' && <ContactDialog peer={peer} known={contact} onClose={close} />}
      <Dialog title={labels.activity} open={opened === 'activity'} onClose={close} wide>
        <p>{labels.activityNote}</p>
        <ActivityPanel kind="conversation" id={now.auditTarget} />
      </Dialog>
    </>
  );
}

function Facts({ contact }: { contact: ThreadPage['contact'] }) {
  if (contact === null || (contact.note === '' && contact.tags.length === 0)) return null;
  return (
    <div className={styles.facts}>
      {contact.tags.length > 0 && (
        <ul aria-label={contactLabels.tags} className={styles.tags}>
          {contact.tags.map((tag) => (
            <li key={tag}>{tag}</li>
          ))}
        </ul>
      )}
      {contact.note !== '' && <p title={contact.note}>{contact.note}</p>}
    </div>
  );
}

function Onlookers({ number, peer }: { number: string; peer: string }) {
  const others = usePresence(number, peer);
  const names = new Intl.ListFormat(document.documentElement.lang || 'en').format(others.map(({ name }) => name));
  return (
    <p role="status" className={others.length === 0 ? 'visually-hidden' : styles.here}>
      {others.length > 0 && (
        <>
          <Icon name="person" /> {labels.here(names, others.length)}
        </>
      )}
    </p>
  );
}

interface Onlooker {
  userId: string;
  name: string;
}

/** Who else looks at a conversation: this browser says that its person does, and hears of the others by the stream. */
function usePresence(number: string, peer: string): readonly Onlooker[] {
  const { userId } = useMe().user;
  const [others, setOthers] = useState<readonly Onlooker[]>([]);
  useEffect(() => {
    let isOver = false;
    const say = (here: boolean): void => {
      void api
        .postLeaving('/conversations/:number/:peer/here', { here }, { number, peer })
        .then(({ data }) => !isOver && setOthers(data.people))
        // Nobody misses it: the next one comes soon.
        .catch(() => undefined);
    };
    const sayIfSeen = () => {
      if (document.visibilityState === 'visible') say(true);
    };
    const seenOrNot = () => say(document.visibilityState === 'visible');
    sayIfSeen();
    const timer = setInterval(sayIfSeen, sayEveryMs);
    const leave = () => say(false);
    document.addEventListener('visibilitychange', seenOrNot);
    addEventListener('pagehide', leave);
    return () => {
      isOver = true;
      clearInterval(timer);
      document.removeEventListener('visibilitychange', seenOrNot);
      removeEventListener('pagehide', leave);
      say(false);
    };
  }, [number, peer]);
  useLive(
    useCallback(
      (type, data) => {
        if (type !== 'presence' || data.number !== number || data.peer !== peer) return;
        setOthers((data.people ?? []).filter((one) => one.userId !== userId));
      },
      [number, peer, userId],
    ),
  );
  return others;
}
