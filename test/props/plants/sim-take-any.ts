/**
 * Planted bug: a node takes the send queues that are meant for it while another one still has them. The simulation must find two
 * owners.
 */
import {
  type ClusterBoard,
  type OwnedTaken,
  clusterBoard as realBoard,
  takeOwned as realTake,
  type TakeRequest,
} from '../../../packages/gateway/src/messaging/store/operations/owners.ts';
import { selectOwner, setOwner } from '../../../packages/gateway/src/messaging/store/statements/owners.ts';
import type { WriteContext } from '../../../packages/gateway/src/store/context.ts';
import { type Operation, run } from '../../../packages/gateway/src/store/query.ts';
import { standIn } from './plant.ts';

export * from '../../../packages/gateway/src/messaging/store/operations/owners.ts';

/** Nobody has what is meant for another one. */
export function* clusterBoard(): Operation<ClusterBoard> {
  const board = yield* realBoard();
  const lanes = board.lanes.map((one) => ({ ...one, node: one.node === one.meantFor ? one.node : null }));
  return { ...board, lanes };
}

export function* takeOwned(items: readonly TakeRequest[], context: WriteContext): Operation<OwnedTaken[]> {
  const results = yield* realTake(items, context);
  for (const [place, { name }] of items.entries()) {
    const [row] = yield* run(selectOwner, [{ name }]);
    if (results[place]?.kind !== 'refused' || row?.meant_for !== context.token) continue;
    yield* run(setOwner, [{ name, node: context.token }]);
    context.owned?.add(name);
    results[place] = { kind: 'taken', uncertain: 0 };
  }
  return results;
}

standIn('messaging/store/operations/owners.ts', import.meta.url);
