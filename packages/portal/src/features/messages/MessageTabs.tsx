/** More about a message, each under its own tab, which is part of the address. */
import { Link } from '@tanstack/react-router';
import { labelsOf } from '../../language/labels';
import { Panel } from '../../ui/Page';
import { StatusBadge } from '../../ui/Status';
import { type Column, Table } from '../../ui/Table';
import { type TabOf, Tabs } from '../../ui/Tabs';
import { useUrlText } from '../../ui/url';
import { Time } from '../../ui/Values';
import { ActivityPanel } from '../audit/ActivityPanel';
import styles from './Messages.module.css';
import type { FullMessage, Told, Whole } from './message-data';
import { Recipients } from './Recipients';
import { RequestPanel } from './RequestPanel';

const auditWords = labelsOf('audit');
const messageWords = labelsOf('message');

const words = messageWords.one;

export function MessageTabs({ full }: { full: FullMessage }) {
  const [asked, select] = useUrlText('tab');
  const tabs = tabsOf(full);
  const selected = tabs.find(({ id }) => id === asked) ?? tabs[0]!;
  return <Tabs label={words.more} tabs={tabs} selected={selected.id} onSelect={(id) => select(id)} />;
}

function tabsOf(full: FullMessage): TabOf[] {
  const { message, recipients, refused } = full;
  const { messageId, direction, parts } = message;
  return [
    ...(recipients.length + refused.length > 1
      ? [
          {
            id: 'recipients',
            title: words.tabs.recipients(recipients.length + refused.length),
            content: (
              <Panel title={words.recipients}>
                <Recipients caption={words.recipients} messages={recipients} refused={refused} />
              </Panel>
            ),
          },
        ]
      : []),
    { id: 'webhooks', title: words.tabs.webhooks, content: <Webhooks full={full} /> },
    ...(parts.length > 0 ? [{ id: 'parts', title: words.tabs.parts, content: <Parts message={message} /> }] : []),
    {
      id: 'request',
      title: direction === 'outbound' ? words.tabs.request : words.tabs.fields,
      content: <RequestPanel message={message} />,
    },
    {
      id: 'activity',
      title: auditWords.activity.tab,
      content: <ActivityPanel id={messageId} mentioned />,
    },
  ];
}

function Webhooks({ full: { webhooks } }: { full: FullMessage }) {
  return (
    <Panel title={words.told}>
      {webhooks.length === 0 ? (
        <p className={styles.muted}>{words.toldNone}</p>
      ) : (
        <Table caption={words.told} columns={toldColumns} rows={webhooks} keyOf={(one) => one.deliveryId} />
      )}
    </Panel>
  );
}

function Parts({ message: { encoding, parts, segments } }: Pick<FullMessage, 'message'>) {
  return (
    <Panel title={words.partsTitle}>
      {encoding !== null && (
        <p>
          {encoding} · {messageWords.parts(segments)}
        </p>
      )}
      <Table caption={words.partsTitle} columns={partColumns} rows={parts} keyOf={({ part }) => String(part)} />
    </Panel>
  );
}

const toldColumns: readonly Column<Told>[] = [
  { id: 'event', title: words.event, cell: ({ type }) => <code>{type}</code> },
  { id: 'endpoint', title: words.endpoint, cell: ({ endpoint }) => endpoint },
  { id: 'state', title: words.status, cell: ({ state }) => <StatusBadge state={state} /> },
  { id: 'answer', title: words.lastStatus, cell: ({ lastStatus }) => lastStatus ?? '—' },
  { id: 'attempts', title: words.attempts, figures: true, cell: ({ attempts }) => attempts },
  {
    id: 'open',
    title: '',
    cell: ({ endpointId, deliveryId }) => (
      <Link to="/webhooks/$endpointId/deliveries/$deliveryId" params={{ endpointId, deliveryId }}>
        {words.delivery}
      </Link>
    ),
  },
];

/** `accepted` is the state of parts that the carrier took; for a message this state is called sent. */
const partState = (state: string): string => (state === 'accepted' ? 'sent' : state);

const partColumns: readonly Column<Whole['parts'][number]>[] = [
  {
    id: 'part',
    title: words.part,
    figures: true,
    cell: ({ part, spans = 1 }) => (spans > 1 ? `${part}–${part + spans - 1}` : part),
  },
  { id: 'state', title: words.status, cell: ({ state }) => <StatusBadge state={partState(state)} /> },
  { id: 'id', title: words.carrierId, cell: ({ carrierMessageId }) => <code>{carrierMessageId}</code> },
  { id: 'code', title: words.carrierCode, cell: ({ carrierCode }) => carrierCode ?? '—' },
  { id: 'at', title: words.updated, cell: ({ updatedAt }) => <Time at={updatedAt} form="exact" /> },
];
