/** Recent and waiting messages per number. Read-only. */
import { firstIdAt } from '../../../kernel/ids.ts';
import type { DeliveryState } from '../../../model/lifecycle.ts';
import { type Operation, run } from '../../../store/query.ts';
import { selectQueuedFrom, selectTraffic } from './statements.ts';

/** Sent messages of an account by number and state; of the newest `look` accepted since a time. */
export function* numberTraffic(request: {
  accountId: string;
  since: number;
  look: number;
}): Operation<{ number: string; state: DeliveryState; count: number }[]> {
  const after = firstIdAt('msg_', request.since);
  const rows = yield* run(selectTraffic, [{ account_id: request.accountId, after, limit: request.look }]);
  return rows.map(({ number, state, found }) => ({ number, state, count: found }));
}

/** Messages of a number that wait in the queue, among `look` of its account. */
export function* queuedFrom(request: { accountId: string; number: string; look: number }): Operation<number> {
  const { accountId, number, look } = request;
  const [row] = yield* run(selectQueuedFrom, [{ account_id: accountId, sender: number, limit: look }]);
  return row!.found;
}
