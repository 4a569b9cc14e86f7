/** Recipients that were refused while others of the same request were accepted. Visible to their own account only. */
import type { RequestId } from '../../../kernel/ids.ts';
import { type Operation, run } from '../../../store/query.ts';
import type { AcceptItem } from '../items.ts';
import type { RefusedCountsQuery, RefusedRecipient, RefusedRecipientsQuery } from '../message-log-items.ts';
import { countRefused, type NewRefusedRow, selectRefused, selectRefusedOf } from '../statements/refused.ts';
import { storable } from './storable.ts';

const nonDigits = /\D/g;

/** Given recipients may be of any length. */
const recipientUnitsMax = 64;
const detailUnitsMax = 300;

/** A cut may split a surrogate pair, and callers may send anything. */
const kept = (text: string, unitsMax: number): string => storable(text.slice(0, unitsMax).toWellFormed());

/** None if the whole request is refused: there is no message to attach them to. */
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

/** Refused recipients of one request, in order; none if the whole request was refused, or it is deleted. */
export function* refusedRecipients({
  accountId: account_id,
  requestId: request_id,
  limit,
}: RefusedRecipientsQuery): Operation<RefusedRecipient[]> {
  const rows = yield* run(selectRefused, [{ account_id, request_id, limit }]);
  return rows.map(({ place, recipient: to, status, detail }) => ({ place, to, status, detail }));
}

/** Number of refused recipients of each request; requests without any are left out. */
export function* refusedCounts({
  accountId: account_id,
  requestIds,
}: RefusedCountsQuery): Operation<{ requestId: RequestId; count: number }[]> {
  const params = [...new Set(requestIds)].map((request_id) => ({ account_id, request_id }));
  const rows = yield* run(countRefused, params);
  return rows.map(({ request_id: requestId, found: count }) => ({ requestId, count }));
}

/** Places of a number among the refused recipients of these requests, in any spelling. */
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
