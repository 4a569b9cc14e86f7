/**
 * Random numbers that are the same in every run. Imports no test runner, so that processes which tests start can use it
 * too.
 */

/** Always 0.5; bytes count up, so that ids differ. */
export function steadyRandom(): { fraction(): number; bytes(count: number): Uint8Array<ArrayBuffer> } {
  let next = 0;
  return {
    fraction: () => 0.5,
    bytes: (count) => Uint8Array.from({ length: count }, () => next++ & 0xff),
  };
}

/** Numbers in [0, 1): a linear congruential generator. */
export function dice(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
