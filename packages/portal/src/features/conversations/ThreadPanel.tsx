/** One conversation: its messages with their outcomes, and the reply box, or why it is closed. */
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useReadTime } from '../../api/away';
import { api } from '../../api/client';
import type { ThreadMessage } from '../../api/routes/conversations';
import { singleKeysOn } from '../../frame/keyboard';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Chat, type ChatMessage } from '../../ui/Chat';
import { Empty, Fault, FormFault, Loading } from '../../ui/States';
import { Badge, StatusBadge } from '../../ui/Status';
import { ReasonLink } from '../../ui/Values';
import { Answer } from './Answer';
import type { Mark } from './Assignment';
import styles from './Conversations.module.css';
import { isFollowed, mediumOf } from './conversations';
import { ThreadHead } from './ThreadHead';

const messageLabels = labelsOf('message');
const labels = labelsOf('conversation');

const rows = 50;
const typingTarget = 'input, textarea, [role]:not([role="tab"], [role="tabpanel"])';
const overlay = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]';

export function ThreadPanel({ number, peer, onLeave }: { number: string; peer: string; onLeave(): void }) {
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
  useReadTime(thread.dataUpdatedAt);
  useRead(now?.unread ?? 0, newest, (readTo) => mark.mutate({ readTo }));
  const toggleDone = () => {
    if (now?.begun === true) mark.mutate({ done: !now.done });
  };
  useKeys({ e: toggleDone, r: focusReply, Escape: onLeave });

  if (thread.isPending) return <Loading />;
  if (now === undefined) return <Fault error={thread.error} retry={() => void thread.refetch()} />;
  const messages = (thread.data?.pages.flatMap(({ data }) => data.messages) ?? []).toReversed();
  return (
    <section className={styles.thread} aria-label={labels.thread}>
      <ThreadHead now={now} isPending={mark.isPending} onMark={mark.mutate} onToggleDone={toggleDone} />
      <FormFault error={mark.error} />
      {messages.length === 0 ? (
        <Empty title={labels.nothing} />
      ) : (
        <Chat
          fills
          label={labels.thread}
          messages={messages.map((one, index) => bubbleOf(one, messages[index + 1]))}
          before={
            thread.hasNextPage && (
              <Button look="quiet" isPending={thread.isFetchingNextPage} onPress={() => void thread.fetchNextPage()}>
                {labels.olderMessages}
              </Button>
            )
          }
        />
      )}
      <Answer now={now} onSent={refresh} />
    </section>
  );
}

function bubbleOf(message: ThreadMessage, next: ThreadMessage | undefined): ChatMessage {
  const { messageId, direction, text, mediaUrls, media, data, state, code, acceptedAt, dupRisk } = message;
  const own = direction === 'outbound';
  const hasReason = own && code !== null && code !== 'DELIVERED';
  return {
    id: messageId,
    own,
    at: acceptedAt,
    opens: `/messages/${messageId}`,
    isFollowed: !dupRisk && !hasReason && isFollowed(message, next),
    media: mediaUrls.map((url, i) => mediumOf(url, i, media?.[i])),
    text: text === '' && data !== undefined ? labels.binary : text,
    foot: (
      <>
        {own && <StatusBadge state={state} />}
        {dupRisk && <Badge tone="warn" icon="warning" word={own ? messageLabels.dupRisk : labels.maybeAgain} />}
        {hasReason && <ReasonLink code={code} />}
      </>
    ),
  };
}

/** Messages count as read once they were on a visible screen. */
function useRead(unread: number, newest: ThreadMessage | undefined, read: (messageId: string) => void): void {
  const reported = useRef('');
  const messageId = newest?.messageId ?? '';
  useEffect(() => {
    if (unread === 0 || messageId === '') return;
    const look = () => {
      if (document.visibilityState !== 'visible' || reported.current === messageId) return;
      reported.current = messageId;
      read(messageId);
    };
    look();
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  });
}

/**
 * Single keys of the page, and Esc; never while somebody types, nor with a modifier. Esc leaves the reply first, and works
 * whatever the profile says: it is no character.
 */
function useKeys(keys: Readonly<Record<string, () => void>>): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    function pressed(event: KeyboardEvent): void {
      const { key, target } = event;
      const act = latest.current[key];
      if (act === undefined || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (key !== 'Escape' && !singleKeysOn()) return;
      if (document.querySelector(overlay) !== null) return;
      if (key === 'Escape' && target instanceof HTMLTextAreaElement) {
        target.blur();
        return;
      }
      if (target instanceof Element && target.closest(typingTarget) !== null) return;
      event.preventDefault();
      act();
    }
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, []);
}

function focusReply(): void {
  document.querySelector<HTMLTextAreaElement>('[data-reply]')?.focus();
}
