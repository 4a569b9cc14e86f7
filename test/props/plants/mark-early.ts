/**
 * Planted bug: the mark in the event log advances before the deliveries are stored. The crash suites must find events
 * that never arrive. Nothing is lost without a crash.
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
