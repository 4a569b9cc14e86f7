/** The list of conversations, ordered by the latest message of the telephone, with its search and its tabs. */
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { api } from '../../api/client';
import type { ConversationThread } from '../../api/routes/conversations';
import { useMe } from '../../api/session';
import { rowMoved } from '../../frame/keyboard';
import { labelsOf } from '../../language/labels';
import { Button, LinkButton } from '../../ui/Button';
import { Icon } from '../../ui/icons';
import { Empty, Shown } from '../../ui/States';
import { useUrlText } from '../../ui/url';
import { Phone, phoneText, Time } from '../../ui/Values';
import styles from './Conversations.module.css';
import { lastMessage, searchQuery } from './conversations';
import { FoundTexts } from './FoundTexts';
import { InboxHead, type TabName, useTab } from './InboxHead';

const labels = labelsOf('conversation');

const rows = 50;
const wakeMs = 60_000;

interface Chosen {
  number: string;
  peer: string;
}

export function Inbox({ chosen, follows }: { chosen: Chosen | null; follows: boolean }) {
  const [number] = useUrlText('number');
  const [search, setSearch] = useUrlText('q');
  const { tab, state, assigned, setTab } = useTab();
  const { peer, text: q } = searchQuery(search);
  const list = useFollowed(follows);
  const inbox = useInfiniteQuery({
    queryKey: ['conversations', number, state, assigned, peer, q],
    queryFn: ({ pageParam }) =>
      api.get('/conversations', { query: { number, peer, q, state, assigned, limit: rows, before: pageParam } }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
    // A snoozed conversation returns at its time, without an event.
    refetchInterval: wakeMs,
  });
  const found = inbox.data?.pages.flatMap(({ data }) => data.conversations) ?? [];
  // While another list loads, the shown placeholder belongs to the previous one.
  const listed = inbox.isPlaceholderData ? null : [number, state, assigned, peer, q].join(' ');
  const threads = useKept(found, chosen, listed);
  const owns = new Set(threads.map((one) => one.number));
  return (
    <div className={styles.inbox}>
      <InboxHead search={search} onSearch={setSearch} />
      <div ref={list} className={styles.list}>
        <Shown of={inbox}>
          {() =>
            threads.length === 0 &&
            q === '' && (
              <Nobody
                tab={tab}
                filtered={number !== '' || peer !== ''}
                onAll={() => setTab('open', { number: '', q: '' })}
              />
            )
          }
        </Shown>
        <ul className={styles.threads}>
          {threads.map((thread) => (
            <ThreadRow
              key={`${thread.number} ${thread.peer}`}
              thread={thread}
              withNumber={owns.size > 1}
              current={thread.number === chosen?.number && thread.peer === chosen.peer}
            />
          ))}
        </ul>
        {inbox.hasNextPage && (
          <Button look="quiet" isPending={inbox.isFetchingNextPage} onPress={() => void inbox.fetchNextPage()}>
            {labels.older}
          </Button>
        )}
        {q !== '' && <FoundTexts search={q} />}
      </div>
    </div>
  );
}

/**
 * The open conversation keeps its position until another one is opened, even if it was read, closed or snoozed
 * meanwhile.
 */
function useKept(found: readonly ConversationThread[], chosen: Chosen | null, list: string | null) {
  const kept = useRef<{ list: string; index: number; thread: ConversationThread } | null>(null);
  const isChosen = (one: ConversationThread) => one.number === chosen?.number && one.peer === chosen.peer;
  const index = found.findIndex(isChosen);
  if (index !== -1 && list !== null) kept.current = { list, index, thread: found[index]! };
  const { current } = kept;
  if (index !== -1 || current === null || current.list !== list || !isChosen(current.thread)) return found;
  return found.toSpliced(current.index, 0, { ...current.thread, unread: 0 });
}

/** Around the rows. With a conversation open beside them, moving to a row by key opens it. */
function useFollowed(follows: boolean) {
  const list = useRef<HTMLDivElement>(null);
  const navigate = useNavigate();
  useEffect(() => {
    if (!follows) return;
    const moved = ({ target }: Event): void => {
      const link = (target as Element).closest<HTMLAnchorElement>('[data-row] a');
      if (link === null || list.current?.contains(link) !== true) return;
      void navigate({ href: link.pathname + link.search, replace: true, resetScroll: false });
    };
    addEventListener(rowMoved, moved);
    return () => removeEventListener(rowMoved, moved);
  }, [follows, navigate]);
  return list;
}

function Nobody({ tab, filtered, onAll }: { tab: TabName; filtered: boolean; onAll(): void }) {
  const { environment } = useMe();
  if (filtered) return <Empty title={labels.emptyFilter} action={<Button onPress={onAll}>{labels.showAll}</Button>} />;
  if (tab !== 'open') return <Empty title={labels.emptyTab[tab]} />;
  if (environment === 'live') return <Empty title={labels.empty} />;
  return (
    <Empty title={labels.empty} action={<LinkButton to="/handsets">{labels.handset}</LinkButton>}>
      {labels.emptyDetail}
    </Empty>
  );
}

interface RowParts {
  thread: ConversationThread;
  /** Several own numbers are listed. */
  withNumber: boolean;
  current: boolean;
}

function ThreadRow({ thread, withNumber, current }: RowParts) {
  const { number, peer, name, unread, assignedTo, snoozedUntil } = thread;
  const last = lastMessage(thread);
  const waits = snoozedUntil !== null && Date.parse(snoozedUntil) > Date.now();
  return (
    <li data-row aria-current={current ? 'true' : undefined}>
      <Link
        to="/conversations/$number/$peer"
        params={{ number, peer }}
        search={true}
        resetScroll={false}
        className={`${styles.row} ${unread > 0 ? styles.isUnread : ''}`}
        aria-current={current ? 'page' : undefined}
      >
        <span className={styles.rowHead}>
          <span className={styles.name}>{name === '' ? <Phone digits={peer} /> : name}</span>
          <Time at={last.at} form="relative" />
        </span>
        <span className={styles.rowFoot}>
          <span className={styles.excerpt}>
            {last.own && <span className={styles.you}>{labels.you} </span>}
            {last.text !== '' ? last.text : last.media > 0 ? labels.pictures(last.media) : labels.noText}
          </span>
          {unread > 0 && (
            <span className={styles.unread}>
              <span aria-hidden="true">{unread}</span>
              <span className="visually-hidden">{labels.unread(unread)}</span>
            </span>
          )}
        </span>
        {(withNumber || waits || assignedTo !== null) && (
          <span className={styles.rowNote}>
            {withNumber && <span>{labels.on(phoneText(number))}</span>}
            {waits && (
              <span>
                {labels.snoozedUntil} <Time at={snoozedUntil} />
              </span>
            )}
            {assignedTo !== null && (
              <span className={styles.assigned}>
                <Icon name="person" />
                <span className="visually-hidden">{labels.assignedTo} </span>
                {assignedTo.name}
              </span>
            )}
          </span>
        )}
      </Link>
    </li>
  );
}
