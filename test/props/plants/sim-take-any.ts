/**
 * Planted bug: a node takes the send queues that are meant for it while another one still has them. The simulation must find two
 * owners.
 */
import {
  type ClusterBoard,
  type LaneTaken,
  clusterBoard as realBoard,
  takeLane as realTake,
  type TakeLaneRequest,
} from '../../../packages/gateway/src/messaging/store/operations/lane-owners.ts';
import { selectOwner, setOwner } from '../../../packages/gateway/src/messaging/store/statements/lane-owners.ts';
import type { WriteContext } from '../../../packages/gateway/src/store/context.ts';
import { type Operation, run } from '../../../packages/gateway/src/store/query.ts';
import { standIn } from './plant.ts';

export * from '../../../packages/gateway/src/messaging/store/operations/lane-owners.ts';

/** Nobody has what is meant for another one. */
export function* clusterBoard(): Operation<ClusterBoard> {
  const board = yield* realBoard();
  const lanes = board.lanes.map((one) => ({ ...one, node: one.node === one.meantFor ? one.node : null }));
  return { ...board, lanes };
}

export function* takeLane(items: readonly TakeLaneRequest[], context: WriteContext): Operation<LaneTaken[]> {
  const results = yield* realTake(items, context);
  for (const [place, { lane }] of items.entries()) {
    const [row] = yield* run(selectOwner, [{ lane }]);
    if (results[place]?.kind !== 'refused' || row?.meant_for !== context.token) continue;
    yield* run(setOwner, [{ lane, node: context.token }]);
    context.lanes?.add(lane);
    results[place] = { kind: 'taken', uncertain: 0 };
  }
  return results;
}

standIn('messaging/store/operations/lane-owners.ts', import.meta.url);
