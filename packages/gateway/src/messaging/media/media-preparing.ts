/**
 * Prepares the media of one request: fetches its URLs once and fits them once per budget. Keeps fetched bytes for a
 * while, so a request that is retried for fitting is not fetched twice.
 */
import type { Clock, EpochMs, Random } from '../../kernel/clock.ts';
import type { AccountId, RequestId } from '../../kernel/ids.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { FittedSet } from '../../model/delivery.ts';
import type { Directory } from '../../model/directory.ts';
import type { Media } from '../../model/media.ts';
import { budgetFor, type MediaFailed, type MediaLater, type StoredMedium } from '../../model/medium.ts';
import { gatewayFault } from '../../model/medium-problem.ts';
import { StoreUnavailable } from '../../store/faults.ts';
import type { MediaJob, MediaPreparation } from '../store/media-items.ts';

export type MediaOutcome = MediaPreparation['outcome'];

/** Tries for faults of our own (a bug, a broken disk); then the messages fail. */
export const ownFaultTriesMax = 5;
/** Waits by the number of postponements; the last one repeats. */
const waitsMs: Readonly<Record<MediaLater['why'] | 'fault', readonly number[]>> = {
  busy: [1_000, 2_000, 5_000, 15_000],
  'disk-full': [5_000, 15_000, 30_000, 60_000],
  fault: [1_000, 5_000, 30_000, 120_000],
};
const jitterShare = 0.2;
/** A message past its validity is left to the sweep, which runs every second. */
const overdueWaitMs = 1_000;
/** The most requests with remembered media. */
const knownMax = 10_000;
/** Well below the age at which unneeded files are swept away. */
const knownForMs = 30 * 60_000;

interface Known {
  sinceMs: number;
  original: StoredMedium[] | null;
  fitted: FittedSet[];
  faults: number;
}

export interface MediaPreparingParts {
  clock: Clock;
  random: Pick<Random, 'fraction'>;
  logger: Logger;
  media: Pick<Media, 'fetch' | 'fit'>;
  /** Maximum media bytes for the carrier; 0 = unknown. */
  budgetOf(carrierId: string): number;
  directory(): Pick<Directory, 'account'>;
}

export interface MediaPreparing {
  /** Never rejects: every fault becomes an outcome. Calls `fetched` when the job no longer waits for its URLs. */
  prepare(job: MediaJob, fetched?: () => void): Promise<MediaOutcome>;
  /** The request is finished. */
  forget(requestId: RequestId): void;
}

export function createMediaPreparing(parts: MediaPreparingParts): MediaPreparing {
  const { clock, media } = parts;
  const knowns = new Map<string, Known>();

  function knownOf(requestId: RequestId): Known {
    const before = knowns.get(requestId);
    if (before !== undefined && clock.monotonicMs() - before.sinceMs < knownForMs) return before;
    const known = { sinceMs: clock.monotonicMs(), original: null, fitted: [], faults: before?.faults ?? 0 };
    knowns.delete(requestId);
    knowns.set(requestId, known);
    if (knowns.size > knownMax) knowns.delete(knowns.keys().next().value!);
    return known;
  }

  async function fetchAndFit(job: MediaJob, known: Known, whenFetched: () => void): Promise<MediaOutcome> {
    if (known.original === null) {
      const fetched = await media.fetch(job.mediaUrls, job.accountId);
      if (fetched.kind === 'later') return later(job, fetched.why);
      if (fetched.kind === 'failed') return failedBy(fetched, fetched.fetched ?? []);
      known.original = [...fetched.media];
    }
    whenFetched();
    const { original } = known;
    const options = { refuseStills: refusesStills(parts.directory(), job.accountId), urls: job.mediaUrls };
    let failure: MediaOutcome | null = null;
    for (const budgetBytes of new Set(job.lanes.map((lane) => budgetFor(parts.budgetOf(lane))))) {
      if (known.fitted.some((set) => set.budgetBytes === budgetBytes)) continue;
      const fitted = await media.fit(original, budgetBytes, options);
      if (fitted.kind === 'later') return later(job, fitted.why);
      if (fitted.kind === 'failed') failure ??= failedBy(fitted, original);
      else known.fitted.push({ budgetBytes, media: [...fitted.media] });
    }
    // Media that fit one carrier but not another continue: the other carrier's lane detects and reports that.
    if (failure !== null && known.fitted.length === 0) return failure;
    return { to: 'queued', media: { original, fitted: known.fitted } };
  }

  function fault(job: MediaJob, known: Known, error: unknown): MediaOutcome {
    known.faults += 1;
    parts.logger.error({ err: error, requestId: job.requestId, faults: known.faults }, 'media could not be prepared');
    if (known.faults < ownFaultTriesMax) return later(job, 'fault');
    return { to: 'failed', code: 'GATEWAY_ERROR', detail: gatewayFault };
  }

  function later(job: MediaJob, why: keyof typeof waitsMs): MediaOutcome {
    const waits = waitsMs[why];
    const waitMs = waits[Math.min(job.tries, waits.length - 1)]!;
    const dueAt = clock.now() + Math.round(waitMs * (1 - jitterShare / 2 + jitterShare * parts.random.fraction()));
    return { to: 'later', dueAt: Math.min(dueAt, job.expiresAt) };
  }

  return {
    prepare: async (job, fetched = () => {}) => {
      const now: EpochMs = clock.now();
      // No message waits for these media any more: delete the job only.
      if (job.lanes.length === 0)
        return { to: 'failed', code: 'EXPIRED', detail: 'No recipient waited for it any more.' };
      if (job.expiresAt <= now) return { to: 'later', dueAt: now + overdueWaitMs };
      const known = knownOf(job.requestId);
      try {
        return await fetchAndFit(job, known, fetched);
      } catch (error) {
        // Our own media are looked up in the store.
        if (error instanceof StoreUnavailable) return later(job, 'busy');
        return fault(job, known, error);
      }
    },
    forget: (requestId) => {
      knowns.delete(requestId);
    },
  };
}

/** Whether the account wants an animation to fail rather than to become a still picture. */
export function refusesStills(directory: Pick<Directory, 'account'>, accountId: AccountId): boolean {
  return directory.account(accountId)?.animations === 'refuse';
}

/** `fetched`: the media already in the media store, from the first on. */
function failedBy({ code, detail, index }: MediaFailed, fetched: readonly StoredMedium[]): MediaOutcome {
  return { to: 'failed', code, detail, failedMedium: { index, fetched: [...fetched] } };
}
