/** Recipients that were refused while others of the same request were accepted. Visible to their own account only. */
import type { RequestId } from '../../../kernel/ids.ts';
import { type Operation, run } from '../../../store/query.ts';
import type { AcceptItem } from '../items.ts';
import type { RefusedCountsQuery, RefusedRecipient, RefusedRecipientsQuery } from '../message-log-items.ts';
import { countRefused, type NewRefusedRow, selectRefused, selectRefusedOf } from '../statements/refused.ts';
import { storable } from './storable.ts';

const nonDigits = /\D/g;

/** What people write for a number may be of any length. */
const recipientUnitsMax = 64;
const detailUnitsMax = 300;

/** A cut may fall between the halves of a character, and callers write whatever they like. */
const kept = (text: string, unitsMax: number): string => storable(text.slice(0, unitsMax).toWellFormed());

/** None when nothing of the request is accepted: there is no message to attach them to. */
export function refusedRows({ message, deliveries, refused = [] }: AcceptItem): NewRefusedRow[] {
  if (deliveries.length === 0) return [];
  return refused.map(({ place, to, status, detail }) => {
    const recipient = kept(to, recipientUnitsMax);
    return {
      request_id: message.requestId,
      account_id: message.accountId,
      place,
      status,
      recipient,
      number: recipient.replace(nonDigits, ''),
      detail: kept(detail, detailUnitsMax),
    };
  });
}

/** Of one request, in its order; none when nothing of it was accepted, or it is forgotten. */
export function* refusedRecipients({
  accountId: account_id,
  requestId: request_id,
  limit,
}: RefusedRecipientsQuery): Operation<RefusedRecipient[]> {
  const rows = yield* run(selectRefused, [{ account_id, request_id, limit }]);
  return rows.map(({ place, recipient: to, status, detail }) => ({ place, to, status, detail }));
}

/** For how many recipients each of these requests was refused; those that were not are left out. */
export function* refusedCounts({
  accountId: account_id,
  requestIds,
}: RefusedCountsQuery): Operation<{ requestId: RequestId; count: number }[]> {
  const asked = [...new Set(requestIds)].map((request_id) => ({ account_id, request_id }));
  const rows = yield* run(countRefused, asked);
  return rows.map(({ request_id: requestId, found: count }) => ({ requestId, count }));
}

/** Where a number was refused in these requests, however it was written. */
export function* refusedPlaces(
  requestIds: readonly string[],
  number: string,
): Operation<{ request_id: string; place: number }[]> {
  const rows = yield* run(
    selectRefusedOf,
    requestIds.map((request_id) => ({ request_id })),
  );
  return rows
    .filter(({ recipient }) => recipient.replace(nonDigits, '') === number)
    .map(({ request_id, place }) => ({ request_id, place }));
}
