/** Made-up messages of a sandbox. */
import { oneDone, type StoreOf, storeModule } from '../../../store/module.ts';
import { addDemo, removableDemo, removeDemo } from './operations.ts';

export const demoStore = storeModule({
  name: 'demo',
  writes: { addDemo: { run: addDemo }, removeDemo: { run: removeDemo } },
  reads: { removableDemo: { run: removableDemo } },
  verbs: (on) => ({
    addDemo: oneDone(on.addDemo),
    /**
     * Removes what was made up between two times: looks at no more than `limit` messages, and takes their usage with the last
     * step. `cursor` is what the step before gave, null for the first; null comes back after the last.
     */
    async removeDemo(request: Parameters<typeof on.removableDemo>[0]) {
      const found = await on.removableDemo(request);
      if (found.gone !== null || found.usageOf !== null) await on.removeDemo([found]);
      return { deleted: found.gone?.messages.length ?? 0, cursor: found.cursor };
    },
  }),
});

export interface DemoStore extends StoreOf<typeof demoStore> {}
