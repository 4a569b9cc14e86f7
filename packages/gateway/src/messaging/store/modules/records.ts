/** The records of accounts, numbers, carriers and routes. */
import { one, type StoreOf, storeModule } from '../../../store/module.ts';
import { editRecords, putRecords, records, recordsVersion } from '../operations/records.ts';
import { newestSent, routeVersions } from '../operations/route-versions.ts';

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
