/** Majority vote with hysteresis over noisy observations. */

/** So much more evidence than for all others together settles it. */
const settledAt = 4;
/** Beyond that evidence is not counted, so that a change is noticed after as much to the contrary. */
const weightMax = 32;

export interface Majority<T> {
  saw(value: T): void;
  /** Null until it is settled. Once settled it stays until the contrary has outweighed it. */
  value(): T | null;
}

export function createMajority<T>(): Majority<T> {
  let leading: T | null = null;
  let weight = 0;
  let settled = false;
  return {
    saw: (value) => {
      if (weight === 0) {
        leading = value;
        settled = false;
      }
      weight += value === leading ? 1 : -1;
      weight = Math.min(weight, weightMax);
      settled ||= weight >= settledAt;
    },
    value: () => (settled && weight > 0 ? leading : null),
  };
}
