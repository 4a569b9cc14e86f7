/**
 * Provides the media of an MMS in a size that its carrier accepts: fitted beforehand, or fitted now when the message
 * moved to a carrier with another budget. A failure here is the outcome of the attempt.
 */

import type { SubmissionOutcome, SubmittedMedium } from '../../carriers/carrier.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { MessageId } from '../../kernel/ids.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { FittedSet, MmsClaim } from '../../model/delivery.ts';
import type { Directory } from '../../model/directory.ts';
import type { FittedMedia, Media } from '../../model/media.ts';
import type { StoredMedium } from '../../model/medium.ts';
import type { OutcomeCode } from '../../model/reason.ts';
import { StoreUnavailable } from '../../store/faults.ts';
import { refusesStills } from '../media/media-preparing.ts';
import type { MediaStore } from '../store/modules/media.ts';

const busyWaitMs = 1_000;
const diskFullWaitMs = 5_000;
const notReadyWaitMs = 60_000;
/**
 * A request to many recipients is fitted once: its results are kept this long, well below the age at which files are
 * swept away.
 */
const keptMs = 10 * 60_000;
const keptMax = 200;

export type RefusedOutcome = Extract<SubmissionOutcome, { kind: 'refused' }>;

export interface LaneMedia {
  /** The media of the claim for this carrier; null when they are not fitted for it yet. Cheap. */
  submitted(claim: MmsClaim): SubmittedMedium[] | null;
  /** Fits the media now: returns the claim with one more set, or the refusal. Never rejects. */
  fit(claim: MmsClaim): Promise<MmsClaim | RefusedOutcome>;
}

export interface LaneMediaParts {
  clock: Clock;
  logger: Logger;
  media: Pick<Media, 'fit' | 'read'>;
  budgetBytes: number;
  directory(): Pick<Directory, 'account'>;
  store: Pick<MediaStore, 'addFittedMedia'>;
}

export function createLaneMedia({ clock, logger, media, budgetBytes, directory, store }: LaneMediaParts): LaneMedia {
  const kept = new Map<string, { atMs: number; result: Promise<FittedMedia> }>();

  function fitOnce(original: readonly StoredMedium[], { accountId, mediaUrls: urls }: MmsClaim): Promise<FittedMedia> {
    const options = { refuseStills: refusesStills(directory(), accountId), urls };
    // A failure names the hosts of the URLs, which are not for another message with the same media.
    const key = [options.refuseStills, ...original.map(({ hash }) => hash), ...urls].join();
    const before = kept.get(key);
    if (before !== undefined && clock.monotonicMs() - before.atMs < keptMs) return before.result;
    const result = media.fit(original, budgetBytes, options);
    const entry = { atMs: clock.monotonicMs(), result };
    kept.delete(key);
    kept.set(key, entry);
    if (kept.size > keptMax) kept.delete(kept.keys().next().value!);
    const letGo = () => {
      if (kept.get(key) === entry) kept.delete(key);
    };
    result.then(({ kind }) => {
      if (kind === 'later') letGo();
    }, letGo);
    return result;
  }

  /** For the message's page and for later tries; no caller waits for it. */
  function keep(messageId: MessageId, set: FittedSet): void {
    store.addFittedMedia([{ messageId, set }]).catch((err: unknown) => {
      logger.warn({ err, messageId }, 'what media were fitted to is not on record');
    });
  }

  async function load(hash: string): Promise<Buffer | null | 'away'> {
    try {
      return await media.read(hash);
    } catch (error) {
      if (error instanceof StoreUnavailable) return 'away';
      throw error;
    }
  }

  return {
    submitted: (claim) => {
      const set = claim.media?.fitted.find((one) => one.budgetBytes === budgetBytes);
      if (set === undefined) return null;
      return set.media.map(({ type, sizeBytes, hash }) => ({ type, sizeBytes, load: () => load(hash) }));
    },

    fit: async (claim) => {
      if (claim.media === null || claim.media.original.length === 0) {
        logger.error({ messageId: claim.messageId }, 'an MMS was claimed before its media were ready');
        return later(notReadyWaitMs);
      }
      try {
        const fitted = await fitOnce(claim.media.original, claim);
        if (fitted.kind === 'failed') return refused('never', fitted.code, fitted.detail);
        if (fitted.kind === 'later') return later(fitted.why === 'busy' ? busyWaitMs : diskFullWaitMs);
        const set: FittedSet = { budgetBytes, media: [...fitted.media] };
        keep(claim.messageId, set);
        return { ...claim, media: { ...claim.media, fitted: [...claim.media.fitted, set] } };
      } catch (error) {
        if (error instanceof StoreUnavailable) return later(busyWaitMs);
        logger.error({ err: error, messageId: claim.messageId }, 'media could not be fitted for a carrier');
        return refused('later', 'GATEWAY_ERROR', 'The gateway failed with a medium and tries again.');
      }
    },
  };
}

function refused(retry: 'later' | 'never', code: OutcomeCode, detail: string): RefusedOutcome {
  return { kind: 'refused', retry, code, carrierCode: null, detail, countsAttempt: true, parts: [] };
}

/** The fault is not the message's: the try does not count. */
function later(afterMs: number): RefusedOutcome {
  const detail = 'its media are not ready for this carrier yet';
  return { ...refused('later', 'CARRIER_UNAVAILABLE', detail), countsAttempt: false, afterMs };
}
