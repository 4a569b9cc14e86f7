/**
 * A campaign is close to a limit by the day's count, or for an hour after the minute's warning; other campaigns are not
 * listed.
 */
import { describe, expect, it } from 'vitest';
import { settlingClock } from '../../../../../test/props/clock.ts';
import { createLimitWatch } from './limit-watch.ts';
import type { CampaignUse } from './pace.ts';

const none: CampaignUse = { segmentsThisMinute: null, mmsThisMinute: null, segmentsToday: null };
const today = (used: number): CampaignUse => ({ ...none, segmentsToday: { used, limit: 2_000, resetsAt: 0 } });

describe('the limit watch', () => {
  it('knows a day by what is used of it', () => {
    const watch = createLimitWatch(settlingClock());
    expect(watch.closeTo('C', none)).toEqual([]);
    expect(watch.closeTo('C', today(1_599))).toEqual([]);
    expect(watch.closeTo('C', today(1_600))).toEqual([{ limit: 'day', percent: 80 }]);
    expect(watch.closeTo('C', today(2_000))).toEqual([{ limit: 'day', percent: 100 }]);
  });

  it('keeps the warning of a minute for an hour, for its campaign alone', async () => {
    const clock = settlingClock();
    const watch = createLimitWatch(clock);
    watch.warned({ campaignId: 'C', limit: 'minute', used: 70, of: 75 });
    watch.warned({ campaignId: 'C', limit: 'day', used: 1_600, of: 2_000 });
    expect(watch.closeTo('C', none)).toEqual([{ limit: 'minute', percent: 93 }]);
    expect(watch.closeTo('D', none)).toEqual([]);
    await clock.pass(3_600_000);
    expect(watch.closeTo('C', none)).toEqual([]);
  });
});
