/** Which of several nodes has which send queue. */
import { allDone, one, oneDone, type StoreOf, storeModule } from '../../../store/module.ts';
import {
  announceNode,
  carrierAnswers,
  clusterBoard,
  dropAnswers,
  giveUpLane,
  keepAnswer,
  planLanes,
  takeLane,
} from '../operations/lane-owners.ts';

export const laneOwnerStore = storeModule({
  name: 'laneOwners',
  writes: {
    announceNode: { run: announceNode },
    planLanes: { run: planLanes },
    takeLane: { run: takeLane, stage: 'settle', events: true },
    /** After what settles, before what claims. */
    giveUpLane: { run: giveUpLane },
    keepAnswer: { run: keepAnswer },
    dropAnswers: { run: dropAnswers },
  },
  reads: {
    clusterBoard: { run: clusterBoard, needs: 'nothing' },
    carrierAnswers: { run: carrierAnswers, needs: 'nothing' },
  },
  verbs: (on) => ({
    announceNode: oneDone(on.announceNode),
    planLanes: oneDone(on.planLanes),
    takeLane: one(on.takeLane),
    giveUpLane: one(on.giveUpLane),
    keepAnswer: oneDone(on.keepAnswer),
    dropAnswers: allDone(on.dropAnswers),
  }),
});

export interface LaneOwnerStore extends StoreOf<typeof laneOwnerStore> {}
