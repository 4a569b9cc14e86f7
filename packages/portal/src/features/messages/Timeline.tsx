/** What happened to a message, in order and to the millisecond, in words anybody can read. */
import { Link } from '@tanstack/react-router';
import { Badge, StatusBadge } from '../../ui/Status';
import { ReasonLink, Time } from '../../ui/Values';
import { messageWords } from '../../words/en/messages';
import styles from './Messages.module.css';
import type { TimelineEvent, Told } from './message-data';
import { type Entry, entriesOf, spanText } from './timeline';

const words = messageWords.timeline;

export function Timeline({ events, webhooks }: { events: readonly TimelineEvent[]; webhooks: readonly Told[] }) {
  return (
    <ol className={styles.timeline}>
      {entriesOf(events, webhooks).map((entry) => (
        <li key={keyOf(entry)} className={entry.kind === 'gap' ? styles.gap : undefined}>
          {entry.kind === 'gap' ? <span /> : <Time at={entry.at} form="exact" />}
          <Line entry={entry} />
        </li>
      ))}
    </ol>
  );
}

function keyOf(entry: Entry): string {
  if (entry.kind === 'event') return entry.event.eventId;
  return entry.kind === 'webhook' ? entry.told.deliveryId : `gap ${entry.at}`;
}

function Line({ entry }: { entry: Entry }) {
  switch (entry.kind) {
    case 'gap':
      return (
        <>
          <span />
          <span>{messageWords.one.gap(spanText(entry.ms))}</span>
        </>
      );
    case 'webhook': {
      const { told } = entry;
      return (
        <>
          <Badge tone="neutral" icon="webhook" word={words.webhookBadge(told.lastStatus)} />
          <span>
            <Link
              to="/webhooks/$endpointId/deliveries/$deliveryId"
              params={{ endpointId: told.endpointId, deliveryId: told.deliveryId }}
            >
              {words.webhook(told.type, told.endpoint)}
            </Link>{' '}
            {told.lastStatus === null && words.notAnswered}
          </span>
        </>
      );
    }
    case 'event':
      return (
        <>
          <StatusBadge state={entry.event.state} />
          <span>
            {sentence(entry.event, entry.again)} {entry.event.detail}{' '}
            {entry.event.code !== null && <ReasonLink code={entry.event.code} />}
            {entry.event.carrierCode !== null && <code> {entry.event.carrierCode}</code>}
          </span>
        </>
      );
  }
}

function sentence({ state, carrier }: TimelineEvent, again: boolean): string {
  if (again) return words.queuedAgain;
  const said = Object.hasOwn(words, state) ? words[state as keyof typeof words] : undefined;
  if (typeof said === 'string') return said;
  if (state === 'sending') return words.sending(carrier ?? '—');
  return state === 'sent' ? words.sent(carrier ?? '—') : '';
}
