/** Planted bug: what a node lends of a limit is not noted. The simulation must find a campaign over its limit. */
import {
  type LendGrant,
  type LendRequest,
  lendPace as realLend,
} from '../../../packages/gateway/src/messaging/store/operations/pace-shares.ts';
import type { WriteContext } from '../../../packages/gateway/src/store/context.ts';
import type { Operation } from '../../../packages/gateway/src/store/query.ts';
import { standIn } from './plant.ts';

export * from '../../../packages/gateway/src/messaging/store/operations/pace-shares.ts';

export function* lendPace(items: readonly LendRequest[], context: WriteContext): Operation<LendGrant[]> {
  const grants = yield* realLend(items, context);
  return grants.map((grant, place) =>
    grant.kind === 'none' ? { ...grant, kind: 'given', given: items[place]!.wanted, waitMs: 0 } : grant,
  );
}

standIn('messaging/store/operations/pace-shares.ts', import.meta.url);
