/**
 * Counts units over the last minute, so that no minute, wherever it begins, exceeds a limit. Pure: the caller passes
 * monotonic milliseconds.
 */

export interface MinuteWindow {
  used(nowMs: number): number;
  took(nowMs: number, units: number): void;
  /** Ms until `units` more fit under the limit; 0 = now. */
  waitMs(nowMs: number, units: number, limit: number): number;
}

const secondMs = 1_000;
/** Any span of 60 s lies within 61 whole seconds. */
const seconds = 61;

export function createMinuteWindow(): MinuteWindow {
  const counts = new Array<number>(seconds).fill(0);
  let newest = 0;
  let sum = 0;

  /** Drops seconds that are older than the window. */
  const turn = (nowMs: number): void => {
    const second = Math.max(newest, Math.floor(nowMs / secondMs));
    for (let passed = newest + 1; passed <= second && passed <= newest + seconds; passed++) {
      sum -= counts[passed % seconds]!;
      counts[passed % seconds] = 0;
    }
    newest = second;
  };

  return {
    used: (nowMs) => {
      turn(nowMs);
      return sum;
    },
    took: (nowMs, units) => {
      turn(nowMs);
      counts[newest % seconds] = counts[newest % seconds]! + units;
      sum += units;
    },
    waitMs: (nowMs, units, limit) => {
      turn(nowMs);
      let left = sum;
      if (left + units <= limit) return 0;
      for (let second = newest - seconds + 1; second <= newest; second++) {
        left -= counts[((second % seconds) + seconds) % seconds]!;
        if (left + units <= limit) return (second + seconds) * secondMs - nowMs;
      }
      return seconds * secondMs;
    },
  };
}
