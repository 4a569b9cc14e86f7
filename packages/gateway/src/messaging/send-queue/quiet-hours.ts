/**
 * Holds messages during a company's quiet hours, and releases them when the hours are changed or removed. A company
 * without quiet hours costs one field read.
 */
import type { SubmissionOutcome } from '../../carriers/carrier.ts';
import type { EpochMs } from '../../kernel/clock.ts';
import type { Claim, HeldBack } from '../../model/delivery.ts';
import type { Directory } from '../../model/directory.ts';
import { heldSentence } from '../../model/quiet-hours.ts';
import type { Account } from '../../model/records.ts';
import { zoneDefault } from '../../model/route-hours.ts';
import { isConfirmation } from '../consent/consent-rules.ts';
import { type ReleaseParts, release } from './release.ts';
import { createStoreRetry, type StoreRetryParts } from './store-retry.ts';

const code = 'QUIET_HOURS';

/** The hold on messages that the account sends from this number now; null = none. */
export function quietHold(directory: Directory, account: Account, number: string, now: EpochMs): HeldBack | null {
  const until = directory.quietUntil(account, number, now);
  return until === null ? null : { until, code, detail: heldSentence(until, account.timeZone ?? zoneDefault) };
}

/**
 * At dispatch: the outcome for a held message, before its try begins; it costs no try. Answers to keywords are sent at
 * any hour, and so is the rest of a message whose first parts the handset has.
 */
export function heldAtDispatch(directory: Directory, claim: Claim, now: EpochMs): SubmissionOutcome | null {
  const account = directory.account(claim.accountId);
  if (account?.quietHours === undefined || isConfirmation(claim.keyId) || claim.partsAccepted.length > 0) return null;
  const held = quietHold(directory, account, claim.from, now);
  if (held === null) return null;
  return {
    kind: 'refused',
    retry: 'later',
    code,
    carrierCode: null,
    detail: held.detail,
    afterMs: held.until - now,
    countsAttempt: false,
    parts: [],
  };
}

export interface QuietRelease {
  /** Reads the records: when hours changed, makes messages due that no longer wait for them. */
  follow(): void;
  /** Resolves when no release is running. */
  settled(): Promise<void>;
  /** Stops queries to the store; resolves when none is running. */
  stop(): Promise<void>;
}

export interface QuietReleaseParts extends StoreRetryParts, ReleaseParts {
  clock: StoreRetryParts['clock'];
  directory(): Directory;
}

export function createQuietRelease(parts: QuietReleaseParts): QuietRelease {
  const retry = createStoreRetry(parts, 'what waits for quiet hours waits for the store');
  /** The hours of all companies; null before the first look, because the last run's are unknown. */
  let seen: string | null = null;
  let work: Promise<void> = Promise.resolve();

  async function letGo(): Promise<void> {
    const directory = parts.directory();
    const now = parts.clock.now();
    const count = await release(parts, retry, [code], ({ number, dueAt }) => {
      const account = directory.account(directory.number(number)?.accountId ?? '');
      const until = account === undefined ? null : directory.quietUntil(account, number, now);
      // Hours that now end later hold the message again once its time comes.
      return until === null || until < dueAt;
    });
    if (count > 0) parts.logger.info({ count }, 'quiet hours were changed: what waited for them is due');
  }

  return {
    follow: () => {
      const hours = hoursOnRecord(parts.directory());
      if (hours === seen) return;
      seen = hours;
      work = work.then(letGo);
    },
    settled: () => work,
    stop: () => {
      retry.stop();
      return work;
    },
  };
}

/** All data that decides whether a message waits. */
function hoursOnRecord({ records }: Directory): string {
  const quiet = records.accounts.filter(({ quietHours }) => quietHours !== undefined);
  const accounts = new Set(quiet.map(({ accountId }) => accountId));
  return JSON.stringify([
    quiet.map(({ accountId, timeZone, quietHours }) => [accountId, timeZone, quietHours]),
    records.numbers
      .filter(({ accountId }) => accounts.has(accountId))
      .map(({ number, accountId, campaignId }) => [number, accountId, campaignId]),
  ]);
}
