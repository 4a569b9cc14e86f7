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
     * Enters or lifts opt-outs; one event (`contact.opted_out`, `contact.opted_in`) for each that changed, in the same
     * commit. `eventIds`: one to use per change. True per change that changed something. The caller checks that the
     * scope belongs to the account.
     */
    changeConsent({ changes, eventIds }: ChangeConsentRequest) {
      return on.changeConsent(changes.map((change, index) => ({ change, eventId: eventIds[index]! })));
    },
  }),
});

export interface ConsentStore extends StoreOf<typeof consentStore> {}
