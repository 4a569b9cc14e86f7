/** Reads of the audit log. Each entry is written in the transaction that it describes. */
import { type StoreOf, storeModule } from '../../../store/module.ts';
import { audit, auditCount, auditRows } from '../operations/audit.ts';

export const auditStore = storeModule({
  name: 'audit',
  writes: {},
  reads: {
    audit: { run: audit, needs: 'nothing' },
    auditRows: { run: auditRows, needs: 'nothing' },
    auditCount: { run: auditCount, needs: 'nothing' },
  },
});

export interface AuditStore extends StoreOf<typeof auditStore> {}
