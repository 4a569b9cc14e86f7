/** When two clocks count as different: never because of the duration of an answer. */
import '../../language/english';

import { describe, expect, it } from 'vitest';
import { clockSkewSeconds } from './upkeep';

const at = (ms: number) => new Date(1_700_000_000_000 + ms).toISOString();
const t0 = 1_700_000_000_000;

describe('the clock of the gateway', () => {
  it('agrees while it lies between question and answer, or near', () => {
    expect(clockSkewSeconds(at(9_000), t0, t0 + 20_000)).toBe(0);
    expect(clockSkewSeconds(at(-4_000), t0, t0 + 10)).toBe(0);
    expect(clockSkewSeconds(at(4_000), t0, t0 + 10)).toBe(0);
  });

  it('shows how far it is off', () => {
    expect(clockSkewSeconds(at(-60_000), t0, t0 + 10)).toBe(60);
    expect(clockSkewSeconds(at(60_010), t0, t0 + 10)).toBe(60);
  });
});
