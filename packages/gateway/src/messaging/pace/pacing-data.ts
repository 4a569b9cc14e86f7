/**
 * The 10DLC throughput that AT&T and T-Mobile allow, as data with date and source. To update it, change this file
 * only; `pacing-limits.ts` chooses from it.
 */

/** Scores from `from` to `to`, both inclusive. */
export const attLimits = {
  date: '2026-11-21',
  source:
    'https://developers.telnyx.com/docs/messaging/messages/rate-limiting (AT&T message classes; per campaign and minute)',
  /** Standard campaigns by the brand's vetting score. SMS are counted by segment. */
  byScore: [
    { from: 75, to: 100, segmentsPerMinute: 4_500, mmsPerMinute: 2_400 },
    { from: 50, to: 74, segmentsPerMinute: 2_400, mmsPerMinute: 1_200 },
    { from: 1, to: 49, segmentsPerMinute: 240, mmsPerMinute: 150 },
  ],
  lowVolume: { segmentsPerMinute: 75, mmsPerMinute: 50 },
  soleProprietor: { segmentsPerMinute: 15, mmsPerMinute: 15 },
} as const;

export const tMobileLimits = {
  date: '2026-11-21',
  source:
    'https://docs.bird.com/applications/channels/channels/supported-channels/sms/concepts/sms-10dlc/throughput-and-daily-caps (T-Mobile caps; per brand and day, reset at midnight Pacific)',
  dedicated: [
    { from: 76, to: 100, perDay: 200_000 },
    { from: 51, to: 75, perDay: 40_000 },
    { from: 1, to: 49, perDay: 10_000 },
  ],
  mixed: [
    { from: 86, to: 100, perDay: 200_000 },
    { from: 66, to: 85, perDay: 40_000 },
    { from: 26, to: 65, perDay: 10_000 },
  ],
  otherwise: 2_000,
  soleProprietor: 1_000,
} as const;

/** T-Mobile's day begins at midnight in this zone. */
export const capTimeZone = 'America/Los_Angeles';
