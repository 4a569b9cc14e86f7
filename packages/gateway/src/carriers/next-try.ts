/** The status text of a lost connection, with the time until the next attempt. */
import type { Clock } from '../kernel/clock.ts';

export interface LastDetail {
  detail: string | null;
  /** On the monotonic clock; null while no attempt is planned. */
  nextTryMs: number | null;
}

export function lastDetail({ detail, nextTryMs }: LastDetail, clock: Pick<Clock, 'monotonicMs'>): string | null {
  if (detail === null || nextTryMs === null) return detail;
  const seconds = Math.ceil((nextTryMs - clock.monotonicMs()) / 1_000);
  return `${detail}; ${seconds > 0 ? `next try in ${seconds} s` : 'trying now'}`;
}
