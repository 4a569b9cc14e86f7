/**
 * The slow part of the limits: counts earlier sends from the log (after a start, or for a new limit) and releases
 * messages that waited for a loosened limit. Works in bounded steps, one at a time, and retries until the store
 * answers.
 */
import type { EpochMs } from '../../kernel/clock.ts';
import { release } from '../send-queue/release.ts';
import { createStoreRetry, type StoreRetryParts } from '../send-queue/store-retry.ts';
import type { PacingStore } from '../store/modules/pacing.ts';

/** Log positions per look. */
const pageMax = 1_000;
/** A limit per minute also includes the second in which it began. */
const latelyMs = 61_000;
/** The log is read from a little earlier, because clocks are corrected slightly. */
const slackMs = 10 * 60_000;
/** What is with a carrier counts as sent; what was only claimed must not: it is back in its queue within this time. */
const looks = { max: 10, everyMs: 500 };

const codesOfLimits = ['CAMPAIGN_LIMIT', 'DAILY_CAP_REACHED'] as const;

export type HandedOver = Awaited<ReturnType<PacingStore['handedOver']>>['handed'][number];

export interface Sent {
  /** When the count began. */
  at: EpochMs;
  /** `second` is 0 for all but the last minute. */
  handed: HandedOver[];
}

export interface PaceStoreParts extends StoreRetryParts {
  store: Pick<PacingStore, 'positionAt' | 'handedOver' | 'waitingFor' | 'makeDue'>;
}

export interface PaceStore {
  /** Messages handed over since then, and always those of the last minute. Null if stopped. */
  sent(dayFrom: EpochMs | null): Promise<Sent | null>;
  /** Retries until the store answers; null if stopped. */
  untilAvailable<T>(query: () => Promise<T>): Promise<T | null>;
  /** Makes messages of these numbers due that wait for a limit; null = of all numbers. */
  release(numbers: ReadonlySet<string> | null): Promise<void>;
  /** No more queries afterwards. */
  stop(): void;
}

export function createPaceStore(parts: PaceStoreParts): PaceStore {
  const { clock, logger, store } = parts;
  const retry = createStoreRetry(parts, 'the limits of campaigns wait for the store');

  /** At the start, which the first release ends, this node has claimed nothing. */
  let isStart = true;

  async function count(dayFrom: EpochMs | null, at: EpochMs, looksMax: number): Promise<Sent> {
    const lately = at - latelyMs;
    const since = Math.min(dayFrom ?? lately, lately);
    const handed: HandedOver[] = [];
    let after = await store.positionAt(since - slackMs);
    for (let looked = 0; ; ) {
      // Messages claimed later wait for this count, or are asked for one by one.
      const page = await store.handedOver({ after, limit: pageMax, since, lately, claimedUntil: at });
      handed.push(...page.handed);
      after = page.position;
      if (!page.more) looked += 1;
      if (retry.stopped() || looked >= looksMax || (!page.more && page.underWay.length === 0)) {
        return { at, handed: [...handed, ...page.underWay] };
      }
      if (!page.more) await retry.pause(looks.everyMs);
    }
  }

  return {
    untilAvailable: retry.untilAvailable,
    sent: async (dayFrom) => {
      const at = clock.now();
      const looksMax = isStart ? 1 : looks.max;
      return retry.untilAvailable(() => count(dayFrom, at, looksMax));
    },
    release: async (numbers) => {
      isStart = false;
      const due = await release(parts, retry, codesOfLimits, ({ number }) => numbers === null || numbers.has(number));
      if (due > 0) logger.info({ count: due }, 'a limit was loosened: what waited for it is due');
    },
    stop: retry.stop,
  };
}
