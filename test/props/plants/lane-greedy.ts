/**
 * Every node believes to have all send queues: it takes each, whatever the store answers, and gives up none. Harmless, as
 * each claim compares who has the send queue on record; see `lane-blind.ts`.
 */
import { plantStore, withMethods } from './plant.ts';

plantStore((store) =>
  withMethods(store, {
    takeOwned: async (request) => {
      await store.takeOwned(request);
      return { kind: 'taken', uncertain: 0 };
    },
    clusterBoard: async () => {
      const board = await store.clusterBoard();
      const lanes = board.lanes.map(({ lane, node }) => ({
        lane,
        node: node === store.token ? node : null,
        meantFor: store.token,
      }));
      return { ...board, lanes };
    },
  }),
);
