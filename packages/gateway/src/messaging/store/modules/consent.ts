/** The opt-out list. */
import { type StoreOf, storeModule } from '../../../store/module.ts';
import type { ChangeConsentRequest } from '../items.ts';
import { changeConsent, consentState, optOutPage, optOuts } from '../operations/consent.ts';

export const consentStore = storeModule({
  name: 'consent',
  writes: { changeConsent: { run: changeConsent, events: true } },
  reads: {
    optOutPage: { run: optOutPage, needs: 'nothing' },
    optOuts: { run: optOuts, needs: 'nothing' },
    consentState: { run: consentState, needs: 'nothing' },
  },
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
