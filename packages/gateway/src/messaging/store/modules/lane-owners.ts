/** Which of several nodes has which send queue. */
import { one, oneDone, type StoreOf, storeModule } from '../../../store/module.ts';
import { announceNode, clusterBoard, giveUpLane, planLanes, takeLane } from '../operations/lane-owners.ts';

export const laneOwnerStore = storeModule({
  name: 'laneOwners',
  writes: {
    announceNode: { run: announceNode },
    planLanes: { run: planLanes },
    takeLane: { run: takeLane, stage: 'settle', events: true },
    /** After what settles, before what claims. */
    giveUpLane: { run: giveUpLane },
  },
  reads: { clusterBoard: { run: clusterBoard, needs: 'nothing' } },
  verbs: (on) => ({
    announceNode: oneDone(on.announceNode),
    planLanes: oneDone(on.planLanes),
    takeLane: one(on.takeLane),
    giveUpLane: one(on.giveUpLane),
  }),
});

export interface LaneOwnerStore extends StoreOf<typeof laneOwnerStore> {}
