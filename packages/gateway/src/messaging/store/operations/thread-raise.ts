/** Moves a conversation to the top when its handset writes. */
import type { EpochMs } from '../../../kernel/clock.ts';
import { type Operation, run } from '../../../store/query.ts';
import { raiseThreads as raise } from '../statements/threads.ts';
import type { Thread } from '../thread-items.ts';

/** What it takes of a received message. */
interface FromHandset {
  messageId: string;
  accountId: string;
  from: string;
  to: string;
  receivedAt: EpochMs;
}

type Raised = Pick<Thread, 'own' | 'peer' | 'lastMessageId' | 'lastAt' | 'unread'> & { accountId: string };

export function* raiseThreads(messages: readonly FromHandset[]): Operation<void> {
  const raised = new Map<string, Raised>();
  for (const { accountId, to: own, from: peer, messageId, receivedAt } of messages) {
    const key = `${accountId} ${own} ${peer}`;
    const before = raised.get(key);
    const lastMessageId = before !== undefined && before.lastMessageId > messageId ? before.lastMessageId : messageId;
    raised.set(key, { accountId, own, peer, lastMessageId, lastAt: receivedAt, unread: (before?.unread ?? 0) + 1 });
  }
  yield* run(raise, [...raised.values()].map(asRow));
}

function asRow(raised: Raised) {
  return {
    account_id: raised.accountId,
    own: raised.own,
    peer: raised.peer,
    last_message_id: raised.lastMessageId,
    last_at: raised.lastAt,
    unread: raised.unread,
  };
}
