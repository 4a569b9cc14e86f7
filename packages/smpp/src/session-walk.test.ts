/** Random walks of a session: nothing throws, nothing is sent outside a bound state, each request is told exactly once. */
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { takeWalk, walk } from './session-walk.ts';

describe('random walks', () => {
  it('keep every promise', () => {
    fc.assert(fc.property(walk, takeWalk), { numRuns: 500 });
  });
});
