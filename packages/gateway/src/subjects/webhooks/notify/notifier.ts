/**
 * Notifies customers: follows the event log and sends deliveries until each endpoint answers 2xx or the delivery's time
 * is over. Writers of events only nudge it.
 */
import type { Clock, Random } from '../../../kernel/clock.ts';
import type { Logger } from '../../../kernel/logger.ts';
import type { AttemptOutcome } from '../../../messaging/store/items.ts';
import type { EventStore } from '../../../messaging/store/modules/events.ts';
import type { Directory } from '../../../model/directory.ts';
import { stopWebhooksMs } from '../../../model/limits.ts';
import type { CustomerEvent } from '../../../model/webhook-event.ts';
import type { StoreBase } from '../../../store/create-store.ts';
import type { WebhookStore } from '../store/module.ts';
import type { Poster } from '../webhook-post.ts';
import type { OpenSecret } from './destination.ts';
import { createDispatcher, type Dispatcher } from './dispatcher.ts';
import { createEndpoints, type Endpoints } from './endpoints.ts';
import { type ChangedListener, createFollower } from './follow.ts';

export type NotifyStore = Pick<
  WebhookStore,
  | 'dueWebhooks'
  | 'endpointHealth'
  | 'fannedOut'
  | 'fanOut'
  | 'recordAttempts'
  | 'replayWebhooks'
  | 'webhookDeliveries'
  | 'webhookDelivery'
  | 'webhookQueues'
> &
  Pick<EventStore, 'eventsAfter' | 'eventPosition'> &
  Pick<StoreBase, 'mayHandOver'>;

export interface NotifierParts {
  clock: Clock;
  random: Random;
  logger: Logger;
  /**
   * Disables an endpoint with a notice; returns the version of the records that shows it. Rejects when the store does.
   */
  disable(endpointId: string, why: 'failing' | 'gone'): Promise<number>;
  store: NotifyStore;
  directory(): Directory;
  /** As the follower of the log needs it. */
  catchUp?(): Promise<void>;
  poster: Poster;
  /** Opens sealed secrets of the records. */
  openSecret: OpenSecret;
  /** A carrier reported that the recipient opted out. Called at least once, before the mark moves past the event. */
  onCarrierOptOut(event: CustomerEvent): Promise<void>;
  /**
   * An MMS ended because its recipient cannot take one, and its account wants a text instead. Called at least once, as
   * above.
   */
  onMmsNotSupported(event: CustomerEvent): Promise<void>;
  /** Attempts just stored, for live pages. */
  attempted?(outcomes: readonly AttemptOutcome[]): void;
  /** An error that is not temporary. */
  broken(error: unknown): void;
}

export interface Notifier {
  /** While another node sends: only calls listeners with what is new. Rejects with StoreUnavailable. */
  watch(): Promise<void>;
  /** Sends, and takes up what earlier runs left, or another node. Rejects with StoreUnavailable. */
  start(): Promise<void>;
  /** Begins nothing more, waits for what is under way and records it. Then it only watches. */
  rest(waitMsMax?: number): Promise<void>;
  /** Another node may have put deliveries back to waiting, or changed an endpoint: look for what is due. */
  lookAgain(): void;
  /** Events may have been committed, of that type if given. Cheap; call it at any time. */
  nudge(type?: string | null): void;
  /** Calls `listener` with new events of the log; the returned function ends that. */
  changed(listener: ChangedListener): () => void;
  /** Deliveries of this endpoint were reset to waiting: look for them now. */
  replayed(endpointId: string): void;
  /** The directory has changed. */
  endpointsChanged(): void;
  /** Rests, and ends. */
  stop(): Promise<void>;
}

/** What sends, from one start to the next rest. */
interface Sending {
  endpoints: Endpoints;
  dispatcher: Dispatcher;
  stop(waitMsMax: number): Promise<void>;
}

function createSending(parts: NotifierParts): Sending {
  let stopped = false;
  let dispatcher: Dispatcher;
  const endpoints = createEndpoints({
    ...parts,
    stopped: () => stopped,
    changed: (target, what) => {
      if (what === 'health') dispatcher.healthChanged(target);
      else dispatcher.wake(target);
    },
  });
  dispatcher = createDispatcher({ ...parts, targets: endpoints.targets, giveUp: endpoints.giveUp });
  return {
    endpoints,
    dispatcher,
    stop: async (waitMsMax) => {
      stopped = true;
      await dispatcher.stop(waitMsMax);
      await endpoints.settled();
    },
  };
}

export function createNotifier(parts: NotifierParts): Notifier {
  let sending: Sending | null = null;
  const follower = createFollower({ ...parts, given: (deliveries) => sending?.dispatcher.offer(deliveries) });

  async function rest(waitMsMax = stopWebhooksMs): Promise<void> {
    await follower.rest();
    await sending?.stop(waitMsMax);
    sending = null;
  }

  return {
    watch: follower.watch,
    start: async () => {
      const starting = createSending(parts);
      await starting.endpoints.start();
      sending = starting;
      try {
        await follower.start();
      } catch (error) {
        sending = null;
        await starting.stop(stopWebhooksMs);
        throw error;
      }
    },
    rest,
    lookAgain: () => {
      if (sending === null) return;
      const { endpoints, dispatcher } = sending;
      for (const target of endpoints.targets.values()) {
        target.queue.expectMore();
        dispatcher.wake(target);
      }
    },
    nudge: follower.nudge,
    changed: follower.changed,
    replayed: (endpointId) => {
      const target = sending?.endpoints.targets.get(endpointId);
      if (target === undefined) return;
      target.breaker.tryNow();
      target.queue.expectMore();
      sending!.dispatcher.wake(target);
    },
    endpointsChanged: () => sending?.endpoints.follow(),
    stop: async () => {
      await rest();
      await follower.stop();
      await parts.poster.close();
    },
  };
}
