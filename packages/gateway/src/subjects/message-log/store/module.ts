/** The message log, and figures over messages. */
import { type AccountId, firstIdAt } from '../../../kernel/ids.ts';
import type { MessageCountsQuery, MessageSearch } from '../../../messaging/store/message-log-items.ts';
import { refusedCounts, refusedRecipients } from '../../../messaging/store/operations/refused.ts';
import type { DeliveryState } from '../../../model/lifecycle.ts';
import { type StoreOf, storeModule } from '../../../store/module.ts';
import { type Operation, run } from '../../../store/query.ts';
import { countMessages } from './histogram.ts';
import { talkOf } from './message-talk.ts';
import { receiptTimes, searchMessages, sentWith, stuckMessages } from './operations.ts';
import { searchRefused } from './refused-log.ts';
import { selectQueuedFrom, selectTraffic } from './statements.ts';

/** Sent messages of an account by number and state; of the newest `look` accepted since a time. */
export function* numberTraffic(request: {
  accountId: AccountId;
  since: number;
  look: number;
}): Operation<{ number: string; state: DeliveryState; count: number }[]> {
  const after = firstIdAt('msg_', request.since);
  const rows = yield* run(selectTraffic, [{ account_id: request.accountId, after, limit: request.look }]);
  return rows.map(({ number, state, found }) => ({ number, state, count: found }));
}

/** Messages of a number that wait in the queue, among `look` of its account. */
export function* queuedFrom(request: { accountId: AccountId; number: string; look: number }): Operation<number> {
  const { accountId, number, look } = request;
  const [row] = yield* run(selectQueuedFrom, [{ account_id: accountId, sender: number, limit: look }]);
  return row!.found;
}

export const messageLogStore = storeModule({
  name: 'message log',
  writes: {},
  reads: {
    searchMessages: {
      run: searchMessages,
      needs: (request: MessageSearch) => (talkOf(request) ? 'gathered' : 'newest'),
    },
    countMessages: {
      run: countMessages,
      needs: (request: MessageCountsQuery) => (talkOf(request) ? 'gathered' : 'newest'),
    },
    sentWith: { run: sentWith },
    receiptTimes: { run: receiptTimes },
    refusedRecipients: { run: refusedRecipients },
    refusedCounts: { run: refusedCounts },
    searchRefused: { run: searchRefused },
    stuckMessages: { run: stuckMessages },
  },
});

export interface MessageLogStore extends StoreOf<typeof messageLogStore> {}

export const numberTrafficStore = storeModule({
  name: 'number traffic',
  writes: {},
  reads: { numberTraffic: { run: numberTraffic }, queuedFrom: { run: queuedFrom } },
});

export interface NumberTrafficStore extends StoreOf<typeof numberTrafficStore> {}
