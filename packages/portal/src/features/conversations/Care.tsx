/** Assignment and snooze of a conversation. */

import type { ThreadPage } from '../../api/routes/conversations';
import { useMe } from '../../api/session';
import { useTimeZone } from '../../api/time-zone';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Select } from '../../ui/Field';
import { Notice } from '../../ui/States';
import { ActionMenu } from '../../ui/Tabs';
import { momentText } from '../../ui/Values';
import { usePeople } from '../settings/people';
import styles from './Conversations.module.css';
import { careOf, snoozeChoices } from './conversations';

const words = labelsOf('conversation');

/** The changeable fields of a conversation. */
export interface Mark {
  readTo?: string;
  done?: boolean;
  assignedTo?: string | null;
  snoozedUntil?: string | null;
}

export function Care({ now, onMark }: { now: ThreadPage; onMark(mark: Mark): void }) {
  const { assignedTo, snoozedUntil, done } = now;
  const { userId } = useMe().user;
  const zone = useTimeZone();
  const people = careOf(usePeople().data ?? [], assignedTo?.userId ?? null);
  const known = assignedTo === null || people.some((one) => one.userId === assignedTo.userId);
  const waits = snoozedUntil !== null && Date.parse(snoozedUntil) > Date.now();
  return (
    <>
      <div className={styles.care}>
        <Select
          label={words.who}
          value={assignedTo?.userId ?? ''}
          onChange={(value) => onMark({ assignedTo: value === '' ? null : value })}
          choices={[
            { value: '', label: words.nobody },
            ...(known || assignedTo === null ? [] : [{ value: assignedTo.userId, label: assignedTo.name }]),
            ...people.map((one) => ({
              value: one.userId,
              label: one.disabled ? words.gone(one.name) : one.userId === userId ? words.me : one.name,
            })),
          ]}
        />
        {!done && (
          <ActionMenu
            label={words.snooze}
            icon="queued"
            actions={snoozeChoices(new Date(), zone).map(({ id, until }) => ({
              id,
              label: id === 'hour' ? words.snoozeFor.hour : words.snoozeFor[id](momentText(until.toISOString())),
              run: () => onMark({ snoozedUntil: until.toISOString() }),
            }))}
          />
        )}
      </div>
      {waits && (
        <Notice tone="info" title={`${words.snoozedUntil} ${momentText(snoozedUntil)}`}>
          <p>{words.snoozedWhy}</p>
          <Button onPress={() => onMark({ snoozedUntil: null })}>{words.wake}</Button>
        </Notice>
      )}
    </>
  );
}
