/** Who may use the portal, and the audit log. */

import { type StoreOf, storeModule } from '../module.ts';
import { audit, auditCount, auditRows } from '../operations/audit.ts';
import { changePeople, oneTimeKey, oneTimeKeys, session, sessions, users } from '../operations/people.ts';

export const peopleStore = storeModule({
  name: 'people',
  writes: { changePeople: { run: changePeople, journal: 'apart', tool: true } },
  reads: {
    users: { run: users, needs: 'nothing' },
    session: { run: session, needs: 'nothing' },
    sessions: { run: sessions, needs: 'nothing' },
    oneTimeKey: { run: oneTimeKey, needs: 'nothing' },
    oneTimeKeys: { run: oneTimeKeys, needs: 'nothing' },
    audit: { run: audit, needs: 'nothing' },
    auditRows: { run: auditRows, needs: 'nothing' },
    auditCount: { run: auditCount, needs: 'nothing' },
  },
});

export interface PeopleStore extends StoreOf<typeof peopleStore> {}
