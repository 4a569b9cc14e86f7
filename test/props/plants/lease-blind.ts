/**
 * Planted bug: a node sends messages to carriers without checking its lease. It keeps what it has committed for a
 * moment, so that a pause leaves something to send. The standby suite must find texts from a node that another one has
 * replaced.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { plantStore, withMethods } from './plant.ts';

const heldMs = 100;

plantStore((store) => {
  const heldBack = async <T>(committed: T): Promise<T> => {
    await wait(heldMs);
    return committed;
  };
  return withMethods(store, {
    mayHandOver: () => true,
    accept: (items) => store.accept(items).then(heldBack),
    claim: (request) => store.claim(request).then(heldBack),
  });
});
