/** The result for each recipient of a request. */
import { Link } from '@tanstack/react-router';
import { labelsOf } from '../../language/labels';
import { Badge } from '../../ui/Status';
import { type Column, Table } from '../../ui/Table';
import { Phone, ReasonLink } from '../../ui/Values';
import { meaningOf } from '../reasons/reasons';

const messageLabels = labelsOf('message');

const labels = messageLabels.compose;

export interface Result {
  to: string;
  status: string;
  messageId?: string;
  detail?: string;
}

const columns: readonly Column<Result>[] = [
  { id: 'to', title: labels.to, cell: ({ to }) => <Phone digits={to} /> },
  {
    id: 'result',
    title: labels.result,
    cell: ({ status }) =>
      status === 'SUCCESS' ? <Badge tone="ok" icon="check" word={status} /> : <ReasonLink code={status} />,
  },
  { id: 'detail', title: labels.detail, cell: ({ status, detail = '—' }) => meaningOf('recipient', status, detail) },
  {
    id: 'message',
    title: labels.message,
    cell: ({ messageId }) =>
      messageId === undefined ? (
        '—'
      ) : (
        <Link to="/messages/$messageId" params={{ messageId }}>
          <code>{messageId.slice(0, 14)}…</code>
        </Link>
      ),
  },
];

export function Results({ list }: { list: readonly Result[] }) {
  return <Table caption={labels.results} columns={columns} rows={list} keyOf={({ to }) => to} />;
}
