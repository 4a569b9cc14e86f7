/**
 * Planted bug: what a dead node had with a carrier is queued again as if it had never left. The simulation must find copies
 * without dupRisk.
 */
import type { LaneId } from '../../../packages/gateway/src/kernel/ids.ts';
import { makeMoves } from '../../../packages/gateway/src/messaging/store/operations/move.ts';
import type { RecoverRequest } from '../../../packages/gateway/src/messaging/store/operations/sweep.ts';
import { selectAbandoned } from '../../../packages/gateway/src/messaging/store/statements/queue.ts';
import type { Transition } from '../../../packages/gateway/src/messaging/store/transition.ts';
import type { WriteContext } from '../../../packages/gateway/src/store/context.ts';
import { type Operation, run } from '../../../packages/gateway/src/store/query.ts';
import { standIn } from './plant.ts';

export * from '../../../packages/gateway/src/messaging/store/operations/sweep.ts';

export function* recoverLane(
  lane: LaneId,
  { token, now, limit }: RecoverRequest,
  context: WriteContext,
): Operation<Transition[]> {
  const rows = yield* run(selectAbandoned, [{ lane, token, limit }]);
  return yield* makeMoves(
    rows.map((row) => ({ row, change: { to: 'queued', at: now, dueAt: now } })),
    context,
  );
}

/** So that it is done when the send queue is taken. */
export function* recover(items: readonly RecoverRequest[]): Operation<Transition[][]> {
  yield* run(selectAbandoned, []);
  return items.map(() => []);
}

standIn('messaging/store/operations/sweep.ts', import.meta.url);
