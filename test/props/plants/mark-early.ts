/**
 * Planted bug: the log of events counts as given out before its deliveries are stored. The crash suites must find events
 * with it that never arrive. Without a crash nothing is missing.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { plantStore, withMethods } from './plant.ts';

const storeLaterMs = 600;

plantStore((store) =>
  withMethods(store, {
    fanOut: async ({ from, to, deliveries }) => {
      if (!(await store.fanOut({ from, to, deliveries: [] }))) return false;
      await wait(storeLaterMs);
      return await store.fanOut({ from: to, to, deliveries });
    },
  }),
);
