/** The records of accounts, numbers, carriers and routes; and small named values. */

import { one, type StoreOf, storeModule } from '../module.ts';
import {
  editRecords,
  getSetting,
  probe,
  putRecords,
  putSetting,
  records,
  recordsVersion,
} from '../operations/records.ts';
import { newestSent, routeVersions } from '../operations/route-versions.ts';
import { newestEventAt, storeFacts } from '../operations/upkeep.ts';

export const recordStore = storeModule({
  name: 'records',
  writes: { putRecords: { run: putRecords, tool: true }, editRecords: { run: editRecords, tool: true } },
  reads: {
    records: { run: records, needs: 'nothing' },
    recordsVersion: { run: recordsVersion, needs: 'nothing' },
    routeVersions: { run: routeVersions, needs: 'nothing' },
    newestSent: { run: newestSent },
  },
  verbs: (on) => ({ putRecords: one(on.putRecords), editRecords: one(on.editRecords) }),
});

export interface RecordsStore extends StoreOf<typeof recordStore> {}

export const systemStore = storeModule({
  name: 'system',
  writes: {
    putSetting: { run: putSetting, journal: 'apart', tool: true },
    probe: { run: probe, tool: true },
  },
  reads: {
    getSetting: { run: getSetting, needs: 'nothing' },
    storeFacts: { run: storeFacts },
    newestEventAt: { run: newestEventAt },
  },
  verbs: (on, engine) => ({
    async putSetting(name: string, value: string): Promise<void> {
      await on.putSetting([{ name, value }]);
    },
    storeFacts: () => on.storeFacts(engine),
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
