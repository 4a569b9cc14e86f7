/** One conversation: its messages with their outcomes, and the reply box, or why it is closed. */
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useStanding } from '../../api/away';
import { ApiError, api } from '../../api/client';
import type { ThreadMessage, ThreadPage } from '../../api/routes/conversations';
import { useMay } from '../../api/session';
import { singleKeysOn } from '../../frame/keyboard';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Chat, type ChatMessage, ReplyBox } from '../../ui/Chat';
import { Empty, Fault, FormFault, Loading, Notice } from '../../ui/States';
import { Badge, StatusBadge } from '../../ui/Status';
import { Phone, phoneText, ReasonLink, Time } from '../../ui/Values';
import { RecordTabs } from '../audit/RecordTabs';
import { meaningOf } from '../reasons/reasons';
import { Care, type Mark } from './Care';
import styles from './Conversations.module.css';
import { mediumOf, refusedBecause, type SendAnswer } from './conversations';

const messageWords = labelsOf('message');
const words = labelsOf('conversation');

const rows = 50;

export function ThreadPanel({ number, peer }: { number: string; peer: string }) {
  const client = useQueryClient();
  const at = { number, peer };
  const thread = useInfiniteQuery({
    queryKey: ['conversation', number, peer],
    queryFn: ({ pageParam }) =>
      api.get('/conversations/:number/:peer', { ...at, query: { limit: rows, before: pageParam } }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
  });
  const now = thread.data?.pages[0]?.data;
  const newest = now?.messages.find(({ direction }) => direction === 'inbound');
  const refresh = () =>
    Promise.all([
      client.invalidateQueries({ queryKey: ['conversation', number, peer] }),
      client.invalidateQueries({ queryKey: ['conversations'] }),
    ]);
  const mark = useMutation({
    mutationFn: (change: Mark) => api.post('/conversations/:number/:peer', change, at),
    onSuccess: refresh,
  });
  useStanding(thread.dataUpdatedAt);
  useRead(now?.unread ?? 0, newest, (readTo) => mark.mutate({ readTo }));
  const toggleDone = () => {
    if (now?.begun === true) mark.mutate({ done: !now.done });
  };
  useKeys({ e: toggleDone, r: focusReply });

  if (thread.isPending) return <Loading />;
  if (now === undefined) return <Fault error={thread.error} retry={() => void thread.refetch()} />;
  const messages = thread.data?.pages.flatMap(({ data }) => data.messages) ?? [];
  return (
    <section className={styles.thread} aria-label={words.thread}>
      <header className={styles.threadHead}>
        <h2>
          <Phone digits={peer} />
        </h2>
        <span>{words.on(phoneText(number))}</span>
        {now.begun && (
          <Button icon={now.done ? 'left' : 'check'} isPending={mark.isPending} onPress={toggleDone}>
            {now.done ? words.reopen : words.markDone}
          </Button>
        )}
      </header>
      <RecordTabs of={{ kind: 'conversation', id: now.auditTarget }} title={words.messages} note={words.activityNote}>
        {now.begun && <Care now={now} onMark={mark.mutate} />}
        <FormFault error={mark.error} />
        {thread.hasNextPage && (
          <div className={styles.older}>
            <Button look="quiet" isPending={thread.isFetchingNextPage} onPress={() => void thread.fetchNextPage()}>
              {words.olderMessages}
            </Button>
          </div>
        )}
        {messages.length === 0 ? (
          <Empty title={words.nothing} />
        ) : (
          <Chat label={words.thread} messages={messages.map(bubbleOf).reverse()} />
        )}
        <Answer number={number} peer={peer} now={now} onSent={refresh} />
      </RecordTabs>
    </section>
  );
}

function bubbleOf({
  messageId,
  direction,
  text,
  mediaUrls,
  media,
  data,
  state,
  code,
  acceptedAt,
  dupRisk,
}: ThreadMessage): ChatMessage {
  const own = direction === 'outbound';
  return {
    id: messageId,
    own,
    at: acceptedAt,
    media: mediaUrls.map((url, i) => mediumOf(url, i, media?.[i])),
    text: text === '' && data !== undefined ? words.binary : text,
    foot: (
      <>
        {own && <StatusBadge state={state} />}
        {dupRisk && <Badge tone="warn" icon="warning" word={own ? messageWords.dupRisk : words.maybeAgain} />}
        {own && code !== null && code !== 'DELIVERED' && <ReasonLink code={code} />}
        <Link to="/messages/$messageId" params={{ messageId }}>
          {words.open}
        </Link>
      </>
    ),
  };
}

function Answer({
  number,
  peer,
  now,
  onSent,
}: {
  number: string;
  peer: string;
  now: ThreadPage;
  onSent(): Promise<unknown>;
}) {
  const may = useMay('send');
  const mayLift = useMay('manageOptOuts');
  if (!may) return <Notice tone="info" title={words.mayNotSend} />;
  if (now.closed !== null) {
    const { reason, detail, since } = now.closed;
    return (
      <Notice tone="warn" title={words.closed}>
        <p>
          {meaningOf('recipient', reason, detail)} {since !== null && <Time at={since} />}
        </p>
        <ReasonLink code={reason} />{' '}
        {reason === 'OPTED_OUT' && (
          <Link to={`/opt-outs?contact=${peer}` as '/'}>{mayLift ? words.lift : words.optOut}</Link>
        )}
      </Notice>
    );
  }
  return (
    <ReplyBox
      label={words.reply}
      onSend={async (text, mediaUrls) => {
        const body = { from: number, to: [peer], text, ...(mediaUrls.length > 0 && { mediaUrls }) };
        const refused = refusedBecause((await api.post('/send', body)) as SendAnswer);
        await onSent();
        if (refused !== null) throw new ApiError(400, { reason: 'REFUSED', detail: words.refused(refused) }, null);
      }}
    />
  );
}

/** Messages count as read once they were on a visible screen. */
function useRead(unread: number, newest: ThreadMessage | undefined, read: (messageId: string) => void): void {
  const told = useRef('');
  const messageId = newest?.messageId ?? '';
  useEffect(() => {
    if (unread === 0 || messageId === '') return;
    const look = () => {
      if (document.visibilityState !== 'visible' || told.current === messageId) return;
      told.current = messageId;
      read(messageId);
    };
    look();
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  });
}

function focusReply(): void {
  document.querySelector<HTMLTextAreaElement>('[data-reply]')?.focus();
}

const typingPlace = 'input, textarea, [role]:not([role="tab"], [role="tabpanel"])';

/** Single keys of this page; never while somebody types, nor with a modifier. */
function useKeys(keys: Readonly<Record<string, () => void>>): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    function pressed(event: KeyboardEvent): void {
      if (event.ctrlKey || event.metaKey || event.altKey || !singleKeysOn()) return;
      const typing = event.target instanceof Element && event.target.closest(typingPlace);
      const act = latest.current[event.key];
      if (typing || act === undefined) return;
      event.preventDefault();
      act();
    }
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, []);
}
