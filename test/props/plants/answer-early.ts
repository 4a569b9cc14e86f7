/** Planted bug: a send is answered before its commit. The crash suites must find lost messages. */
import { plantStore, withMethods } from './plant.ts';

const commitLaterMs = 20;

plantStore((store) =>
  withMethods(store, {
    accept: async (items) => {
      // Nobody waits for it, so a store that is away fails nobody.
      setTimeout(() => void store.accept(items).catch(() => {}), commitLaterMs);
      return items.map(() => ({ kind: 'stored' }));
    },
  }),
);
