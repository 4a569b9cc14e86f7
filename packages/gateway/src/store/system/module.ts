/** Settings, and facts about the store. */
import { type StoreOf, storeModule } from '../module.ts';
import { type DayRequest, getSetting, newestEventAt, probe, putSetting, storeFacts, takeOfDay } from './operations.ts';
import { type NotedPostgresState, notedPostgresState, notePostgresState, postgresState } from './postgres-state.ts';

export const systemStore = storeModule({
  name: 'system',
  writes: {
    putSetting: { run: putSetting, journal: 'apart', tool: true },
    takeOfDay: { run: takeOfDay, journal: 'apart' },
    probe: { run: probe, tool: true },
    notePostgresState: { run: notePostgresState, journal: 'apart' },
  },
  reads: {
    getSetting: { run: getSetting, needs: 'nothing' },
    storeFacts: { run: storeFacts },
    newestEventAt: { run: newestEventAt },
    postgresState: { run: postgresState, needs: 'nothing' },
    notedPostgresState: { run: notedPostgresState, needs: 'nothing' },
  },
  verbs: (on, engine) => ({
    async putSetting(name: string, value: string): Promise<void> {
      await on.putSetting([{ name, value }]);
    },
    takeOfDay: async (request: DayRequest) => (await on.takeOfDay([request]))[0]!,
    storeFacts: () => on.storeFacts(engine),
    postgresState: () => on.postgresState(engine),
    async notePostgresState(state: NotedPostgresState): Promise<void> {
      await on.notePostgresState([state]);
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
