/** One message with all its data, in the order in which things happened. */
import { useQuery } from '@tanstack/react-query';
import { Link, Navigate, useParams } from '@tanstack/react-router';
import { api } from '../../api/client';
import { labelsOf } from '../../language/labels';
import { Facts, Page, Panel, Row } from '../../ui/Page';
import { Empty, FormFault, MessageSearch, Notice, Shown } from '../../ui/States';
import { Badge, StatusBadge } from '../../ui/Status';
import { Copyable, CopyButton, distanceText, Phone, ReasonLink } from '../../ui/Values';
import { useReasons } from '../reasons/reasons';
import { Direction, mediaText } from './columns';
import { shapeOf } from './compose';
import { MessageActions } from './MessageActions';
import styles from './Messages.module.css';
import { MessageTabs } from './MessageTabs';
import type { FullMessage, Story, Whole } from './message-data';
import { billedText, outcomeText, outcomeTitle } from './outcome';
import { HowToHavePdus } from './Pdus';
import { Attached, Octets, SentMedia } from './SentMedia';
import { Timeline, Waits } from './Timeline';
import { spanText } from './timeline';

const messageLabels = labelsOf('message');
const storyLabels = labelsOf('story');
const copied = labelsOf('copied');

const labels = messageLabels.one;
/** How often a page fetches why its message waits. */
const waitsLookMs = 5_000;

export function MessagePage() {
  const { messageId } = useParams({ strict: false }) as { messageId: string };
  const full = useFullMessage(messageId);
  return (
    <Page
      title={labels.title}
      documentTitle={`${labels.title} ${messageId.slice(0, 14)}`}
      crumbs={[{ label: messageLabels.title, to: '/messages' }, { label: `${messageId.slice(0, 14)}…` }]}
      actions={full.data !== undefined && <MessageActions message={full.data.message} />}
    >
      <Shown of={full} rows={10}>
        {(data) => <Blocks full={data} />}
      </Shown>
    </Page>
  );
}

export function useFullMessage(messageId: string) {
  return useQuery({
    queryKey: ['message', messageId],
    queryFn: async () => (await api.get('/messages/:messageId/full', { messageId })).data,
  });
}

/** The message and its timeline: the top of its page, and the content of the panel beside the list. */
export function Summary({ full }: { full: FullMessage }) {
  const { message } = full;
  const { messageId } = message;
  const story = useQuery({
    queryKey: ['message', messageId, 'story'],
    queryFn: async () => (await api.get('/messages/:messageId/story', { messageId })).data,
    // Limits, hours and links of carriers change without an event of the message.
    refetchInterval: message.state === 'queued' ? waitsLookMs : false,
  });
  return (
    <>
      <Panel>
        <Row>
          <Direction direction={message.direction} />
          {message.state !== 'received' && <StatusBadge state={message.state} />}
          {message.dupRisk && <Badge tone="warn" icon="warning" word={messageLabels.dupRisk} />}
        </Row>
        <Body {...message} />
        <Facts facts={factsOf(full, story.data?.waiting?.carrier ?? null)} />
      </Panel>
      <Waits message={message} waiting={story.data?.waiting ?? null} />
      <PlainSummary message={message} />
      <Panel title={labels.timeline}>
        <Timeline full={full} story={story.data} />
        {message.state === 'sent' && <NoReceipt full={full} story={story.data} />}
        {story.data !== undefined && <HowToHavePdus wire={story.data.wire} message={message} />}
        <FormFault error={story.error} />
      </Panel>
    </>
  );
}

function Blocks({ full }: { full: FullMessage }) {
  return (
    <>
      <Summary full={full} />
      <MessageTabs full={full} />
    </>
  );
}

/** How long ago the carrier took it, the usual delay, and whether anything arrives from the carrier. */
function NoReceipt({ full: { message, carrierName }, story }: { full: FullMessage; story: Story | undefined }) {
  const { receipts = null } = story ?? {};
  const carrier = carrierName ?? message.carrier ?? '—';
  const waited = storyLabels.noReceipt(spanText(Date.now() - Date.parse(message.updatedAt)));
  if (receipts === null) return <p className={styles.gap}>{waited}</p>;
  const { usualMs, lastAt, looked } = receipts;
  const known = [
    ...(usualMs === null ? [] : [storyLabels.usual(carrier, spanText(usualMs))]),
    ...(lastAt === null ? [] : [storyLabels.lastHeard(distanceText(lastAt))]),
  ];
  const rest = known.length === 0 ? storyLabels.noneHeard(carrier, looked) : `${known.join('; ')}.`;
  return (
    <p className={styles.gap}>
      {waited} {rest}
    </p>
  );
}

function Body(message: Whole) {
  const { direction, text, textLength, mediaUrls, mediaUrlsCount, media, subject, data, dataCoding } = message;
  return (
    <>
      {subject && <p className={styles.subject}>{labels.subject(subject)}</p>}
      <p className={styles.text}>
        {text === null
          ? hiddenText(
              textLength ?? 0,
              mediaText({ mediaUrls, ...(mediaUrlsCount !== undefined && { mediaUrlsCount }) }),
            )
          : text === ''
            ? data == null
              ? labels.noText
              : labels.binary
            : text}
      </p>
      {mediaUrls.length > 0 && direction === 'outbound' && <SentMedia message={message} />}
      {mediaUrls.length > 0 && direction === 'inbound' && (
        <ul className={styles.media}>
          {mediaUrls.map((url, index) => (
            <li key={url}>
              {media?.[index] === undefined ? (
                <Copyable value={url} what={copied.address} />
              ) : (
                <>
                  <Attached medium={media[index]} />
                  <CopyButton value={url} what={copied.address} />
                </>
              )}
            </li>
          ))}
        </ul>
      )}
      {data != null && <Octets data={data} dataCoding={dataCoding} />}
    </>
  );
}

