/**
 * Planted bug: a node hands messages to carriers whether or not it still has its lease. What it has just committed stays with
 * it for a moment, so that a pause finds something to hand over. The standby suite must find texts on the wire of a node that
 * another one has replaced.
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
