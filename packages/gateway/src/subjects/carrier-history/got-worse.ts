/**
 * Decides whether a carrier got worse than in the period before: a figure must have changed enough to matter, and by
 * more than chance explains for that number of messages. Pure.
 */
import type { CarrierFigures } from './history-figures.ts';
import type { worseFigures } from './history-shapes.ts';

export interface Worse {
  figure: (typeof worseFigures)[number];
  now: number;
  before: number;
  /** Severity: the affected share of messages, or of the time. */
  weight: number;
}

/** With fewer messages in either period there is no verdict. */
const countMin = 20;
/** Standard deviations: about one in a thousand reported changes is chance. */
const deviations = 3;
/** The least change of each share that counts. */
const changeMin = { refusalRate: 0.01, deliveryRate: 0.02, receiptRate: 0.05, uncertainRate: 0.01, upShare: 0.01 };
/** Factor over the delay before, with a least difference in milliseconds. */
const slowerTimes = 1.5;
const slowerMs = 1_000;
/** A late receipt is less severe than a refused message. */
const slowerWeightMax = 0.03;
/** Least time for which the carrier was watched. */
const watchedMinMs = 5 * 60_000;

/** The most severe first. */
export function gotWorse(now: CarrierFigures, before: CarrierFigures): Worse[] {
  const found: Worse[] = [
    ...share('refusalRate', now.tries, before.tries, 1),
    ...share('deliveryRate', now.delivered + now.undelivered, before.delivered + before.undelivered, -1),
    ...share('receiptRate', now.taken, before.taken, -1),
    ...share('uncertainRate', now.tries, before.tries, 1),
    ...slower(now, before),
    ...lessUp(now, before),
  ];
  return found.sort((a, b) => b.weight - a.weight);

  /** `worse`: 1 where more is worse, -1 where less is. */
  function share(figure: keyof typeof changeMin, many: number, manyBefore: number, worse: 1 | -1) {
    const [value, past] = [now[figure], before[figure]];
    if (value === null || past === null || many < countMin || manyBefore < countMin) return [];
    // Receipts for messages of an earlier period can make a rate greater than 1.
    const [share, shareBefore] = [Math.min(1, value), Math.min(1, past)];
    const change = (share - shareBefore) * worse;
    const whole = (share * many + shareBefore * manyBefore) / (many + manyBefore);
    const chance = Math.sqrt(whole * (1 - whole) * (1 / many + 1 / manyBefore));
    if (change < changeMin[figure] || change < deviations * chance) return [];
    return [{ figure, now: value, before: past, weight: change }];
  }
}

function slower(now: CarrierFigures, before: CarrierFigures) {
  const [value, past] = [now.delayP50Ms, before.delayP50Ms];
  const reported = Math.min(now.delivered + now.undelivered, before.delivered + before.undelivered);
  if (value === null || past === null || reported < countMin) return [];
  if (value < past * slowerTimes || value < past + slowerMs) return [];
  return [
    {
      figure: 'delayP50Ms' as const,
      now: value,
      before: past,
      weight: Math.min(slowerWeightMax, Math.log2(value / past) / 100),
    },
  ];
}

function lessUp(now: CarrierFigures, before: CarrierFigures) {
  const [value, past] = [now.upShare, before.upShare];
  if (value === null || past === null || Math.min(now.watchedMs, before.watchedMs) < watchedMinMs) return [];
  // A carrier that a person switched off or paused is not worse.
  if (now.limit?.factor === 'off' || now.limit?.factor === 'paused') return [];
  if (past - value < changeMin.upShare) return [];
  return [{ figure: 'upShare' as const, now: value, before: past, weight: past - value }];
}
