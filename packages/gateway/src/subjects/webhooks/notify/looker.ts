/**
 * Loads due deliveries into the endpoints' queues, a few queries at a time, endpoints in turn. Loads only what fits,
 * and only one for a failing endpoint.
 */
import type { Clock } from '../../../kernel/clock.ts';
import type { Logger } from '../../../kernel/logger.ts';
import { createOutage } from '../../../kernel/outage.ts';
import type { DueWebhook } from '../../../messaging/store/items.ts';
import { StoreUnavailable } from '../../../store/faults.ts';
import type { WebhookStore } from '../store/module.ts';
import type { DueRow } from './endpoint-queue.ts';
import { isActive, type Target } from './target.ts';

const looksMax = 4;
const pauseMs = 1_000;
/** Later than every due time. */
const farFuture = Number.MAX_SAFE_INTEGER;

export interface Looker {
  /** `target` has room for more. */
  want(target: Target): void;
  stop(): Promise<void>;
}

export interface LookerParts {
  clock: Clock;
  logger: Logger;
  store: Pick<WebhookStore, 'dueWebhooks'>;
  targets(): Iterable<Target>;
  /** The queue of `target`, or its `lookAt`, may have changed. */
  looked(target: Target): void;
  broken(error: unknown): void;
}

export function createLooker({ clock, logger, store, targets, looked, broken }: LookerParts): Looker {
  const wanting = new Set<Target>();
  const looks = new Set<Promise<void>>();
  let paused = false;
  let stopped = false;
  const outage = createOutage<StoreUnavailable>(({ reason }) =>
    logger.warn({ reason }, 'the store gives no webhooks now'),
  );

  function next(): void {
    for (const target of wanting) {
      if (stopped || paused || looks.size >= looksMax) return;
      wanting.delete(target);
      if (target.queue.looking || target.queue.complete || !isActive(target)) continue;
      const look = lookInto(target)
        .catch(broken)
        .finally(() => {
          looks.delete(look);
          next();
        });
      looks.add(look);
    }
  }

  async function lookInto(target: Target): Promise<void> {
    const { queue, breaker, endpoint } = target;
    makeRoom(target, targets());
    const limit = queue.beginLook(breaker.open ? 1 : Math.max(queue.freeSlots, 1));
    let due: DueWebhook[] | null = null;
    const now = clock.now();
    try {
      due = await store.dueWebhooks({ endpointId: endpoint.endpointId, now, limit });
      outage.over();
    } catch (error) {
      pauseFor(error);
    }
    queue.endLook(due?.map(rowOf) ?? null);
    if (queue.complete) await lookAhead(target, now);
    looked(target);
  }

  /** Finds when the first row that is not due at `now` will be due. */
  async function lookAhead(target: Target, now: number): Promise<void> {
    const { queue, endpoint } = target;
    // Due rows come first, and all of them are held.
    const limit = queue.held + 1;
    try {
      const rows = await store.dueWebhooks({ endpointId: endpoint.endpointId, now: farFuture, limit });
      const later = rows.find(({ delivery }) => delivery.dueAt > now)?.delivery.dueAt;
      // New rows came in front meanwhile: look once more.
      const unseen = rows.length === limit ? now + pauseMs : Number.POSITIVE_INFINITY;
      target.lookAt = Math.min(target.lookAt, later ?? unseen);
    } catch (error) {
      pauseFor(error);
      queue.expectMore();
    }
  }

  function pauseFor(error: unknown): void {
    if (!(error instanceof StoreUnavailable)) throw error;
    outage.failed(error);
    if (paused) return;
    paused = true;
    clock.after(pauseMs, () => {
      paused = false;
      next();
    });
  }

  return {
    want: (target) => {
      wanting.add(target);
      next();
    },
    stop: async () => {
      stopped = true;
      await Promise.all(looks);
    },
  };
}

/**
 * When memory is full, the endpoint with most entries gives up half; if none has two, one entry may exceed the limit.
 */
function makeRoom(target: Target, others: Iterable<Target>): void {
  if (target.queue.freeSlots > 0) return;
  let fullest = target;
  for (const other of others) if (other.queue.size > fullest.queue.size) fullest = other;
  fullest.queue.shed(Math.ceil(fullest.queue.size / 2));
}

function rowOf({ delivery, event }: DueWebhook): DueRow {
  return { tries: delivery.tries, event };
}
