/** Who may use the portal, who wants no messages, and the audit log. */

import type { ChangeConsentRequest } from '../items.ts';
import { type StoreOf, storeModule } from '../module.ts';
import { changeConsent } from '../operations/consent.ts';
import { optOutPage, optOuts } from '../operations/opt-outs.ts';
import {
  audit,
  auditCount,
  auditRows,
  changePeople,
  oneTimeKey,
  oneTimeKeys,
  session,
  sessions,
  users,
} from '../operations/people.ts';

export const consentStore = storeModule({
  name: 'consent',
  writes: { changeConsent: { run: changeConsent, events: true } },
  reads: { optOutPage: { run: optOutPage, needs: 'nothing' }, optOuts: { run: optOuts, needs: 'nothing' } },
  verbs: (on) => ({
    /**
     * Enters or lifts; one event (`contact.opted_out`, `contact.opted_in`) for each that changed, in the same commit.
     * `eventIds`: one to use per change. True per change that changed something. That the scope is the account's is for the
     * caller to know.
     */
    changeConsent({ changes, eventIds }: ChangeConsentRequest) {
      return on.changeConsent(changes.map((change, index) => ({ change, eventId: eventIds[index]! })));
    },
  }),
});

export interface ConsentStore extends StoreOf<typeof consentStore> {}

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
