/**
 * Claims due deliveries of a send queue. They are `sending` on disk before the caller gets them; a delivery that was
 * not moved must never be returned.
 */
import type { EpochMs } from '../../../kernel/clock.ts';
import type { LaneId } from '../../../kernel/ids.ts';
import { restPerLook } from '../../../kernel/paced-look.ts';
import type { Claim, MmsClaim, PreparedMedia, SmsClaim } from '../../../model/delivery.ts';
import { partNumbers } from '../../../model/spans.ts';
import { hasLane, queueTime, type WriteContext } from '../../../store/context.ts';
import { type Operation, run } from '../../../store/query.ts';
import type { ClaimRequest } from '../items.ts';
import {
  type DueMessageRow,
  type DueRow,
  selectDue,
  selectDueMessages,
  selectNothing,
} from '../statements/deliveries.ts';
import { selectPartNumbers } from '../statements/parts.ts';
import { preparedMedia } from './media.ts';
import { makeMoves } from './move.ts';

/** How far before the head of a queue a claim starts to look: twice the difference of two clocks that counts as none. */
const headMarginMs = 2_000;
/** How often a claim looks at the whole queue, at most. */
const wholeEveryMs = 10_000;

/** Sequence of a delivery before its first attempt: only `accepted` and `queued` precede it. */
const untriedSequence = 2;

/** Claimed deliveries, with the fields that all recipients of a request share listed once. */
export interface Claimed {
  requests: (Omit<SmsClaim, OfDelivery> | Omit<MmsClaim, OfDelivery>)[];
  deliveries: (Pick<SmsClaim, OfDelivery> & { request: number })[];
}

/** The row also has `segments` and `concatReference`, even for an MMS. */
type OfDelivery =
  | 'messageId'
  | 'accountId'
  | 'lane'
  | 'attempt'
  | 'dupRisk'
  | 'to'
  | 'segments'
  | 'concatReference'
  | 'expiresAt'
  | 'partsAccepted';

/** The claims as callers get them. */
export function unfoldClaims({ requests, deliveries }: Claimed): Claim[] {
  return deliveries.map(({ request, segments, concatReference, ...delivery }) => {
    const shared = requests[request]!;
    return shared.messageType === 'SMS'
      ? { ...shared, ...delivery, segments, concatReference }
      : { ...shared, ...delivery };
  });
}

/** One list per request. A request gets nothing if its token is not this node's or another node owns its queue. */
export function* claim(requests: readonly ClaimRequest[], context: WriteContext): Operation<Claimed[]> {
  const claims: Claimed[] = [];
  for (const request of requests) {
    const may = request.token === context.token && hasLane(context, request.lane) && request.limit > 0;
    claims.push(may ? yield* claimLane(request, context) : { requests: [], deliveries: [] });
  }
  return claims;
}

function* claimLane({ lane, now, limit, token }: ClaimRequest, context: WriteContext): Operation<Claimed> {
  const due = yield* dueRows({ lane, now, limit }, context);
  const tried = due.filter((row) => row.sequence > untriedSequence);
  const partsAccepted = yield* numbersAccepted(tried);
  const requestIds = [...new Set(due.map((row) => row.request_id))];
  const messages = yield* run(selectDueMessages, requestIds.map(byRequest));
  const media = yield* preparedMedia(messages.filter(isMms).map((row) => row.request_id));
  yield* makeMoves(
    due.map((row) => ({
      row,
      change: { to: 'sending', at: now, attempts: row.attempts + 1, token, carrier: lane },
    })),
    context,
  );
  const places = new Map(messages.map((row, place) => [row.request_id, place]));
  return {
    requests: messages.map((row) => asRequest(row, media.get(row.request_id) ?? null)),
    deliveries: due.map((row) => ({
      ...asDelivery(row, partsAccepted.get(row.message_id) ?? []),
      request: places.get(row.request_id)!,
    })),
  };
}

/**
 * PostgreSQL keeps the index entry of a claimed row for as long as any older snapshot exists, and a scan from the
 * queue's beginning would read all of them. So a claim starts a little before the head that the last one found; the
 * margin covers the clocks of other nodes and rows stored late. Messages due even earlier, as after a failover, are
 * found by the next look at the whole queue, which takes at most a two-hundredth of the time.
 */
function* dueRows({ lane, now, limit }: Omit<ClaimRequest, 'token'>, context: WriteContext): Operation<DueRow[]> {
  const { heads } = context;
  const until = queueTime(context, now);
  if (heads === undefined) return yield* run(selectDue, [{ lane, since: 0, until, now, limit }]);
  const head = heads.byLane.get(lane);
  const isWhole = head === undefined || Math.abs(until - head.wholeAt) >= head.wholeEveryMs;
  // The first answer of a transaction waits for its turn among the nodes, which is no part of the look.
  if (isWhole) yield* run(selectNothing, [{}]);
  const startedMs = heads.monotonicMs();
  const due = yield* run(selectDue, [{ lane, since: isWhole ? 0 : head.since, until, now, limit }]);
  const whole = isWhole
    ? { wholeAt: until, wholeEveryMs: Math.max(wholeEveryMs, (heads.monotonicMs() - startedMs) * restPerLook) }
    : { wholeAt: head.wholeAt, wholeEveryMs: head.wholeEveryMs };
  heads.byLane.set(lane, { since: (due[0]?.due_at ?? until) - headMarginMs, ...whole });
  return due;
}

/** Messages that this node moves into a queue are claimed in their turn, however old they are. */
export function lowerHead({ heads }: Pick<WriteContext, 'heads'>, lane: LaneId, dueAt: EpochMs): void {
  const head = heads?.byLane.get(lane);
  if (head !== undefined) head.since = Math.min(head.since, dueAt);
}

function byRequest(request_id: string) {
  return { request_id };
}

function isMms(row: DueMessageRow): boolean {
  return row.message_type === 'MMS';
}

function* numbersAccepted(rows: readonly DueRow[]): Operation<Map<string, number[]>> {
  const found = yield* run(selectPartNumbers, rows);
  const numbers = new Map<string, number[]>();
  for (const row of found) {
    numbers.set(row.message_id, [...(numbers.get(row.message_id) ?? []), ...partNumbers(row)]);
  }
  return numbers;
}

function asRequest(row: DueMessageRow, media: PreparedMedia | null): Claimed['requests'][number] {
  const shared = { keyId: row.key_id, from: row.sender, text: row.text, acceptedAt: row.accepted_at };
  return row.message_type === 'SMS'
    ? { ...shared, messageType: row.message_type }
    : { ...shared, messageType: row.message_type, mediaUrls: JSON.parse(row.media_urls), media };
}

function asDelivery(row: DueRow, partsAccepted: number[]): Pick<SmsClaim, OfDelivery> {
  return {
    messageId: row.message_id,
    accountId: row.account_id,
    lane: row.lane,
    attempt: row.attempts,
    dupRisk: row.dup_risk === 1,
    to: row.recipient,
    segments: row.segments,
    concatReference: row.concat_reference,
    expiresAt: row.expires_at,
    partsAccepted: partsAccepted.sort((a, b) => a - b),
  };
}
