/** Which node owns which send queue. */
import { allDone, one, oneDone, type StoreOf, storeModule } from '../../../store/module.ts';
import {
  announceNode,
  carrierAnswers,
  clusterBoard,
  dropAnswers,
  giveUpOwned,
  keepAnswer,
  planOwners,
  takeOwned,
} from '../operations/owners.ts';

export const ownerStore = storeModule({
  name: 'owners',
  writes: {
    announceNode: { run: announceNode },
    planOwners: { run: planOwners },
    takeOwned: { run: takeOwned, stage: 'settle', events: true },
    /** After writes that settle, before those that claim. */
    giveUpOwned: { run: giveUpOwned },
    keepAnswer: { run: keepAnswer },
    dropAnswers: { run: dropAnswers },
  },
  reads: {
    clusterBoard: { run: clusterBoard, needs: 'nothing' },
    carrierAnswers: { run: carrierAnswers, needs: 'nothing' },
  },
  verbs: (on) => ({
    announceNode: oneDone(on.announceNode),
    planOwners: oneDone(on.planOwners),
    takeOwned: one(on.takeOwned),
    giveUpOwned: one(on.giveUpOwned),
    keepAnswer: oneDone(on.keepAnswer),
    dropAnswers: allDone(on.dropAnswers),
  }),
});

export interface OwnerStore extends StoreOf<typeof ownerStore> {}
