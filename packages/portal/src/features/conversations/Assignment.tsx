/** Assignment and snooze of a conversation, in its head. */

import type { ThreadPage } from '../../api/routes/conversations';
import { useMe } from '../../api/session';
import { useTimeZone } from '../../api/time-zone';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { ActionMenu } from '../../ui/Tabs';
import { momentText, Time } from '../../ui/Values';
import { usePeople } from '../settings/people';
import styles from './Conversations.module.css';
import { careOf, snoozeChoices } from './conversations';

const labels = labelsOf('conversation');

/** The changeable fields of a conversation. */
export interface Mark {
  readTo?: string;
  done?: boolean;
  assignedTo?: string | null;
  snoozedUntil?: string | null;
}

export function AssignMenu({ now, onMark }: { now: ThreadPage; onMark(mark: Mark): void }) {
  const { assignedTo } = now;
  const { userId } = useMe().user;
  const people = careOf(usePeople().data ?? [], assignedTo?.userId ?? null);
  const nameOf = (one: { userId: string; name: string }) => (one.userId === userId ? labels.me : one.name);
  const label = assignedTo === null ? labels.unassigned : assignedTo.name;
  return (
    <ActionMenu
      label={label}
      name={assignedTo === null ? label : `${label}, ${labels.assignedTo}`}
      icon="person"
      look="quiet"
      actions={[
        {
          id: 'nobody',
          label: labels.nobody,
          isChosen: assignedTo === null,
          run: () => onMark({ assignedTo: null }),
        },
        ...people.map((one) => ({
          id: one.userId,
          label: one.disabled ? labels.gone(one.name) : nameOf(one),
          isChosen: one.userId === assignedTo?.userId,
          run: () => onMark({ assignedTo: one.userId }),
        })),
      ]}
    />
  );
}

export function SnoozeMenu({ onMark }: { onMark(mark: Mark): void }) {
  const zone = useTimeZone();
  return (
    <ActionMenu
      label={labels.snooze}
      tool="queued"
      actions={snoozeChoices(new Date(), zone).map(({ id, until }) => ({
        id,
        label: id === 'hour' ? labels.snoozeFor.hour : labels.snoozeFor[id](momentText(until.toISOString())),
        run: () => onMark({ snoozedUntil: until.toISOString() }),
      }))}
    />
  );
}

/** Shown while the conversation is snoozed. */
export function SnoozedStrip({ now, onMark }: { now: ThreadPage; onMark(mark: Mark): void }) {
  const { snoozedUntil } = now;
  if (snoozedUntil === null || Date.parse(snoozedUntil) <= Date.now()) return null;
  return (
    <div className={styles.strip}>
      <p>
        {labels.snoozedUntil} <Time at={snoozedUntil} />. {labels.snoozedWhy}
      </p>
      <Button look="quiet" onPress={() => onMark({ snoozedUntil: null })}>
        {labels.wake}
      </Button>
    </div>
  );
}
