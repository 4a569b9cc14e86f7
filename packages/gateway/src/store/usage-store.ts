/**
 * The seam's part for billing: how far the log of events is counted, what was counted, and its sums. Counts grow with the
 * mark in one commit, so that whatever is killed, each event counts once.
 */
import type { EpochMs } from '../domain/clock.ts';
import type {
  DayRange,
  OutcomeRow,
  TakenMessages,
  UsageFigures,
  UsageGrouping,
  UsageLine,
  UsageOwner,
  UsageRow,
} from '../domain/usage.ts';

export interface UsageStore {
  /** How far the log is counted. */
  countedTo(): Promise<number>;
  /**
   * Messages first known to be taken by a carrier, in the log after `after`; looks at no more than `limit` places.
   * `position` is how far it looked. What was sent in the last ten seconds may be missing.
   */
  takenAfter(request: { after: number; limit: number }): Promise<{ taken: TakenMessages[]; position: number }>;
  /** Adds the counts and moves the mark. False, and nothing is stored, when the mark is not at `from`. No row twice. */
  addUsage(request: { from: number; to: number; rows: UsageRow[] }): Promise<boolean>;
  /** Sums by what is asked for, in the order of its names, after the name `after` (null = from the first). */
  usage(
    request: UsageOwner & DayRange & { groupBy: UsageGrouping; after: string | null; limit: number },
  ): Promise<(UsageFigures & { name: string })[]>;
  usageTotal(request: UsageOwner & DayRange): Promise<UsageFigures>;
  /** What became of sent messages accepted from `from` to before `until`: of the newest `look`. By day, then number. */
  outcomes(request: { accountId: string; from: EpochMs; until: EpochMs; look: number }): Promise<OutcomeRow[]>;
  /** By number, campaign, kind and country, in this order. */
  usageLines(request: UsageOwner & DayRange & { limit: number }): Promise<UsageLine[]>;
}