/** Content that the person may not read, shown as existing. */
function hiddenText(length: number, media: string | null): string {
  const known = [...(length === 0 ? [] : [messageLabels.hidden(length)]), ...(media === null ? [] : [media])];
  return [...known, messageLabels.hiddenToRole].join(' · ');
}

/** The extras of a message from a handset. */
function besideOf({ participants, messageClass, ports }: Whole): (readonly [string, React.ReactNode])[] {
  return [
    ...(participants === undefined ? [] : [[labels.participants, participants.join(', ')] as const]),
    ...(messageClass === undefined
      ? []
      : [[labels.messageClass, labels.classes[messageClass] ?? messageClass] as const]),
    ...(ports === undefined ? [] : [[labels.ports, labels.fromTo(ports.source, ports.destination)] as const]),
  ];
}

/** `awaited`: the carrier in whose queue it waits. */
function factsOf(
  { message, key, carrierName }: FullMessage,
  awaited: { carrierId: string; name: string } | null,
): (readonly [string, React.ReactNode])[] {
  const { messageId, requestId, direction, messageType, encoding, segments, carrier, carrierCode, code } = message;
  const kind = [messageType, encoding, messageLabels.parts(segments), roomText(message)]
    .filter((part) => part !== null)
    .join(' · ');
  const end = message.events.find(({ state }) => ['delivered', 'undelivered', 'failed'].includes(state));
  const begin = message.events[0];
  return [
    [labels.from, <Phone key="from" digits={message.from} />],
    [labels.to, <Phone key="to" digits={message.to} />],
    [labels.type, kind],
    ...besideOf(message),
    [labels.reason, <ReasonLink key="code" code={code} />],
    ...(message.state === 'delivered' ? ([[labels.billing, billedText(message)]] as const) : []),
    [
      labels.took,
      end === undefined || begin === undefined
        ? '—'
        : spanText(Date.parse(end.occurredAt) - Date.parse(begin.occurredAt)),
    ],
    [
      labels.carrier,
      <CarrierName
        key="carrier"
        id={carrier ?? awaited?.carrierId ?? null}
        name={carrierName ?? awaited?.name ?? null}
      />,
    ],
    [labels.carrierCode, carrierCode === null ? '—' : <code key="carrierCode">{carrierCode}</code>],
    ...(direction === 'outbound'
      ? ([
          [labels.reference, <Copyable key="reference" value={message.referenceId} what={copied.reference} />],
          [labels.key, key?.name ?? '—'],
        ] as const)
      : []),
    [
      labels.request,
      <Link key="request" to="/requests/$requestId" params={{ requestId }}>
        <code>{requestId.slice(0, 14)}…</code>
      </Link>,
    ],
    [labels.id, <Copyable key="id" value={messageId} shown={`${messageId.slice(0, 14)}…`} what={copied.messageId} />],
  ];
}

/**
 * How full its segments are; null when the carrier got something other than the plain text, or the person may not know.
 */
function roomText({ text, encoding, segments, messageType }: Whole): string | null {
  if (text === null || text === '' || messageType === 'MMS') return null;
  const shape = shapeOf(text);
  const isSame = shape.encoding === encoding && shape.segments === segments;
  return isSame ? labels.room(shape.characters, shape.units, shape.units + shape.left) : null;
}

function CarrierName({ id, name }: { id: string | null; name: string | null }) {
  return (
    <>
      {name ?? id ?? '—'} {id !== null && name !== null && name !== id && <small className={styles.muted}>{id}</small>}
    </>
  );
}

/** What the outcome means and what to do, from the catalogue. */
function PlainSummary({ message }: { message: Whole }) {
  const { code, state } = message;
  const reason = useReasons().data?.find((one) => one.code === code && one.scope === 'outcome');
  if (reason === undefined || state === 'delivered') return null;
  const { cause, fix } = outcomeText(message, reason);
  return (
    <Notice
      tone={state === 'undelivered' || state === 'failed' ? 'bad' : 'warn'}
      title={`${labels.plain}: ${outcomeTitle(message, reason)}`}
    >
      <p>{cause}</p>
      <p>{fix}</p>
      <p>{billedText(message)}</p>
    </Notice>
  );
}

/** One recipient of a request, by telephone number: leads to that recipient's own message. */
export function RecipientPage() {
  const { messageId, to } = useParams({ strict: false }) as { messageId: string; to: string };
  const full = useFullMessage(messageId);
  return (
    <Page title={labels.title} crumbs={[{ label: messageLabels.title, to: '/messages' }, { label: labels.title }]}>
      <Shown of={full}>
        {({ message, recipients }) => {
          const wanted = to.replace(/\D/g, '');
          const one = [message, ...recipients].find((each) => each.to === wanted);
          if (one === undefined) {
            return (
              <Empty title={labels.noRecipient} action={<MessageSearch />}>
                {labels.noRecipientDetail(to)}
              </Empty>
            );
          }
          return <Navigate to="/messages/$messageId" params={{ messageId: one.messageId }} replace />;
        }}
      </Shown>
    </Page>
  );
}
