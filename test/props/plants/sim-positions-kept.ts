/**
 * Planted bug: a node takes positions of the event log ahead, for several transactions. The simulation must find events that
 * are stored behind positions which readers have passed.
 */
import { createPositions as realPositions, type SharedPositions } from '../../../packages/gateway/src/store/context.ts';
import { standIn } from './plant.ts';

export * from '../../../packages/gateway/src/store/context.ts';

const aheadMax = 40;
let writers = 0;

export function createPositions(last: number): SharedPositions {
  const real = realPositions(last);
  const own = writers++ % 16;
  let taken = last;
  let left = 0;
  return {
    ...real,
    next: () => {
      left -= 1;
      taken += 16 - ((taken - own + 16) % 16);
      return taken;
    },
    goOn: (newest, run) => {
      real.goOn(newest, run);
      if (left > 0) return;
      left = aheadMax;
      taken = newest;
    },
  };
}

standIn('store/context.ts', import.meta.url);
