/**
 * Records results of attempts in batches, in order. While it cannot write, no new attempt may start, and no result is
 * dropped.
 */
import type { Clock } from '../../../kernel/clock.ts';
import type { Logger } from '../../../kernel/logger.ts';
import type { AttemptOutcome, EndpointHealth } from '../../../messaging/store/items.ts';
import { StoreUnavailable } from '../../../store/faults.ts';
import type { WebhookStore } from '../store/module.ts';

const batchMax = 500;
const unwrittenMax = 2_000;
const storeRetryMs = 250;

export interface Recorder {
  /** The outcome, and the health of its endpoint after it. */
  add(outcome: AttemptOutcome, health: EndpointHealth): void;
  addHealth(health: EndpointHealth): void;
  /** True while outcomes wait for the store: start no attempt. */
  blocked(): boolean;
  /** Resolves when everything added is on disk, or the store refused it: then the webhook is sent again. */
  stop(): Promise<void>;
}

export interface RecorderParts {
  clock: Clock;
  logger: Logger;
  store: Pick<WebhookStore, 'recordAttempts'>;
  /** These outcomes are on disk. */
  recorded(outcomes: readonly AttemptOutcome[]): void;
  broken(error: unknown): void;
}

export function createRecorder({ clock, logger, store, recorded, broken }: RecorderParts): Recorder {
  let outcomes: AttemptOutcome[] = [];
  let health = new Map<string, EndpointHealth>();
  let late = false;
  let stopping = false;
  let busy = false;
  let writing = Promise.resolve();

  function write(): void {
    if (busy) return;
    busy = true;
    writing = writeAll().catch(broken);
  }

  async function writeAll(): Promise<void> {
    try {
      while (outcomes.length > 0 || health.size > 0) {
        const batch = { outcomes: outcomes.slice(0, batchMax), health: [...health.values()] };
        outcomes = outcomes.slice(batchMax);
        health = new Map();
        if (!(await writeBatch(batch))) return;
        recorded(batch.outcomes);
      }
    } finally {
      // In the same tick that found nothing left: one promise later, a result added in between would be missed.
      busy = false;
    }
  }

  /** False when the gateway is stopping and the store does not accept it. */
  async function writeBatch(batch: Parameters<WebhookStore['recordAttempts']>[0]): Promise<boolean> {
    for (;;) {
      try {
        await store.recordAttempts(batch);
        late = false;
        return true;
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        if (!late) logger.warn({ reason: error.reason, count: batch.outcomes.length }, 'attempts wait for the store');
        late = true;
        if (stopping) return false;
        await new Promise<void>((resolve) => clock.after(storeRetryMs, resolve));
      }
    }
  }

  return {
    add: (outcome, after) => {
      outcomes.push(outcome);
      health.set(after.endpointId, after);
      write();
    },
    addHealth: (after) => {
      health.set(after.endpointId, after);
      write();
    },
    blocked: () => late || outcomes.length >= unwrittenMax,
    stop: async () => {
      stopping = true;
      await writing;
    },
  };
}
