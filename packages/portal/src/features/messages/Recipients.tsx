/** Every recipient of a request in order: its answer, and the outcome of its message. */
import { Link, useNavigate } from '@tanstack/react-router';
import { labelsOf } from '../../language/labels';
import { StatusBadge } from '../../ui/Status';
import { type Column, Table } from '../../ui/Table';
import { Phone, ReasonLink } from '../../ui/Values';
import { meaningOf } from '../reasons/reasons';
import styles from './Messages.module.css';
import type { Listed, Refused } from './message-data';
import { inOrder, type RecipientRow } from './recipients';
import { spanText } from './timeline';

const messageLabels = labelsOf('message');

const labels = messageLabels.one;
const ends = new Set(['delivered', 'undelivered', 'failed', 'expired', 'canceled']);

function tookText(message: Listed | null): string {
  if (message === null || !ends.has(message.state)) return '—';
  return spanText(Date.parse(message.updatedAt) - Date.parse(message.acceptedAt));
}

function carrierText(message: Listed | null): string {
  return message?.carrierName ?? message?.carrier ?? '—';
}

const columns: readonly Column<RecipientRow>[] = [
  {
    id: 'to',
    title: labels.to,
    cell: ({ to, message }) =>
      message === null ? (
        <code className={styles.took}>{to}</code>
      ) : (
        <Link to="/messages/$messageId" params={{ messageId: message.messageId }}>
          <Phone digits={to} />
        </Link>
      ),
  },
  {
    id: 'answer',
    title: labels.apiStatus,
    cell: ({ message, status }) => (message === null ? <ReasonLink code={status} /> : <code>{status}</code>),
  },
  {
    id: 'status',
    title: labels.delivery,
    cell: ({ message }) => <StatusBadge state={message?.state ?? 'failed'} />,
  },
  {
    id: 'reason',
    title: labels.reason,
    cell: ({ message, status, detail }) =>
      message === null ? (
        <span className={styles.fix}>{meaningOf('recipient', status, detail)}</span>
      ) : (
        <ReasonLink code={message.code === 'DELIVERED' ? null : message.code} />
      ),
  },
  {
    id: 'took',
    title: labels.took,
    figures: true,
    cell: ({ message }) => <span className={styles.took}>{tookText(message)}</span>,
  },
  {
    id: 'carrier',
    title: labels.carrier,
    cell: ({ message }) => <span className={styles.took}>{carrierText(message)}</span>,
  },
];

export function Recipients({
  caption,
  messages,
  refused,
}: {
  caption: string;
  messages: readonly Listed[];
  refused: readonly Refused[];
}) {
  const navigate = useNavigate();
  return (
    <Table
      caption={caption}
      columns={columns}
      rows={inOrder(messages, refused)}
      keyOf={({ place }) => String(place)}
      onOpen={({ message }) => {
        if (message !== null) {
          void navigate({ to: '/messages/$messageId', params: { messageId: message.messageId } });
        }
      }}
    />
  );
}
