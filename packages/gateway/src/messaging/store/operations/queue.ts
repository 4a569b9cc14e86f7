/** Reads of waiting deliveries: for routing, timers and people. */
import { type Operation, run } from '../../../store/query.ts';
import type { QueueCounts, QueuedRow } from '../items.ts';
import { selectLanes, selectNextDue, selectQueueCounts, selectQueued } from '../statements/queue.ts';

export function* queued(lane: string, limit: number): Operation<QueuedRow[]> {
  const rows = yield* run(selectQueued, [{ lane, limit }]);
  return rows.map((row) => ({
    messageId: row.message_id,
    from: row.sender,
    to: row.recipient,
    messageType: row.message_type,
    accountId: row.account_id,
  }));
}

export function* queueCounts(): Operation<QueueCounts[]> {
  const rows = yield* run(selectQueueCounts, [{}]);
  return rows.map((row) => ({ lane: row.lane, queued: row.queued, oldestDueAt: row.oldest_due_at }));
}

/** Lanes in which deliveries wait. */
export function* queuedLanes(): Operation<string[]> {
  return (yield* run(selectLanes.queued, [{}])).map(({ lane }) => lane);
}

export function* nextDueAt(now: number): Operation<number | null> {
  let earliest = Number.POSITIVE_INFINITY;
  for (const state of ['queued', 'uncertain'] as const) {
    for (const { lane } of yield* run(selectLanes[state], [{}])) {
      const [next] = yield* run(selectNextDue[state], [{ lane, now }]);
      earliest = Math.min(earliest, next?.due_at ?? earliest);
    }
  }
  return Number.isFinite(earliest) ? earliest : null;
}
