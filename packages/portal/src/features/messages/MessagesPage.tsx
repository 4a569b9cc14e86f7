/** The message log: searched by words, live without moving the rows in view, page by page into the past. */
import {
  type InfiniteData,
  type UseInfiniteQueryResult,
  useInfiniteQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import { query } from '../../api/client';
import { staysPut } from '../../api/live';
import { useMay, useMe } from '../../api/session';
import { dateFormat } from '../../language/formats';
import { labelsOf } from '../../language/labels';
import { ApiRequest } from '../../ui/ApiRequest';
import { Button, LinkButton } from '../../ui/Button';
import { Dialog, DialogActions } from '../../ui/Dialog';
import { saveAnswer } from '../../ui/download';
import { Checkbox } from '../../ui/Field';
import { useNarrow } from '../../ui/narrow';
import { Page, Row } from '../../ui/Page';
import { useCameFrom, usePlaceKept } from '../../ui/place-kept';
import { SavedViews } from '../../ui/SavedViews';
import { Empty, FormFault, Notice, Shown } from '../../ui/States';
import { Table } from '../../ui/Table';
import { ActionMenu } from '../../ui/Tabs';
import { useUrlText } from '../../ui/url';
import { useCompany } from '../settings/company';
import { type BulkAction, BulkDialog } from './BulkDialog';
import { allColumns, useColumns, withReasonBelow } from './columns';
import list from './List.module.css';
import { firstPageOf } from './live-rows';
import { MessagePanel } from './MessagePanel';
import styles from './Messages.module.css';
import { isGroup, type ListedRow } from './message-data';
import { namesRefused, RefusedList, useRefused } from './RefusedList';
import { SearchLine } from './SearchLine';
import { fromAddress } from './search-words';
import { type ListPage, logKey, readPage, useLiveRows } from './use-live-rows';

const bulkWords = labelsOf('bulk');
const frameWords = labelsOf('frame');
const messageWords = labelsOf('message');

const words = messageWords.list;
const clock = dateFormat({ dateStyle: 'medium', timeStyle: 'short' });

export function MessagesPage() {
  const [address, setAddress] = useUrlText('q');
  const q = fromAddress(address);
  const [by, setBy] = useUrlText('by');
  const panel = usePanel();
  const maySend = useMay('send');
  const [choosing, setChoosing] = useState(false);
  const [bulk, setBulk] = useState<BulkAction | null>(null);
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
  const live = useLiveRows({ asked: { q, by }, rows, isReading, isReady: log.data !== undefined, place: panel.list });
  const last = log.data?.pages.at(-1);
  // A search for refused recipients alone finds no message that could be counted, exported or sent again.
  const isAlone = rows.length === 0 && namesRefused(refused);
  const exportAs = (format: 'csv' | 'jsonl') => {
    const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    setExportFault(null);
    saveAnswer(`messages.${format}`, `/messages/export.${format}${query({ q, timeZone })}`).catch(setExportFault);
  };
  return (
    <Page
      title={messageWords.title}
      actions={
        maySend && (
          <LinkButton to="/messages/new" look="primary" icon="plus">
            {frameWords.newMessage}
          </LinkButton>
        )
      }
    >
      <SearchLine q={q} problems={first?.problems ?? []} onSearch={(text) => setAddress(text)} />
      {first !== undefined && first.problems.length > 0 && (
        <Notice {...problemsTold(first.problems)}>
          <ul>
            {first.problems.map(({ token, sentence }) => (
              <li key={token}>
                <code>{token}</code> — {sentence}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <div className={list.toolbar}>
        <div className={list.counts}>
          <span className={styles.count}>
            {log.data !== undefined &&
              !isAlone &&
              (by === '' ? words.count : words.countRequests)(rows.length, last?.next !== null)}
          </span>
          <Checkbox isSelected={by !== ''} onChange={(on) => setBy(on ? 'request' : '')}>
            {words.byRequest}
          </Checkbox>
        </div>
        <div className={list.tools}>
          {!isAlone && (
            <ActionMenu
              label={words.export}
              actions={[
                { id: 'csv', label: words.csv, run: () => exportAs('csv') },
                { id: 'jsonl', label: words.jsonl, run: () => exportAs('jsonl') },
              ]}
            />
          )}
          {maySend && !isAlone && (
            <ActionMenu
              label={bulkWords.menu}
              name={bulkWords.menuName(q !== '')}
              actions={[
                { id: 'resend', label: bulkWords.resend, run: () => setBulk('resend') },
                { id: 'cancel', label: bulkWords.cancel, run: () => setBulk('cancel') },
              ]}
            />
          )}
          <SavedViews list="message" q={q} onChoose={(text) => setAddress(text)} />
          <Button onPress={() => setChoosing(true)}>{words.columns}</Button>
          <ApiRequest path="/api/v1/messages?limit=50" />
        </div>
      </div>
      <FormFault error={exportFault} />
      <RefusedList of={refused} onShow={() => setAddress(`${q} status:refused`)} />
      <div className={styles.listed}>
        <div role="status" className={styles.pill}>
          {live.fresh > 0 && (
            <Button look="primary" onPress={live.show}>
              {words.fresh(live.fresh)}
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
                    caption={words.caption}
                    columns={panel.fitting(allColumns.filter(({ id }) => layout.shown.includes(id)))}
                    rows={rows}
                    keyOf={({ messageId }) => messageId}
                    compact={layout.compact}
                    current={panel.open || panel.returnedTo(rows)}
                    onOpen={panel.show}
                  />
                )}
                {last !== undefined && last.searchedTo !== null && (
                  <p className={styles.muted}>{words.searchedTo(clock.format(new Date(last.searchedTo)))}</p>
                )}
                {log.hasNextPage && (
                  <Row>
                    <Button isPending={log.isFetchingNextPage} onPress={() => void log.fetchNextPage()}>
                      {last?.searchedTo == null ? words.older : words.lookOn}
                    </Button>
                  </Row>
                )}
              </div>
              {panel.open !== '' && (
                <MessagePanel messageId={panel.open} takesFocus={panel.byHand} onClose={panel.close} />
              )}
            </div>
          )}
        </Shown>
      </div>
      <Kept />
      {bulk !== null && <BulkDialog q={q} action={bulk} onClose={() => setBulk(null)} />}
      <Dialog title={words.columnsTitle} open={choosing} onClose={() => setChoosing(false)}>
        <div className={styles.choices}>
          {allColumns.map(({ id, title }) => (
            <Checkbox key={id} isSelected={layout.shown.includes(id)} onChange={(on) => layout.choose(id, on)}>
              {title}
            </Checkbox>
          ))}
          <Checkbox isSelected={layout.compact} onChange={layout.setCompact}>
            {words.density}
          </Checkbox>
        </div>
        <DialogActions>
          <Button look="primary" onPress={() => setChoosing(false)}>
            {words.close}
          </Button>
        </DialogActions>
      </Dialog>
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

/** Words not understood are left out of the search; an unknown key finds nothing. */
function problemsTold(problems: ListPage['problems']) {
  const isNoKey = problems.some(({ token }) => token.startsWith('key:'));
  return isNoKey ? ({ tone: 'bad', title: words.noKey } as const) : ({ tone: 'warn', title: words.problems } as const);
}

/** Drops the older pages of a list that is left: on return each would be refetched. */
function useFirstPageKept(q: string, by: string): void {
  const client = useQueryClient();
  useEffect(
    () => () => {
      client.setQueryData<InfiniteData<ListPage>>(logKey({ q, by }), firstPageOf);
    },
    [client, q, by],
  );
}

/** The columns that stay while a panel is open. */
const besidePanel = ['time', 'to', 'text', 'status'];
/** The columns that stay on a tablet. */
const onTablet = ['time', 'from', 'to', 'text', 'status'];

/** The message shown beside the list, from the address; without space for both its page is opened. */
function usePanel() {
  const [asked, setAsked] = useUrlText('open');
  const isNarrow = useNarrow('(max-width: 1279px)');
  const isTight = useNarrow('(max-width: 1679px)');
  // Between a telephone and a desktop there is space for these as a table.
  const isTablet = useNarrow('(min-width: 601px) and (max-width: 900px)');
  const navigate = useNavigate();
  const list = useRef<HTMLDivElement>(null);
  const keepPlace = usePlaceKept();
  const linkTo = (path: string) =>
    list.current?.querySelector<HTMLElement>(`tbody a[href$="${CSS.escape(path)}"]`) ?? null;
  const linkOf = (messageId: string) => linkTo(`/messages/${messageId}`);
  const [byHand, setByHand] = useState(false);
  const open = isNarrow ? '' : asked;
  const cameFrom = useCameFrom(/^\/(?:messages|requests)\/[^/]+$/, (path) => (open === '' ? linkTo(path) : null));
  // Only where the address was opened: a window that is made narrow hides the panel, and has it back when it is wide.
  // biome-ignore lint/correctness/useExhaustiveDependencies: said above.
  useEffect(() => {
    if (!isNarrow || asked === '') return;
    void navigate({ to: '/messages/$messageId', params: { messageId: asked }, replace: true });
  }, []);
  return {
    open,
    byHand,
    list,
    /** The row whose page was just left, until a message is opened beside the list. */
    returnedTo: (rows: readonly ListedRow[]): string | undefined =>
      byHand ? undefined : rows.find((row) => cameFrom === pathOf(row))?.messageId,
    /** Columns for which there is space; all of them where none would be left. */
    fitting: (columns: typeof allColumns): typeof allColumns => {
      const stay = isTablet ? onTablet : open === '' || !isTight ? [] : besidePanel;
      const few = columns.filter(({ id }) => stay.includes(id));
      if (few.length === 0) return columns;
      return columns.some(({ id }) => id === 'reason') ? withReasonBelow(few) : few;
    },
    show: ({ messageId, requestId, ...group }: ListedRow): void => {
      if (isGroup(group)) return void navigate({ to: '/requests/$requestId', params: { requestId } });
      setByHand(true);
      if (isNarrow) void navigate({ to: '/messages/$messageId', params: { messageId } });
      else if (messageId !== asked) {
        keepPlace(() => linkOf(messageId));
        setAsked(messageId);
      }
    },
    close: (): void => {
      keepPlace(() => linkOf(open));
      setAsked('');
      linkOf(open)?.focus({ preventScroll: true });
    },
  };
}

function pathOf({ messageId, requestId, ...group }: ListedRow): string {
  return isGroup(group) ? `/requests/${requestId}` : `/messages/${messageId}`;
}

/** Why texts are hidden, and how long messages are kept; shown to people who may see it. */
function Kept() {
  const { data } = useCompany();
  const readsTexts = useMay('readBody');
  return (
    <>
      {!readsTexts && <p className={styles.muted}>{messageWords.textsHidden}</p>}
      {data !== undefined && <p className={styles.muted}>{words.kept(data.bodyDays, data.metadataDays)}</p>}
    </>
  );
}

function Nothing({ searched }: { searched: boolean }) {
  const maySend = useMay('send');
  const { environment, environments } = useMe();
  return searched ? (
    <Empty title={words.none}>{words.noneHow}</Empty>
  ) : (
    <Empty title={words.empty} action={maySend && <LinkButton to="/messages/new">{frameWords.newMessage}</LinkButton>}>
      {environments.length > 1 && words.emptyIn(environment)} {words.emptyHow}
    </Empty>
  );
}
