/** The message log: searched by words, live without moving the rows in view, page by page into the past. */
import {
  type InfiniteData,
  type UseInfiniteQueryResult,
  useInfiniteQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import { staysPut } from '../../api/live';
import { useMay, useMe } from '../../api/session';
import { dateFormat } from '../../language/formats';
import { labelsOf } from '../../language/labels';
import { Button, LinkButton } from '../../ui/Button';
import { Page, Row } from '../../ui/Page';
import { Empty, FormFault, Notice, Shown } from '../../ui/States';
import { Table } from '../../ui/Table';
import { useUrlText } from '../../ui/url';
import { useCompany } from '../settings/company';
import { useColumns } from './columns';
import list from './List.module.css';
import { ListTools } from './ListTools';
import { firstPageOf } from './live-rows';
import styles from './Messages.module.css';
import { namesRefused, RefusedList, useRefused } from './RefusedList';
import { SearchChips, SearchLine } from './SearchLine';
import { fromAddress } from './search-words';
import { type ListPage, logKey, readPage, useLiveRows } from './use-live-rows';
import { usePanel } from './use-panel';

/** The list does not wait for it. */
const Histogram = lazy(() => import('./Histogram').then((one) => ({ default: one.Histogram })));
const MessagePanel = lazy(() => import('./MessagePanel').then((one) => ({ default: one.MessagePanel })));

const frameLabels = labelsOf('frame');
const messageLabels = labelsOf('message');

const labels = messageLabels.list;
const clock = dateFormat({ dateStyle: 'medium', timeStyle: 'short' });

export function MessagesPage() {
  const [address, setAddress] = useUrlText('q');
  const q = fromAddress(address);
  const [by, setBy] = useUrlText('by');
  const panel = usePanel();
  const maySend = useMay('send');
  const [exportFault, setExportFault] = useState<unknown>(null);
  const layout = useColumns();
  const log = useInfiniteQuery({
    queryKey: logKey({ q, by }),
    meta: staysPut,
    initialPageParam: '',
    queryFn: ({ pageParam }) => readPage({ q, by }, pageParam === '' ? {} : { before: pageParam }),
    getNextPageParam: ({ next }) => next,
    // Rows in view stay in place; new ones come by the stream.
    staleTime: Number.POSITIVE_INFINITY,
    // On return, shows the cached list and refetches it.
    refetchOnMount: 'always',
    refetchOnWindowFocus: false,
  });
  const refused = useRefused(q);
  useLookFurther(log);
  useFirstPageKept(q, by);
  const first = log.data?.pages[0];
  const rows = useMemo(() => log.data?.pages.flatMap((page) => page.messages) ?? [], [log.data]);
  const { isFetching: isReading } = log;
  const live = useLiveRows({ params: { q, by }, rows, isReading, isReady: log.data !== undefined, list: panel.list });
  const last = log.data?.pages.at(-1);
  // When a search matches only refused recipients, no message can be counted, exported or sent again.
  const isAlone = rows.length === 0 && namesRefused(refused);
  const search = (text: string) => setAddress(text);
  return (
    <Page
      title={messageLabels.title}
      beside={
        <div className={list.bar}>
          <SearchLine q={q} onSearch={search} />
          <ListTools
            q={q}
            byRequest={by !== ''}
            layout={layout}
            findsNone={isAlone}
            onSearch={search}
            onByRequest={(on) => setBy(on ? 'request' : '')}
            onFault={setExportFault}
          />
        </div>
      }
      actions={
        maySend && (
          <LinkButton to="/messages/new" look="primary" icon="plus">
            {frameLabels.newMessage}
          </LinkButton>
        )
      }
    >
      <SearchChips q={q} problems={first?.problems ?? []} onSearch={search} />
      {first !== undefined && first.problems.length > 0 && (
        <Notice {...problemNotice(first.problems)}>
          <ul>
            {first.problems.map(({ token, sentence }) => (
              <li key={token}>
                <code>{token}</code> — {sentence}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <div className={list.strip}>
        <Suspense>
          <Histogram q={q} onSearch={search} />
        </Suspense>
        <span className={last?.next == null ? 'visually-hidden' : list.count}>
          {log.data !== undefined &&
            !isAlone &&
            (by === '' ? labels.count : labels.countRequests)(rows.length, last?.next !== null)}
        </span>
      </div>
      <FormFault error={exportFault} />
      <RefusedList of={refused} onShow={() => setAddress(`${q} status:refused`)} />
      <div className={styles.listed}>
        <div role="status" className={styles.pill}>
          {live.fresh > 0 && (
            <Button look="primary" onPress={live.show}>
              {labels.fresh(live.fresh)}
            </Button>
          )}
        </div>
        <Shown of={log} rows={8}>
          {() => (
            <div className={panel.open === '' ? styles.list : `${styles.list} ${list.withPanel}`}>
              <div ref={panel.list} className={styles.log}>
                {rows.length === 0 && !isAlone && <Nothing searched={q !== ''} />}
                {rows.length > 0 && (
                  <Table
                    caption={labels.caption}
                    columns={panel.fitting(layout.of(rows))}
                    rows={rows}
                    keyOf={({ messageId }) => messageId}
                    current={panel.open || panel.returnedTo(rows)}
                    onOpen={panel.show}
                    holdsLink={panel.opensBeside}
                  />
                )}
                {last !== undefined && last.searchedTo !== null && (
                  <p className={styles.muted}>{labels.searchedTo(clock.format(new Date(last.searchedTo)))}</p>
                )}
                {log.hasNextPage && (
                  <Row>
                    <Button isPending={log.isFetchingNextPage} onPress={() => void log.fetchNextPage()}>
                      {last?.searchedTo == null ? labels.older : labels.lookOn}
                    </Button>
                  </Row>
                )}
              </div>
              {panel.open !== '' && (
                <Suspense fallback={<aside className={styles.beside} />}>
                  <MessagePanel messageId={panel.open} onClose={panel.close} />
                </Suspense>
              )}
            </div>
          )}
        </Shown>
      </div>
      <Kept />
    </Page>
  );
}

/** Automatic further searches while a page is not full; after them the person decides. */
const looksMax = 10;
const pageFull = 50;

/** Rare rows are searched for in steps, so that no other request waits. */
function useLookFurther(log: UseInfiniteQueryResult<InfiniteData<ListPage>>): void {
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = log;
  const pages = data?.pages ?? [];
  const found = pages.reduce((sum, page) => sum + page.messages.length, 0);
  const steps = pages.filter((page) => page.searchedTo !== null).length;
  const goesOn = pages.at(-1)?.searchedTo != null && steps <= looksMax && found < pageFull;
  useEffect(() => {
    if (goesOn && hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [goesOn, hasNextPage, isFetching, isError, fetchNextPage]);
}

/** Words that were not understood are left out of the search; an unknown key finds nothing. */
function problemNotice(problems: ListPage['problems']) {
  const isNoKey = problems.some(({ token }) => token.startsWith('key:'));
  return isNoKey
    ? ({ tone: 'bad', title: labels.noKey } as const)
    : ({ tone: 'warn', title: labels.problems } as const);
}

/** Drops the older pages of a list that the person left: on return each would be refetched. */
function useFirstPageKept(q: string, by: string): void {
  const client = useQueryClient();
  useEffect(
    () => () => {
      client.setQueryData<InfiniteData<ListPage>>(logKey({ q, by }), firstPageOf);
    },
    [client, q, by],
  );
}

/** Why texts are hidden, and how long messages are kept; shown to people who may see it. */
function Kept() {
  const { data } = useCompany();
  const readsTexts = useMay('readBody');
  return (
    <>
      {!readsTexts && <p className={styles.muted}>{messageLabels.textsHidden}</p>}
      {data !== undefined && <p className={styles.muted}>{labels.kept(data.bodyDays, data.metadataDays)}</p>}
    </>
  );
}

function Nothing({ searched }: { searched: boolean }) {
  const maySend = useMay('send');
  const { environment, environments } = useMe();
  return searched ? (
    <Empty title={labels.none}>{labels.noneHow}</Empty>
  ) : (
    <Empty
      title={labels.empty}
      action={maySend && <LinkButton to="/messages/new">{frameLabels.newMessage}</LinkButton>}
    >
      {environments.length > 1 && labels.emptyIn(environment)} {labels.emptyHow}
    </Empty>
  );
}
