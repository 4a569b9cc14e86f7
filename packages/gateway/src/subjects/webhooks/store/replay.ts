/**
 * Replays a period's deliveries in steps, each its own transaction, so nothing holds the store for long. No delivery
 * is replayed twice in a call.
 */
import type { ReplayWebhooksRequest } from '../../../messaging/store/items.ts';
import type { Operation } from '../../../store/query.ts';
import type { Replay } from './operations.ts';
import type { replayable } from './views.ts';

const replayedMax = 10_000;
/** Deliveries put back in one transaction. */
const stepRows = 500;

type Found = ReturnType<typeof replayable> extends Operation<infer R> ? R : never;

export interface ReplaySteps {
  look(question: Parameters<typeof replayable>[0]): Promise<Found>;
  write(items: Replay[]): Promise<boolean[]>;
}

export async function replay(
  { accountId, endpointId, which, now, countOnly = false }: ReplayWebhooksRequest,
  steps: ReplaySteps,
): Promise<{ replayed: number; position: number }> {
  const write = async (positions: number[]) => {
    if (countOnly) return positions.length;
    const done = await steps.write(positions.map((position) => ({ accountId, endpointId, position, now })));
    return done.filter((one) => one).length;
  };
  if ('position' in which) return { replayed: await write([which.position]), position: which.position };

  let replayed = 0;
  const { since, until, failedOnly = false } = which;
  let { after } = which;
  for (let more = true; more && replayed < replayedMax; ) {
    const found = await steps.look({ accountId, endpointId, since, until, after, failedOnly });
    const positions = found.positions.slice(0, replayedMax - replayed);
    for (let first = 0; first < positions.length; first += stepRows) {
      replayed += await write(positions.slice(first, first + stepRows));
    }
    after = positions.length < found.positions.length ? positions.at(-1)! : found.position;
    more = found.more;
  }
  return { replayed, position: after };
}
