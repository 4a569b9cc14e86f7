/** Usage counts for billing. */
import { one, type StoreOf, storeModule } from '../../../store/module.ts';
import { addUsage, countedTo, outcomes, takenAfter, usage, usageLines, usageTotal } from './operations.ts';

export const usageStore = storeModule({
  name: 'usage',
  writes: { addUsage: { run: addUsage, journal: 'apart' } },
  reads: {
    countedTo: { run: countedTo, needs: 'nothing' },
    takenAfter: { run: takenAfter, needs: 'nothing' },
    usage: { run: usage, needs: 'nothing' },
    usageTotal: { run: usageTotal, needs: 'nothing' },
    usageLines: { run: usageLines, needs: 'nothing' },
    outcomes: { run: outcomes },
  },
  verbs: (on) => ({ addUsage: one(on.addUsage) }),
});

export interface UsageStore extends StoreOf<typeof usageStore> {}
