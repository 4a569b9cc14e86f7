/**
 * Planted bug: a delivery is recorded as delivered before it is sent. The crash suites must find events that never
 * arrive. Without a crash each is sent all the same.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { plantStore, withMethods } from './plant.ts';

const sendLaterMs = 600;

plantStore((store) =>
  withMethods(store, {
    fanOut: async (request) => {
      if (!(await store.fanOut(request))) return false;
      const outcomes = request.deliveries.map(({ endpointId, position, at }) => {
        const attempt = { at, durationMs: 1, status: 200, error: null, answer: '', skewSeconds: null };
        return { endpointId, position, attempt, tries: 0, to: 'delivered' as const, dueAt: at };
      });
      await store.recordAttempts({ outcomes, health: [] });
      await wait(sendLaterMs);
      return true;
    },
  }),
);
