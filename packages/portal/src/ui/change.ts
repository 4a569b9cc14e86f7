/** The change of a figure compared with the period before, in words. Pure. */
import { fixedText, numberText, percentText } from '../language/formats';
import { labelsOf } from '../language/labels';

const labels = labelsOf('ui').change;

export interface Change {
  sign: '↑' | '↓' | '';
  text: string;
  /** A change that may need attention. */
  isWorse: boolean;
}

/** For figures with an earlier value. `share`: the relative change. */
export function changed(
  { value, past, same }: { value: number; past: number; same: boolean },
  textOf: (isUp: boolean) => string,
  worse?: Change['sign'],
): Change {
  if (same) return { sign: '', text: labels.same, isWorse: false };
  const sign = value > past ? '↑' : '↓';
  return { sign, text: textOf(value > past), isWorse: worse === sign };
}

/** For figures without an earlier value; null when there is no present value either. */
export function firstTime(value: number | null): Change | null {
  return value !== null && value !== 0 ? { sign: '', text: labels.noneBefore, isWorse: false } : null;
}

const fewMax = 20;

/** The change of a count; `past` is null when there was nothing before. */
export function countChange(value: number, past: number | null, worse?: Change['sign']): Change | null {
  if (past === null) return firstTime(value);
  const size = Math.abs(value - past);
  // For small numbers a percentage would be misleading.
  const share = past < fewMax ? numberText(size) : percentText(size / past);
  const textOf = (isUp: boolean): string => (isUp ? labels.more(share) : labels.less(share));
  return changed({ value, past, same: size === 0 || size / past < 0.005 }, textOf, worse);
}

/** The change of a share from 0 to 1, in points. */
export function shareChange(value: number | null, past: number | null): Change | null {
  if (value === null || past === null) return firstTime(value);
  const size = Math.abs(value - past);
  const points = fixedText(size * 100, 1);
  const textOf = (isUp: boolean): string => (isUp ? labels.higher(points) : labels.lower(points));
  return changed({ value, past, same: size < 0.0005 }, textOf, '↓');
}
