/**
 * Whether a carrier got worse than in the time before: a figure must have changed by so much that it matters, and by more than
 * chance would explain with so few messages. Pure.
 */
import type { CarrierFigures } from './history-figures.ts';
import type { worseFigures } from './history-shapes.ts';

export interface Worse {
  figure: (typeof worseFigures)[number];
  now: number;
  before: number;
  /** How grave it is: the share of messages, or of the time, that it concerns. */
  weight: number;
}

/** With fewer messages in either time nothing is said of them. */
const countMin = 20;
/** Of chance: about one in a thousand changes is a false one. */
const deviations = 3;
/** What a share must have changed by, at least. */
const changeMin = { refusalRate: 0.01, deliveryRate: 0.02, receiptRate: 0.05, uncertainRate: 0.01, upShare: 0.01 };
/** Times the delay before, and milliseconds more. */
const slowerTimes = 1.5;
const slowerMs = 1_000;
/** A late receipt is less grave than a refused message. */
const slowerWeightMax = 0.03;
/** It must have been watched for so long. */
const watchedMinMs = 5 * 60_000;

/** The gravest first. */
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

  /** `worse`: 1 where more is worse. */
  function share(figure: keyof typeof changeMin, many: number, manyBefore: number, worse: 1 | -1) {
    const [value, past] = [now[figure], before[figure]];
    if (value === null || past === null || many < countMin || manyBefore < countMin) return [];
    // Receipts for messages of an earlier time may make a rate greater than 1.
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
  // Switched off or paused by a person: not worse.
  if (now.limit?.factor === 'off' || now.limit?.factor === 'paused') return [];
  if (past - value < changeMin.upShare) return [];
  return [{ figure: 'upShare' as const, now: value, before: past, weight: past - value }];
}
