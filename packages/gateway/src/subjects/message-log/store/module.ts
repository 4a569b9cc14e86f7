/** The message log, and figures over messages. */
import type { MessageSearch } from '../../../messaging/store/message-log-items.ts';
import { refusedCounts, refusedRecipients } from '../../../messaging/store/operations/refused.ts';
import { type StoreOf, storeModule } from '../../../store/module.ts';
import { talkOf } from './message-talk.ts';
import { numberTraffic, queuedFrom } from './number-traffic.ts';
import { receiptTimes, recentCounts, recentFailures, searchMessages, sentWith, stuckMessages } from './operations.ts';
import { searchRefused } from './refused-log.ts';

export const messageLogStore = storeModule({
  name: 'message log',
  writes: {},
  reads: {
    searchMessages: {
      run: searchMessages,
      needs: (request: MessageSearch) => (talkOf(request) ? 'gathered' : 'newest'),
    },
    sentWith: { run: sentWith },
    receiptTimes: { run: receiptTimes },
    refusedRecipients: { run: refusedRecipients },
    refusedCounts: { run: refusedCounts },
    searchRefused: { run: searchRefused },
    recentCounts: { run: recentCounts },
    recentFailures: { run: recentFailures },
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
