/**
 * The slow side of the limits: counts from the log what was sent before anybody counted (after a start, or when a limit is
 * new), and makes due what waits for a limit that was loosened. One piece of work at a time, in bounded steps; a store that
 * cannot answer is asked again. It decides nothing about a message.
 */
import type { Clock, EpochMs } from '../domain/clock.ts';
import type { Logger } from '../domain/logger.ts';
import { type Store, StoreUnavailable } from '../store/store.ts';

/** Places of the log, or waiting messages, in one look. */
const pageMax = 1_000;
const retryMs = 1_000;
/** A minute's limit looks at the second it began in too. */
const latelyMs = 61_000;
/** The log is read from a little earlier, as clocks are set right by little. */
const slackMs = 10 * 60_000;

type WaitingRequest = Parameters<Store['waitingForLimit']>[0];
export type WaitingPlace = NonNullable<WaitingRequest['after']>;
export type HandedOver = Awaited<ReturnType<Store['handedOver']>>['handed'][number];

export interface Sent {
  /** When the count began. */
  at: EpochMs;
  /** `second` is 0 for all but the last minute. */
  handed: HandedOver[];
}

export interface PaceStoreParts {
  clock: Clock;
  logger: Logger;
  store: Pick<Store, 'positionAt' | 'handedOver' | 'waitingForLimit' | 'makeDue'>;
  broken(error: unknown): void;
}

export interface PaceStore {
  /** What was handed over since then, and in the last minute in any case. Null when it was stopped. */
  sent(dayFrom: EpochMs | null): Promise<Sent | null>;
  /** Makes due what waits for a limit, of these numbers; null = of all. */
  release(numbers: ReadonlySet<string> | null): Promise<void>;
  /** Asks nothing more. */
  stop(): void;
}

export function createPaceStore({ clock, logger, store, broken }: PaceStoreParts): PaceStore {
  let stopped = false;
  let wake: () => void = () => {};

  /** Until the store answers; null when it was stopped. */
  async function insist<T>(ask: () => Promise<T>): Promise<T | null> {
    while (!stopped) {
      try {
        return await ask();
      } catch (error) {
        if (stopped) return null;
        if (!(error instanceof StoreUnavailable)) {
          broken(error);
          return null;
        }
        logger.warn({ reason: error.reason }, 'the limits of campaigns wait for the store');
        await new Promise<void>((resolve) => {
          const cancel = clock.after(retryMs, resolve);
          wake = () => {
            cancel();
            resolve();
          };
        });
      }
    }
    return null;
  }

  async function count(dayFrom: EpochMs | null): Promise<Sent> {
    const at = clock.now();
    const lately = at - latelyMs;
    const since = Math.min(dayFrom ?? lately, lately);
    const handed: HandedOver[] = [];
    let after = await store.positionAt(since - slackMs);
    for (let more = true; more && !stopped; ) {
      const page = await store.handedOver({ after, limit: pageMax, since, lately });
      handed.push(...page.handed);
      after = page.position;
      more = page.more;
    }
    return { at, handed };
  }

  async function release(numbers: ReadonlySet<string> | null): Promise<void> {
    const now = clock.now();
    let due = 0;
    let after: WaitingPlace | null = null;
    for (let more = true; more && !stopped; ) {
      const request: WaitingRequest = { now, after, limit: pageMax };
      const page = await insist(() => store.waitingForLimit(request));
      if (page === null) return;
      const found = page.waiting.filter(({ number }) => numbers === null || numbers.has(number));
      const ids = found.map(({ messageId }) => messageId);
      due += (await insist(() => store.makeDue(ids, now))) ?? 0;
      after = page.next;
      more = after !== null;
    }
    if (due > 0) logger.info({ count: due }, 'a limit was loosened: what waited for it is due');
  }

  return {
    sent: (dayFrom) => insist(() => count(dayFrom)),
    release,
    stop: () => {
      stopped = true;
      wake();
    },
  };
}
