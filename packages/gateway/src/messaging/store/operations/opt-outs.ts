/** Reads of the opt-out list. */
import { type Operation, run } from '../../../store/query.ts';
import type { OptOut, OptOutsQuery } from '../items.ts';
import { type OptOutRow, selectOptOutPage, selectOptOuts, selectOptOutsOfScope } from '../statements/consent.ts';
import type { Subject } from './consent.ts';

/** Before and after all entries: contacts are digits. */
const first: Subject = { scope: '', contact: '' };
const lastContact = '~';

/** Contacts that are opted out, for the list in memory; `after` is the last entry of the page before. */
export function* optOutPage({ after, limit }: { after: Subject | null; limit: number }): Operation<Subject[]> {
  return yield* run(selectOptOutPage, [{ ...(after ?? first), limit }]);
}

/** Contacts of an account that are opted out, by contact and scope, with their proof; `after` is the last entry of the page before. */
export function* optOuts({ accountId, scope, contact, after, limit }: OptOutsQuery): Operation<OptOut[]> {
  const asked = { account_id: accountId, limit };
  if (scope !== null && contact === null) {
    return (yield* run(selectOptOutsOfScope, [{ ...asked, scope, contact: after?.contact ?? '' }])).map(asOptOut);
  }
  const from = contact === null ? (after ?? first) : { contact, scope: after?.scope ?? '' };
  const rows = yield* run(selectOptOuts, [
    { ...asked, ...from, last_contact: contact ?? lastContact, only_scope: scope },
  ]);
  return rows.map(asOptOut);
}

function asOptOut(row: OptOutRow): OptOut {
  return {
    accountId: row.account_id,
    scope: row.scope,
    contact: row.contact,
    at: row.since,
    how: row.how,
    reason: row.reason,
    evidenceMessageId: row.evidence_message_id,
  };
}
