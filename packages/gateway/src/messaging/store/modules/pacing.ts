/** Counts for the limits of carriers and campaigns, and the messages that wait for these limits. */
import { allDone, type StoreOf, storeModule } from '../../../store/module.ts';
import { countPace, lendPace } from '../operations/pace-shares.ts';
import { handedOver, makeDue, positionAt, waitingFor } from '../operations/pacing.ts';

export const pacingStore = storeModule({
  name: 'pacing',
  writes: {
    makeDue: { run: makeDue, stage: 'settle' },
    lendPace: { run: lendPace, journal: 'apart' },
    countPace: { run: countPace, journal: 'apart' },
  },
  reads: { positionAt: { run: positionAt }, handedOver: { run: handedOver }, waitingFor: { run: waitingFor } },
  verbs: (on) => ({
    countPace: allDone(on.countPace),
    /** Makes these messages due at `now` if they still wait in the queue. Returns how many were not yet due. */
    async makeDue(messageIds: string[], now: number) {
      return (await on.makeDue(messageIds.map((messageId) => ({ messageId, now })))).filter((due) => due).length;
    },
  }),
});

export interface PacingStore extends StoreOf<typeof pacingStore> {}
