/** The list of conversations, ordered by the latest message of the telephone. */
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '../../api/client';
import { useOwnNumbers } from '../../api/own-numbers';
import type { ConversationThread } from '../../api/routes/conversations';
import { useMe } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { Button, LinkButton } from '../../ui/Button';
import { Select, TextField } from '../../ui/Field';
import { Icon } from '../../ui/icons';
import { Row } from '../../ui/Page';
import { FilterViews } from '../../ui/SavedViews';
import { Empty, Shown } from '../../ui/States';
import { useUrlText } from '../../ui/url';
import { Phone, phoneText, Time } from '../../ui/Values';
import { usePeople } from '../settings/people';
import styles from './Conversations.module.css';
import { lastSaid } from './conversations';

const words = labelsOf('conversation');

const rows = 50;
/** The longest number. */
const digitsMax = 15;
const wakeMs = 60_000;

export function Inbox({ chosen }: { chosen: { number: string; peer: string } | null }) {
  const [number, setNumber] = useUrlText('number');
  const [state, setState] = useUrlText('state');
  const [assigned, setAssigned] = useUrlText('assigned');
  const [search, setSearch] = useUrlText('q');
  const peer = search.replaceAll(/\D/g, '').slice(0, digitsMax);
  const inbox = useInfiniteQuery({
    queryKey: ['conversations', number, state, assigned, peer],
    queryFn: ({ pageParam }) =>
      api.get('/conversations', { query: { number, peer, state, assigned, limit: rows, before: pageParam } }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
    // A snoozed conversation returns at its time, without an event.
    refetchInterval: wakeMs,
  });
  const pages = inbox.data?.pages ?? [];
  const threads = pages.flatMap(({ data }) => data.conversations);
  return (
    <div className={styles.inbox}>
      <TextField
        label={words.search}
        type="search"
        inputMode="tel"
        value={search}
        onChange={setSearch}
        help={search !== '' && peer === '' ? words.searchDigits : undefined}
      />
      <Filters
        number={number}
        state={state}
        assigned={assigned}
        setNumber={setNumber}
        setState={setState}
        setAssigned={setAssigned}
      />
      <Row>
        <FilterViews
          list="conversation"
          fields={{ number: words.number, state: words.show, assigned: words.who, q: words.search }}
        />
      </Row>
      <Shown of={inbox}>
        {() =>
          threads.length === 0 && (
            <Nobody
              state={state}
              filtered={number !== '' || assigned !== '' || peer !== ''}
              onAll={() => setState('', { number: '', assigned: '', q: '' })}
            />
          )
        }
      </Shown>
      <ul className={styles.threads}>
        {threads.map((thread) => (
          <ThreadRow
            key={`${thread.number} ${thread.peer}`}
            thread={thread}
            current={thread.number === chosen?.number && thread.peer === chosen.peer}
          />
        ))}
      </ul>
      {inbox.hasNextPage && (
        <Button isPending={inbox.isFetchingNextPage} onPress={() => void inbox.fetchNextPage()}>
          {words.older}
        </Button>
      )}
    </div>
  );
}

interface Filter {
  number: string;
  state: string;
  assigned: string;
  setNumber(value: string): void;
  setState(value: string): void;
  setAssigned(value: string): void;
}

function Filters({ number, state, assigned, setNumber, setState, setAssigned }: Filter) {
  const numbers = useOwnNumbers();
  const people = usePeople();
  const { userId } = useMe().user;
  return (
    <div className={styles.filters}>
      <Select
        label={words.number}
        value={number}
        onChange={setNumber}
        choices={[
          { value: '', label: words.allNumbers },
          ...numbers.map((one) => ({ value: one, label: phoneText(one) })),
        ]}
      />
      <Select
        label={words.show}
        value={state}
        onChange={setState}
        choices={[
          { value: '', label: words.open },
          { value: 'snoozed', label: words.snoozed },
          { value: 'done', label: words.done },
        ]}
      />
      <Select
        label={words.who}
        value={assigned}
        onChange={setAssigned}
        choices={[
          { value: '', label: words.anybody },
          { value: 'me', label: words.me },
          { value: 'nobody', label: words.nobody },
          ...(people.data ?? [])
            .filter((one) => one.userId !== userId)
            .map((one) => ({ value: one.userId, label: one.name })),
        ]}
      />
    </div>
  );
}

function Nobody({ state, filtered, onAll }: { state: string; filtered: boolean; onAll(): void }) {
  const { environment } = useMe();
  if (filtered) return <Empty title={words.emptyFilter} action={<Button onPress={onAll}>{words.showAll}</Button>} />;
  if (state !== '') return <Empty title={state === 'done' ? words.emptyDone : words.emptySnoozed} />;
  if (environment === 'live') return <Empty title={words.empty} />;
  return (
    <Empty title={words.empty} action={<LinkButton to="/handsets">{words.handset}</LinkButton>}>
      {words.emptyDetail}
    </Empty>
  );
}

function ThreadRow({ thread, current }: { thread: ConversationThread; current: boolean }) {
  const { number, peer, unread, assignedTo, snoozedUntil } = thread;
  const said = lastSaid(thread);
  const waits = snoozedUntil !== null && Date.parse(snoozedUntil) > Date.now();
  return (
    <li data-row>
      <Link
        to="/conversations/$number/$peer"
        params={{ number, peer }}
        search={true}
        className={styles.row}
        aria-current={current ? 'page' : undefined}
      >
        <span className={styles.rowHead}>
          <strong>
            <Phone digits={peer} />
          </strong>
          <Time at={said.at} form="relative" />
        </span>
        <span className={styles.excerpt}>
          {said.own && <span className={styles.you}>{words.you} </span>}
          {said.text !== '' ? said.text : said.media > 0 ? words.pictures(said.media) : words.noText}
        </span>
        {waits && (
          <span className={styles.waits}>
            {words.snoozedUntil} <Time at={snoozedUntil} />
          </span>
        )}
        <span className={styles.rowFoot}>
          <span>{words.on(phoneText(number))}</span>
          {assignedTo !== null && (
            <span className={styles.assigned}>
              <Icon name="person" />
              <span className="visually-hidden">{words.who} </span>
              {assignedTo.name}
            </span>
          )}
          {unread > 0 && (
            <span className={styles.unread}>
              <span aria-hidden="true">{unread}</span>
              <span className="visually-hidden">{words.unread(unread)}</span>
            </span>
          )}
        </span>
      </Link>
    </li>
  );
}
