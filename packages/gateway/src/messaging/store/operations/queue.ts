/** Waiting deliveries: reads for routing, timers and people; release, cancel and reroute. */
import type { EpochMs } from '../../../kernel/clock.ts';
import type { LaneId, MessageId } from '../../../kernel/ids.ts';
import type { Decision } from '../../../model/delivery.ts';
import { mayMove } from '../../../model/lifecycle.ts';
import type { WriteContext } from '../../../store/context.ts';
import { type Operation, run } from '../../../store/query.ts';
import type { ClaimRequest, QueueCounts, QueuedRow, QueuePlace, WorkingLanes } from '../items.ts';
import { type DeliveryRow, selectDeliveries } from '../statements/deliveries.ts';
import { restartMediaJobs, selectMediaJobOf } from '../statements/media-jobs.ts';
import { selectLanes, selectNextDue, selectQueueCounts, selectQueued, updateLanes } from '../statements/queue.ts';
import { type Claimed, lowerHead } from './claim.ts';
import { type Change, makeMoves } from './move.ts';

export function* decide(items: readonly Decision[], context: WriteContext): Operation<boolean[]> {
  const decided: boolean[] = [];
  for (const item of items) decided.push(yield* decideOne(item, context));
  return decided;
}

function* decideOne({ accountId, messageId, to, by, now }: Decision, context: WriteContext): Operation<boolean> {
  const [row] = yield* run(selectDeliveries, [{ message_id: messageId }]);
  if (!row || row.account_id !== accountId || !['held', 'queued'].includes(row.state)) return false;
  if (!mayMove(row.state, to)) return false;
  const change = decisionChange(row, { to, by, now });
  if (to === 'queued') {
    const jobs = yield* run(selectMediaJobOf, [{ message_id: messageId }]);
    // Its media make it due, as for a message that was never held.
    if (jobs.length > 0) change.dueAt = row.expires_at;
    yield* run(
      restartMediaJobs,
      jobs.map(({ request_id }) => ({ request_id, now })),
    );
  }
  yield* makeMoves([{ row, change }], context);
  return true;
}

/** When the oldest delivery that waits in the lane is due, or was; null when none waits. */
export function* oldestQueued(lane: LaneId): Operation<EpochMs | null> {
  const [oldest] = yield* run(selectNextDue.queued, [{ lane, now: 0 }]);
  return oldest?.due_at ?? null;
}

/** The claims when none of the lanes has anything due, by the caller's clock; else null. */
export function* noneDue(requests: readonly ClaimRequest[]): Operation<Claimed[] | null> {
  for (const { lane, now } of requests) {
    const oldest = yield* oldestQueued(lane);
    if (oldest !== null && oldest <= now) return null;
  }
  return requests.map(() => ({ requests: [], deliveries: [] }));
}

/** A held message may have been sent already: another send is marked. */
function decisionChange(row: DeliveryRow, { to, by, now }: Pick<Decision, 'to' | 'by' | 'now'>): Change {
  const byWhom = by === 'api' ? 'by an API call' : 'by a person';
  return to === 'queued'
    ? { to, at: now, dueAt: Math.min(now, row.expires_at), dupRisk: true, detail: `released ${byWhom}` }
    : { to, at: now, code: 'CANCELED', detail: `canceled ${byWhom}` };
}

interface LaneMove {
  messageId: MessageId;
  lane: LaneId;
  now: number;
}

/** For each move, whether the message was still queued and is now in the other lane. */
export function* relane(items: readonly LaneMove[], context: WriteContext): Operation<boolean[]> {
  const latest = new Map(items.map((item) => [item.messageId, item]));
  const moved = yield* run(
    updateLanes,
    [...latest.values()].map((item) => ({ message_id: item.messageId, lane: item.lane, at: item.now })),
  );
  for (const { message_id, due_at } of moved) lowerHead(context, latest.get(message_id as MessageId)!.lane, due_at);
  const ids = new Set(moved.map((row) => row.message_id));
  return items.map((item) => latest.get(item.messageId) === item && ids.has(item.messageId));
}

/** Oldest due first; with `after`, those behind that place. */
export function* queued(lane: LaneId, limit: number, after?: QueuePlace): Operation<QueuedRow[]> {
  const { dueAt = -1, messageId = '' } = after ?? {};
  const rows = yield* run(selectQueued, [{ lane, due_at: dueAt, message_id: messageId, limit }]);
  return rows.map((row) => ({
    messageId: row.message_id,
    dueAt: row.due_at,
    from: row.sender,
    to: row.recipient,
    messageType: row.message_type,
    accountId: row.account_id,
    begun: row.begun === 1,
  }));
}

export function* queueCounts(): Operation<QueueCounts[]> {
  const rows = yield* run(selectQueueCounts, [{}]);
  return rows.map((row) => ({ lane: row.lane, queued: row.queued, oldestDueAt: row.oldest_due_at }));
}

/** Lanes with waiting deliveries. */
export function* queuedLanes(): Operation<LaneId[]> {
  return yield* lanesOf('queued');
}

/** The same for each state that has deadlines. */
export function* workingLanes(): Operation<WorkingLanes> {
  return { queued: yield* queuedLanes(), uncertain: yield* lanesOf('uncertain'), sent: yield* lanesOf('sent') };
}

function* lanesOf(state: 'queued' | 'uncertain' | 'sent'): Operation<LaneId[]> {
  return (yield* run(selectLanes[state], [{}])).map(({ lane }) => lane);
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
