/** The head of a conversation: who it is with, what is known of them, who else looks at it, and what can be done with it. */
import { useState } from 'react';
import type { ThreadPage } from '../../api/routes/conversations';
import { useMay } from '../../api/session';
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
import { usePresence } from './use-presence';

const words = labelsOf('conversation');
const contactWords = labelsOf('contact');

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
            {words.on(phoneText(number))}
          </span>
        </div>
        <div className={styles.tools}>
          {begun && maySend && <AssignMenu now={now} onMark={onMark} />}
          {begun && maySend && !done && <SnoozeMenu onMark={onMark} />}
          <ActionMenu
            label={words.more}
            tool="more"
            actions={[
              ...(maySend
                ? [
                    {
                      id: 'contact',
                      label: contact === null ? contactWords.add : contactWords.edit,
                      run: () => open('contact'),
                    },
                  ]
                : []),
              ...(mayAudit ? [{ id: 'activity', label: words.activity, run: () => open('activity') }] : []),
            ]}
          />
          {begun && maySend && (
            <Button icon={done ? 'left' : 'check'} isPending={isPending} onPress={onToggleDone}>
              {done ? words.reopen : words.markDone}
            </Button>
          )}
        </div>
      </header>
      <Facts contact={contact} />
      <Onlookers number={number} peer={peer} />
      <SnoozedStrip now={now} onMark={onMark} />
      {opened === 'contact' && <ContactDialog peer={peer} known={contact} onClose={close} />}
      <Dialog title={words.activity} open={opened === 'activity'} onClose={close} wide>
        <p>{words.activityNote}</p>
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
        <ul aria-label={contactWords.tags} className={styles.tags}>
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
          <Icon name="person" /> {words.here(names, others.length)}
        </>
      )}
    </p>
  );
}
