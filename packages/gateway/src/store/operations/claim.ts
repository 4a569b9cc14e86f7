/**
 * Takes due deliveries of a lane for sending. They are `sending` on disk before a caller sees them; this must never hand
 * out a delivery that it did not move.
 */
import type { Claim, PreparedMedia } from '../../domain/delivery.ts';
import { type Operation, run } from '../query.ts';
import { type DueRow, selectDue } from '../statements/deliveries.ts';
import { selectPartNumbers } from '../statements/parts.ts';
import type { ClaimRequest } from '../store.ts';
import type { WriteContext } from './context.ts';
import { preparedMedia } from './media.ts';
import { makeMoves } from './move.ts';

/** Sequence of a delivery nobody has tried yet: only `accepted` and `queued` lie behind it. */
const untriedSequence = 2;

/** One list per request. A request with a token that is not this node's gets nothing. */
export function* claim(requests: readonly ClaimRequest[], context: WriteContext): Operation<Claim[][]> {
  const claims: Claim[][] = [];
  for (const request of requests) {
    claims.push(request.token === context.token && request.limit > 0 ? yield* claimLane(request, context) : []);
  }
  return claims;
}

function* claimLane({ lane, now, limit, token }: ClaimRequest, context: WriteContext): Operation<Claim[]> {
  const due = yield* run(selectDue, [{ lane, now, limit }]);
  const tried = due.filter((row) => row.sequence > untriedSequence);
  const partsAccepted = yield* partNumbers(tried);
  const mms = due.filter((row) => row.message_type === 'MMS');
  const media = yield* preparedMedia(mms.map((row) => row.request_id));
  yield* makeMoves(
    due.map((row) => ({
      row,
      change: { to: 'sending', at: now, attempts: row.attempts + 1, token, carrier: lane },
    })),
    context,
  );
  return due.map((row) => asClaim(row, partsAccepted.get(row.message_id) ?? [], media.get(row.request_id) ?? null));
}

function* partNumbers(rows: readonly DueRow[]): Operation<Map<string, number[]>> {
  const found = yield* run(selectPartNumbers, rows);
  const numbers = new Map<string, number[]>();
  for (const { message_id, part } of found) numbers.set(message_id, [...(numbers.get(message_id) ?? []), part]);
  return numbers;
}

function asClaim(row: DueRow, partsAccepted: number[], media: PreparedMedia | null): Claim {
  return {
    messageId: row.message_id,
    accountId: row.account_id,
    keyId: row.key_id,
    lane: row.lane,
    attempt: row.attempts,
    dupRisk: row.dup_risk === 1,
    from: row.sender,
    to: row.recipient,
    text: row.text,
    mediaUrls: JSON.parse(row.media_urls),
    media,
    messageType: row.message_type,
    segments: row.segments,
    concatReference: row.concat_reference,
    expiresAt: row.expires_at,
    acceptedAt: row.accepted_at,
    partsAccepted: partsAccepted.sort((a, b) => a - b),
  };
}
