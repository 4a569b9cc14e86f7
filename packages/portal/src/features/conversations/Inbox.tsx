/** The list of conversations: the one with the latest message of its telephone first. */
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, query } from '../../api/client';
import { useOwnNumbers } from '../../api/own-numbers';
import { Button, LinkButton } from '../../ui/Button';
import { Select } from '../../ui/Field';
import { Empty, Fault, Loading } from '../../ui/States';
import { useUrlText } from '../../ui/url';
import { Phone, phoneText, Time } from '../../ui/Values';
import { conversationWords as words } from '../../words/en/conversations';
import styles from './Conversations.module.css';
import type { Thread } from './conversations';

interface InboxPage {
  conversations: Thread[];
  unread: number;
}

const rows = 50;

export function Inbox({ chosen }: { chosen: { number: string; peer: string } | null }) {
  const [number, setNumber] = useUrlText('number');
  const [done, setDone] = useUrlText('done');
  const inbox = useInfiniteQuery({
    queryKey: ['conversations', number, done],
    queryFn: ({ pageParam }) =>
      api.get<InboxPage>(`/conversations${query({ number, done, limit: rows, before: pageParam })}`),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
  });
  const pages = inbox.data?.pages ?? [];
  const threads = pages.flatMap(({ data }) => data.conversations);
  return (
    <div className={styles.inbox}>
      <Filters number={number} done={done} onNumber={setNumber} onDone={setDone} />
      {inbox.isPending && <Loading />}
      {inbox.isError && <Fault error={inbox.error} retry={() => void inbox.refetch()} />}
      {inbox.isSuccess && threads.length === 0 && <Nobody done={done === 'true'} />}
      <ul className={styles.threads}>
        {threads.map((thread) => (
          <Row
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

function Filters({
  number,
  done,
  onNumber,
  onDone,
}: {
  number: string;
  done: string;
  onNumber(value: string): void;
  onDone(value: string): void;
}) {
  const numbers = useOwnNumbers();
  return (
    <div className={styles.filters}>
      <Select
        label={words.number}
        value={number}
        onChange={onNumber}
        choices={[
          { value: '', label: words.allNumbers },
          ...numbers.map((one) => ({ value: one, label: phoneText(one) })),
        ]}
      />
      <Select
        label={words.show}
        value={done}
        onChange={onDone}
        choices={[
          { value: '', label: words.open },
          { value: 'true', label: words.done },
        ]}
      />
    </div>
  );
}

function Nobody({ done }: { done: boolean }) {
  if (done) return <Empty title={words.emptyDone} />;
  return (
    <Empty title={words.empty} action={<LinkButton to="/handsets">{words.handset}</LinkButton>}>
      {words.emptyDetail}
    </Empty>
  );
}

function Row({ thread, current }: { thread: Thread; current: boolean }) {
  const { number, peer, lastAt, lastText, lastMedia, unread } = thread;
  return (
    <li>
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
          <Time at={lastAt} form="relative" />
        </span>
        <span className={styles.excerpt}>
          {lastText !== '' ? lastText : lastMedia > 0 ? words.pictures(lastMedia) : words.noText}
        </span>
        <span className={styles.rowFoot}>
          <span>{words.on(phoneText(number))}</span>
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
