/** Webhook deliveries and their attempts. */
import type { RecordAttemptsRequest, ReplayWebhooksRequest } from '../../../messaging/store/items.ts';
import { one, type StoreOf, storeModule } from '../../../store/module.ts';
import { fannedOut, fanOut, forgetWebhooks, recordAttempts, replay, replayWebhooks } from './operations.ts';
import {
  dueWebhooks,
  endpointHealth,
  replayable,
  webhookDeliveries,
  webhookDelivery,
  webhookQueues,
  webhooksOf,
} from './views.ts';

export const webhookStore = storeModule({
  name: 'webhooks',
  writes: {
    /**
     * Gives out the log from `from` to `to`: stores a `waiting` delivery for each (endpoint, event), and moves the mark, in one
     * commit. False, and nothing is stored, when the mark is not at `from`. `at` is when the event happened: the delivery's
     * `createdAt` and first `dueAt`, so that what has waited longest goes first.
     */
    fanOut: { run: fanOut, journal: 'apart' },
    /**
     * Writes attempts and moves their deliveries; health of the endpoints concerned goes with them. A delivery that is gone
     * gets none; one that waits no more is not moved.
     */
    recordAttempts: { run: recordAttempts, journal: 'apart' },
    /** Puts deliveries back to `waiting`, due now, with all their tries ahead. Returns how many, and the last one's position. */
    replayWebhooks: { run: replayWebhooks },
    /**
     * Lets go of deliveries to which nothing has happened since `before`: a waiting one becomes `failed`, the others are
     * deleted with their attempts. At most `limit` a call; true while there is more.
     */
    forgetWebhooks: { run: forgetWebhooks },
  },
  reads: {
    /** How far the log has been given out to endpoints. */
    fannedOut: { run: fannedOut, needs: 'nothing' },
    /** Waiting deliveries of an endpoint that are due, earliest due first. */
    dueWebhooks: { run: dueWebhooks, needs: 'nothing' },
    /** Per endpoint with waiting deliveries: how many there are (exact up to 10,000, then 10,000) and when the earliest is due. */
    webhookQueues: { run: webhookQueues, needs: 'nothing' },
    endpointHealth: { run: endpointHealth, needs: 'nothing' },
    /** Deliveries of one account's endpoint or of all its endpoints, newest event first. */
    webhookDeliveries: { run: webhookDeliveries, needs: 'nothing' },
    /** With its newest 100 attempts, oldest first. */
    webhookDelivery: { run: webhookDelivery, needs: 'nothing' },
    replayable: { run: replayable },
    /** What was sent about one message. */
    webhooksOf: { run: webhooksOf },
  },
  verbs: (on) => ({
    fanOut: one(on.fanOut),
    async recordAttempts({ outcomes, health }: RecordAttemptsRequest) {
      await on.recordAttempts([...outcomes.map((outcome) => ({ outcome })), ...health.map((one) => ({ health: one }))]);
    },
    replayWebhooks: (request: ReplayWebhooksRequest) =>
      replay(request, { look: on.replayable, write: on.replayWebhooks }),
    forgetWebhooks: one(on.forgetWebhooks),
  }),
});

export interface WebhookStore extends StoreOf<typeof webhookStore> {}
