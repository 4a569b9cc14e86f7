/** Majority vote with hysteresis over noisy observations. */

/** The majority is settled with this much more evidence than all other values together. */
const settledAt = 4;
/** Weight is capped here, so that a change is noticed after as much evidence to the contrary. */
const weightMax = 32;

export interface Majority<T> {
  observe(value: T): void;
  /** Null until settled. Once settled it stays until the contrary evidence outweighs it. */
  value(): T | null;
}

export function createMajority<T>(): Majority<T> {
  let leading: T | null = null;
  let weight = 0;
  let settled = false;
  return {
    observe: (value) => {
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
