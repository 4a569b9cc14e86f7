/** Outcomes and usage joined by name; the delivery rate. Pure. */
import type { OutcomeCounts } from '../../api/routes/usage';
import { percentText } from '../../language/formats';
import { type Change, changed, firstTime } from '../../ui/change';
import { type Figures, messagesOf } from './periods';

const none: OutcomeCounts = { delivered: 0, failed: 0, waiting: 0 };

/** Share of the messages with an outcome; null when there are none. */
export function rateOf({ delivered, failed }: OutcomeCounts): number | null {
  return delivered + failed === 0 ? null : delivered / (delivered + failed);
}

/** Never rounded up: 100% means all of them. */
export function rateText(rate: number | null): string {
  return rate === null ? '—' : percentText(Math.floor(rate * 1_000 + 1e-9) / 1_000, 1);
}

export function totalOf(all: readonly OutcomeCounts[]): OutcomeCounts {
  return all.reduce(
    (sum, { delivered, failed, waiting }) => ({
      delivered: sum.delivered + delivered,
      failed: sum.failed + failed,
      waiting: sum.waiting + waiting,
    }),
    none,
  );
}

/** The outcomes of each name's messages. */
export function outcomesOf(
  names: readonly string[],
  counted: readonly (OutcomeCounts & { name: string })[],
): OutcomeCounts[] {
  const known = new Map(counted.map((counts) => [counts.name, counts]));
  return names.map((name) => known.get(name) ?? none);
}

export interface Grouped extends Figures {
  name: string;
  before: Figures | null;
  outcomes: OutcomeCounts;
}

/** Most messages first. */
export function byMessages(groups: readonly Grouped[]): Grouped[] {
  return groups.toSorted((a, b) => messagesOf(b) - messagesOf(a));
}

/** The change of a cost, as a share of the earlier one; null without one. */
export function costChange(
  cost: string | null,
  before: string | null,
  labels: { more(share: string): string; less(share: string): string },
): Change | null {
  if (cost === null || before === null) return null;
  const [value, past] = [Number(cost), Number(before)];
  if (past === 0) return firstTime(value);
  const size = Math.abs(value - past) / past;
  const textOf = (isUp: boolean): string => (isUp ? labels.more : labels.less)(percentText(size));
  return changed({ value, past, same: size < 0.005 }, textOf);
}
