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
import type { FullMessage, StoryDelivery, Whole } from './message-data';
import { Recipients } from './Recipients';
import { RequestPanel } from './RequestPanel';

const auditLabels = labelsOf('audit');
const messageLabels = labelsOf('message');

const labels = messageLabels.one;

export function MessageTabs({ full }: { full: FullMessage }) {
  const [param, select] = useUrlText('tab');
  const tabs = tabsOf(full);
  const selected = tabs.find(({ id }) => id === param) ?? tabs[0]!;
  return <Tabs label={labels.more} tabs={tabs} selected={selected.id} onSelect={(id) => select(id)} />;
}

function tabsOf(full: FullMessage): TabOf[] {
  const { message, recipients, refused } = full;
  const { messageId, direction, parts } = message;
  return [
    ...(recipients.length + refused.length > 1
      ? [
          {
            id: 'recipients',
            title: labels.tabs.recipients(recipients.length + refused.length),
            content: (
              <Panel title={labels.recipients}>
                <Recipients caption={labels.recipients} messages={recipients} refused={refused} />
              </Panel>
            ),
          },
        ]
      : []),
    { id: 'webhooks', title: labels.tabs.webhooks, content: <Webhooks full={full} /> },
    ...(parts.length > 0 ? [{ id: 'parts', title: labels.tabs.parts, content: <Parts message={message} /> }] : []),
    {
      id: 'request',
      title: direction === 'outbound' ? labels.tabs.request : labels.tabs.fields,
      content: <RequestPanel message={message} />,
    },
    {
      id: 'activity',
      title: auditLabels.activity.tab,
      content: <ActivityPanel id={messageId} mentioned />,
    },
  ];
}

function Webhooks({ full: { webhooks } }: { full: FullMessage }) {
  return (
    <Panel title={labels.delivery}>
      {webhooks.length === 0 ? (
        <p className={styles.muted}>{labels.toldNone}</p>
      ) : (
        <Table caption={labels.delivery} columns={deliveryColumns} rows={webhooks} keyOf={(one) => one.deliveryId} />
      )}
    </Panel>
  );
}

function Parts({ message: { encoding, parts, segments } }: Pick<FullMessage, 'message'>) {
  return (
    <Panel title={labels.partsTitle}>
      {encoding !== null && (
        <p>
          {encoding} · {messageLabels.parts(segments)}
        </p>
      )}
      <Table caption={labels.partsTitle} columns={partColumns} rows={parts} keyOf={({ part }) => String(part)} />
    </Panel>
  );
}

const deliveryColumns: readonly Column<StoryDelivery>[] = [
  { id: 'event', title: labels.event, cell: ({ type }) => <code>{type}</code> },
  { id: 'endpoint', title: labels.endpoint, cell: ({ endpoint }) => endpoint },
  { id: 'state', title: labels.status, cell: ({ state }) => <StatusBadge state={state} /> },
  { id: 'answer', title: labels.lastStatus, cell: ({ lastStatus }) => lastStatus ?? '—' },
  { id: 'attempts', title: labels.attempts, figures: true, cell: ({ attempts }) => attempts },
  {
    id: 'open',
    title: '',
    cell: ({ endpointId, deliveryId }) => (
      <Link to="/webhooks/$endpointId/deliveries/$deliveryId" params={{ endpointId, deliveryId }}>
        {labels.delivery}
      </Link>
    ),
  },
];

/** `accepted` is the state of parts that the carrier took; for a message this state is called sent. */
const partState = (state: string): string => (state === 'accepted' ? 'sent' : state);

const partColumns: readonly Column<Whole['parts'][number]>[] = [
  {
    id: 'part',
    title: labels.part,
    figures: true,
    cell: ({ part, spans = 1 }) => (spans > 1 ? `${part}–${part + spans - 1}` : part),
  },
  { id: 'state', title: labels.status, cell: ({ state }) => <StatusBadge state={partState(state)} /> },
  { id: 'id', title: labels.carrierId, cell: ({ carrierMessageId }) => <code>{carrierMessageId}</code> },
  { id: 'code', title: labels.carrierCode, cell: ({ carrierCode }) => carrierCode ?? '—' },
  { id: 'at', title: labels.updated, cell: ({ updatedAt }) => <Time at={updatedAt} form="exact" /> },
];
