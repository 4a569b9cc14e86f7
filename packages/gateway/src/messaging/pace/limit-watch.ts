/**
 * Reports which campaigns are close to a network limit. A minute's warning stays for an hour, because nobody looks
 * within the minute.
 */
import type { Clock, EpochMs } from '../../kernel/clock.ts';
import type { CampaignUse, PaceWarning } from './pace.ts';

export interface CloseTo {
  limit: 'minute' | 'day';
  /** Percent of the limit; for a minute, the highest value seen. */
  percent: number;
}

export interface LimitWatch {
  /** Called with each warning of the pace. */
  warned(warning: PaceWarning): void;
  /** Limits used to 80 % or more, now or within the last hour. */
  closeTo(campaignId: string, use: CampaignUse): CloseTo[];
}

const minuteShownMs = 3_600_000;
const closeShare = 0.8;

export function createLimitWatch({ now }: Pick<Clock, 'now'>): LimitWatch {
  const minutes = new Map<string, { at: EpochMs; share: number }>();
  return {
    warned: ({ campaignId, limit, used, of }) => {
      if (limit === 'minute') minutes.set(campaignId, { at: now(), share: used / of });
    },
    closeTo: (campaignId, { segmentsToday }) => {
      const minute = minutes.get(campaignId);
      if (minute !== undefined && minute.at <= now() - minuteShownMs) minutes.delete(campaignId);
      const day = segmentsToday === null ? 0 : segmentsToday.used / segmentsToday.limit;
      return [
        ...(day >= closeShare ? [closeBy('day', day)] : []),
        ...(minutes.has(campaignId) ? [closeBy('minute', minute!.share)] : []),
      ];
    },
  };
}

function closeBy(limit: CloseTo['limit'], share: number): CloseTo {
  return { limit, percent: Math.floor(share * 100) };
}
