/**
 * Keeps one answer per Idempotency-Key and account. A repeat gets the stored answer; a concurrent repeat waits for the
 * first; the same key with another body is refused. The store decides: the table here only makes concurrent repeats
 * wait.
 */
import type { Clock } from '../../kernel/clock.ts';
import type { AccountId, RequestId } from '../../kernel/ids.ts';
import { PassingMap } from '../../kernel/passing.ts';
import type { SendOutcome } from '../../model/send.ts';
import type { MessageStore } from '../store/modules/messages.ts';

export interface Idempotency {
  once(
    accountId: AccountId,
    idempotency: { key: string; bodyHash: string },
    first: () => Promise<SendOutcome>,
  ): Promise<SendOutcome>;
  conflict(firstRequestId: RequestId): SendOutcome;
}

export function createIdempotency(store: Pick<MessageStore, 'answerFor'>, clock: Clock): Idempotency {
  const working = new PassingMap<string, { bodyHash: string; done: Promise<SendOutcome> }>();

  const conflict = (firstRequestId: RequestId | null): SendOutcome => ({
    kind: 'rejected',
    reason: 'IDEMPOTENCY_KEY_REUSED',
    detail: `This Idempotency-Key was used ${
      firstRequestId === null ? 'just now' : `by request ${firstRequestId}`
    } with another body. Use a new key for a new message. Nothing was sent or billed.`,
  });

  const fromStore = async (
    accountId: AccountId,
    idempotency: { key: string; bodyHash: string },
    first: () => Promise<SendOutcome>,
  ): Promise<SendOutcome> => {
    const known = await store.answerFor(accountId, idempotency.key, clock.now());
    if (known === null) return await first();
    if (known.bodyHash !== idempotency.bodyHash) return conflict(known.requestId);
    return { kind: 'accepted', body: known.answer, replayed: true };
  };

  return {
    conflict,
    once: async (accountId, idempotency, first) => {
      const name = `${accountId}\n${idempotency.key}`;
      for (let earlier = working.get(name); earlier !== undefined; earlier = working.get(name)) {
        if (earlier.bodyHash !== idempotency.bodyHash) return conflict(null);
        const outcome = await earlier.done.catch(() => null);
        if (outcome?.kind === 'accepted') return { ...outcome, replayed: true };
        // The first request was refused or could not be stored, so nothing is on record: this twin is processed by
        // itself.
        if (working.get(name) === earlier) working.delete(name);
      }
      const done = fromStore(accountId, idempotency, first);
      working.set(name, { bodyHash: idempotency.bodyHash, done });
      try {
        return await done;
      } finally {
        if (working.get(name)?.done === done) working.delete(name);
      }
    },
  };
}
