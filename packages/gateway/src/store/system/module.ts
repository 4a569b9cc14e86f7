/** Settings, and facts about the store. */
import { type StoreOf, storeModule } from '../module.ts';
import { type DayRequest, getSetting, newestEventAt, probe, putSetting, storeFacts, takeOfDay } from './operations.ts';
import { type NotedStanding, notedStanding, noteStanding, serverStanding } from './standing.ts';

export const systemStore = storeModule({
  name: 'system',
  writes: {
    putSetting: { run: putSetting, journal: 'apart', tool: true },
    takeOfDay: { run: takeOfDay, journal: 'apart' },
    probe: { run: probe, tool: true },
    noteStanding: { run: noteStanding, journal: 'apart' },
  },
  reads: {
    getSetting: { run: getSetting, needs: 'nothing' },
    storeFacts: { run: storeFacts },
    newestEventAt: { run: newestEventAt },
    serverStanding: { run: serverStanding, needs: 'nothing' },
    notedStanding: { run: notedStanding, needs: 'nothing' },
  },
  verbs: (on, engine) => ({
    async putSetting(name: string, value: string): Promise<void> {
      await on.putSetting([{ name, value }]);
    },
    takeOfDay: async (request: DayRequest) => (await on.takeOfDay([request]))[0]!,
    storeFacts: () => on.storeFacts(engine),
    serverStanding: () => on.serverStanding(engine),
    async noteStanding(standing: NotedStanding): Promise<void> {
      await on.noteStanding([standing]);
    },
    /** True when the store can take a write now. */
    async healthy() {
      try {
        await on.probe([null]);
        return true;
      } catch {
        return false;
      }
    },
  }),
});

export interface SystemStore extends StoreOf<typeof systemStore> {}
