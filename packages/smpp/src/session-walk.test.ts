/**
 * Random walks of a session: nothing throws, nothing is sent outside a bound state, each request gets exactly one
 * outcome.
 */
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { takeWalk, walk } from './session-walk.ts';

describe('random walks', () => {
  it('keep every invariant', () => {
    fc.assert(fc.property(walk, takeWalk), { numRuns: 500 });
  });
});
