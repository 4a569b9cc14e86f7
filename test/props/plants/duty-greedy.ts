/**
 * Every node believes to have all duties: it takes each, whatever the store answers, and gives up none. Harmless, as each
 * write compares who has the duty on record; see `duty-blind.ts`.
 */
import { dutyOf } from '../../../packages/gateway/src/model/duty.ts';
import { plantStore, withMethods } from './plant.ts';

plantStore((store) =>
  withMethods(store, {
    takeOwned: async (request) => {
      const taken = await store.takeOwned(request);
      return dutyOf(request.name) === null ? taken : { kind: 'taken', uncertain: 0 };
    },
    clusterBoard: async () => {
      const board = await store.clusterBoard();
      const duties = board.duties.map(({ duty, node }) => ({
        duty,
        node: node === store.token ? node : null,
        meantFor: store.token,
      }));
      return { ...board, duties };
    },
  }),
);
