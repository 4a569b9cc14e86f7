/** The message log, and figures over messages. */
import { type AccountId, firstIdAt } from '../../../kernel/ids.ts';
import type { MessageCountsQuery, MessageSearch } from '../../../messaging/store/message-log-items.ts';
import { refusedCounts, refusedRecipients } from '../../../messaging/store/operations/refused.ts';
import type { DeliveryState } from '../../../model/lifecycle.ts';
import { type StoreOf, storeModule } from '../../../store/module.ts';
import { type Operation, run, statement } from '../../../store/query.ts';
import { countMessages } from './histogram.ts';
import { talkOf } from './message-talk.ts';
import { messagesReach, receiptTimes, searchMessages, sentWith, stuckMessages } from './operations.ts';
import { searchRefused } from './refused-log.ts';

export const selectTraffic = statement<{ number: string; state: DeliveryState; found: number }>()(
  'select_number_traffic',
  { account_id: 'text', after: 'text', limit: 'int' },
  `select m.sender as number, d.state, count(*) as found from (
     select a.message_id from account_messages a
     where a.account_id = r.account_id and a.direction = 'outbound' and a.message_id > r.after
     order by a.message_id desc limit r.limit) newest
   join deliveries d on d.message_id = newest.message_id join messages m on m.request_id = d.request_id
   group by m.sender, d.state`,
);

export const selectQueuedFrom = statement<{ found: number }>()(
  'select_queued_from',
  { account_id: 'text', sender: 'text', limit: 'int' },
  `select count(*) as found from (
     select d.request_id from deliveries d where d.state = 'queued' and d.account_id = r.account_id
     limit r.limit) waiting
   join messages m on m.request_id = waiting.request_id where m.sender = r.sender`,
);

/** Sent messages of an account by number and state, among the newest `look` accepted since a time. */
export function* numberTraffic(request: {
  accountId: AccountId;
  since: number;
  look: number;
}): Operation<{ number: string; state: DeliveryState; count: number }[]> {
  const after = firstIdAt('msg_', request.since);
  const rows = yield* run(selectTraffic, [{ account_id: request.accountId, after, limit: request.look }]);
  return rows.map(({ number, state, found }) => ({ number, state, count: found }));
}

/** Queued messages of a number, among `look` of its account. */
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
    messagesReach: { run: messagesReach },
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
