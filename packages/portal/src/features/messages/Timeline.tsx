/** The timeline of a message, in order and to the millisecond, in plain words; with the PDUs behind each entry. */
import { Link } from '@tanstack/react-router';
import type { MessageWaiting } from '../../api/routes/messages-answers';
import { useMay } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { Notice } from '../../ui/States';
import { Badge, StatusBadge } from '../../ui/Status';
import { nearText, ReasonLink, Time } from '../../ui/Values';
import styles from './Messages.module.css';
import type { FullMessage, Pdu, Story, TimelineEvent, Whole } from './message-data';
import { detailText, isByHand, isThrottled } from './outcome';
import { Exchanges, ReceiptTexts } from './Pdus';
import { RoutedLine } from './RoutedLine';
import storyStyles from './Story.module.css';
import { type Entry, entriesOf, isHeldBack, isOfCarrier, mayWait, spanText, waitingText } from './timeline';

const messageLabels = labelsOf('message');
const outcomeLabels = labelsOf('outcome');
const storyLabels = labelsOf('story');

const labels = messageLabels.timeline;

export function Timeline({ full, story }: { full: FullMessage; story: Story | undefined }) {
  const { message, webhooks } = full;
  const around = story && {
    carrierName: full.carrierName ?? message.carrier ?? '—',
    link: story.link,
    routed: story.routed,
    waiting: story.waiting,
    time: nearText,
    nowMs: Date.now(),
  };
  return (
    <ol className={styles.timeline}>
      {entriesOf(message.events, webhooks, around).map((entry) => (
        <li key={keyOf(entry)} className={entry.kind === 'gap' ? styles.gap : undefined}>
          {entry.kind === 'gap' ? <span /> : <Time at={entry.at} form="exact" />}
          <Line entry={entry} full={full} story={story} />
        </li>
      ))}
    </ol>
  );
}

function keyOf(entry: Entry): string {
  if (entry.kind === 'event') return entry.event.eventId;
  return entry.kind === 'webhook' ? entry.delivery.deliveryId : `${entry.kind} ${entry.at}`;
}

function Line({ entry, full, story }: { entry: Entry; full: FullMessage; story: Story | undefined }) {
  const { message } = full;
  switch (entry.kind) {
    case 'gap':
      return (
        <>
          <span />
          <span>{gapText(entry)}</span>
        </>
      );
    case 'routed':
      return story?.routed == null ? null : <RoutedLine message={message} routed={story.routed} />;
    case 'webhook': {
      const { delivery } = entry;
      return (
        <>
          <Badge tone="neutral" icon="webhook" word={labels.webhookBadge(delivery.lastStatus)} />
          <span>
            <Link
              to="/webhooks/$endpointId/deliveries/$deliveryId"
              params={{ endpointId: delivery.endpointId, deliveryId: delivery.deliveryId }}
            >
              {labels.webhook(delivery.type, delivery.endpoint)}
            </Link>{' '}
            {delivery.lastStatus === null && labels.notAnswered}
          </span>
        </>
      );
    }
    case 'event':
      return (
        <>
          <StatusBadge state={entry.event.state} />
          <Event event={entry.event} again={entry.again} full={full} story={story} />
        </>
      );
  }
}

function gapText({ ms, reason, still }: Extract<Entry, { kind: 'gap' }>): string {
  if (reason === null) return messageLabels.one.gap(spanText(ms));
  return (still ? storyLabels.still : storyLabels.gap)(spanText(ms), reason);
}

function Event({
  event,
  again,
  full,
  story,
}: {
  event: TimelineEvent;
  again: boolean;
  full: FullMessage;
  story: Story | undefined;
}) {
  const { message } = full;
  const isReceipt = message.direction === 'outbound' && (event.state === 'delivered' || event.state === 'undelivered');
  const throttled = isThrottled(event);
  const pdus: Pdu[] = story?.wire.pdus.filter((pdu) => pdu.event === event.sequence) ?? [];
  const ids = message.parts.map(({ carrierMessageId }) => carrierMessageId).filter((id) => id !== '');
  return (
    <div className={storyStyles.entry}>
      <span>
        {throttled ? outcomeLabels.tooFast : sentence(event, again, nameOf(event.carrier, full, story))}{' '}
        {!throttled && detailText(event)} {event.code !== null && !throttled && <ReasonLink code={event.code} />}
        {event.carrierCode !== null && <code> {event.carrierCode}</code>}{' '}
        {event.state === 'sent' && ids.length > 0 && storyLabels.ids(ids)}
        {isReceipt && ids.length > 0 && !isByHand(event) && (
          <span className={styles.muted}>{storyLabels.matchedById}</span>
        )}
      </span>
      {isReceipt && story !== undefined && <ReceiptTexts list={story.receiptTexts} />}
      <Exchanges pdus={pdus} />
    </div>
  );
}

/** Events have the carrier's id; people know it by its name, if known. */
function nameOf(carrier: string | null, { message, carrierName }: FullMessage, story: Story | undefined): string {
  if (carrier === null) return '—';
  if (carrier === message.carrier && carrierName !== null) return carrierName;
  const first = story?.routed?.carrier;
  return first?.carrierId === carrier ? first.name : carrier;
}

function sentence(event: TimelineEvent, again: boolean, carrier: string): string {
  const { state } = event;
  if (isHeldBack(event)) return '';
  if (again) return labels.queuedAgain;
  const text = Object.hasOwn(labels, state) ? labels[state as keyof typeof labels] : undefined;
  if (typeof text === 'string') return text;
  if (state === 'sending') return labels.sending(carrier);
  return state === 'sent' ? labels.sent(carrier) : '';
}

/** Why a message waits now, in a sentence, with a link to its carrier for people who may see it. */
export function Waits({ message, waiting }: { message: Whole; waiting: MessageWaiting | null }) {
  const isOperator = useMay('operator');
  if (!mayWait.has(message.state) || waiting === null) return null;
  const text = waitingText(waiting, Date.now() - Date.parse(message.updatedAt), nearText);
  if (text === null) return null;
  const { carrier } = waiting;
  return (
    <Notice tone="info" title={`${storyLabels.waits}: ${text}.`}>
      {isOperator && carrier !== null && isOfCarrier(waiting) && (
        <Link to="/carriers/$carrierId" params={{ carrierId: carrier.carrierId }}>
          {storyLabels.openCarrier}
        </Link>
      )}
    </Notice>
  );
}
