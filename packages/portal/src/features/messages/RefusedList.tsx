/** Refused recipients above the messages of the same search: they have no message. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { api } from '../../api/client';
import { staysPut } from '../../api/live';
import { useMay } from '../../api/session';
import { dateFormat } from '../../language/formats';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Row } from '../../ui/Page';
import { Empty, Shown } from '../../ui/States';
import { StatusBadge } from '../../ui/Status';
import { type Column, Table } from '../../ui/Table';
import { Phone, ReasonLink, Time } from '../../ui/Values';
import { meaningOf } from '../reasons/reasons';
import list from './List.module.css';
import styles from './Messages.module.css';
import type { ListedRefused, RefusedAnswer } from './message-data';

const messageLabels = labelsOf('message');
const labels = labelsOf('refused');

interface RefusedPage extends RefusedAnswer {
  next: string | null;
}

const pageRows = 20;
const clock = dateFormat({ dateStyle: 'medium', timeStyle: 'short' });

/** The results of a search; nothing is fetched without one. */
export function useRefused(q: string) {
  return useInfiniteQuery({
    queryKey: ['message-log-refused', q],
    meta: staysPut,
    enabled: q !== '',
    initialPageParam: '',
    queryFn: async ({ pageParam }): Promise<RefusedPage> => {
      const params = { q, limit: pageRows, ...(pageParam !== '' && { before: pageParam }) };
      const { data, next } = await api.get('/messages/refused', { query: params });
      return { ...data, next: next ?? null };
    },
    getNextPageParam: ({ next }) => next,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: 'always',
    refetchOnWindowFocus: false,
  });
}

type Refused = ReturnType<typeof useRefused>;

/** Whether the search names refused recipients by their status. */
export function namesRefused({ data }: Refused): boolean {
  return data?.pages[0]?.asks.status === true;
}

const columns: readonly Column<ListedRefused>[] = [
  { id: 'time', title: messageLabels.columns.time, cell: ({ acceptedAt }) => <Time at={acceptedAt} /> },
  { id: 'from', title: messageLabels.columns.from, cell: ({ from }) => <Phone digits={from} /> },
  { id: 'to', title: messageLabels.columns.to, cell: ({ to }) => <Phone digits={to} /> },
  { id: 'status', title: messageLabels.columns.status, cell: () => <StatusBadge state="refused" /> },
  {
    id: 'reason',
    title: messageLabels.columns.reason,
    cell: ({ status, detail }) => (
      <span className={list.withReason}>
        <ReasonLink code={status} />
        <span className={styles.fix}>{meaningOf('recipient', status, detail)}</span>
      </span>
    ),
  },
  {
    id: 'request',
    title: messageLabels.one.request,
    cell: ({ requestId }) => (
      <Link to="/requests/$requestId" params={{ requestId }}>
        <code>{requestId.slice(0, 14)}…</code>
      </Link>
    ),
  },
];

export function RefusedList({ of, onShow }: { of: Refused; onShow(): void }) {
  const navigate = useNavigate();
  const rows = of.data?.pages.flatMap(({ recipients }) => recipients) ?? [];
  const last = of.data?.pages.at(-1);
  const asks = of.data?.pages[0]?.asks;
  if (asks === undefined) return of.isError ? <Shown of={of}>{() => null}</Shown> : null;
  const isNamed = asks.status;
  if (!isNamed && rows.length === 0) return null;
  if (!isNamed && !asks.reason) {
    if (!asks.number) return null;
    return (
      <p className={styles.muted}>
        {labels.match(rows.length, last?.next !== null)}{' '}
        <Button look="quiet" onPress={onShow}>
          {labels.show}
        </Button>
      </p>
    );
  }
  return (
    <>
      {rows.length === 0 && <Empty title={labels.none}>{messageLabels.list.noneHow}</Empty>}
      {rows.length > 0 && (
        <>
          <p className={styles.muted}>{labels.count(rows.length, last?.next !== null)}</p>
          <Table
            caption={labels.caption}
            columns={columns}
            rows={rows}
            keyOf={({ requestId, place }) => `${requestId} ${place}`}
            cardsBelow={900}
            onOpen={({ requestId }) => void navigate({ to: '/requests/$requestId', params: { requestId } })}
          />
        </>
      )}
      {last?.searchedTo != null && (
        <p className={styles.muted}>{messageLabels.list.searchedTo(clock.format(new Date(last.searchedTo)))}</p>
      )}
      {of.hasNextPage && (
        <Row>
          <Button isPending={of.isFetchingNextPage} onPress={() => void of.fetchNextPage()}>
            {last?.searchedTo == null ? labels.older : messageLabels.list.lookOn}
          </Button>
        </Row>
      )}
      <Whole />
    </>
  );
}

/** A request without an accepted recipient leaves no recipients behind. */
function Whole() {
  const readsCalls = useMay('manageKeys');
  return (
    <p className={styles.muted}>
      {labels.whole} {readsCalls && <Link to="/requests">{labels.requests}</Link>}
    </p>
  );
}
