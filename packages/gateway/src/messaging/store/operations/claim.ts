/**
 * Claims due deliveries of a send queue. They are `sending` on disk before the caller gets them; a delivery that was
 * not moved must never be returned.
 */
import type { EpochMs } from '../../../kernel/clock.ts';
import type { LaneId } from '../../../kernel/ids.ts';
import { restAfter } from '../../../kernel/paced-look.ts';
import type { Claim, MmsClaim, PreparedMedia, SmsClaim } from '../../../model/delivery.ts';
import { partNumbers } from '../../../model/spans.ts';
import { hasLane, queueTime, type WriteContext } from '../../../store/context.ts';
import { type Operation, run } from '../../../store/query.ts';
import type { ClaimRequest } from '../items.ts';
import {
  type DueMessageRow,
  type DueRow,
  recentFrom,
  selectDueMessages,
  selectNothing,
} from '../statements/deliveries.ts';
import { selectPartNumbers } from '../statements/parts.ts';
import { preparedMedia } from './media.ts';
import { takeDue } from './move.ts';

/** How far before the head of a queue a claim starts to look: twice the difference of two clocks that counts as none. */
const headMarginMs = 2_000;
/** How often it does in a backlog. */
const marginEveryMs = 250;
/** How often a claim looks at the whole queue: from this on, the more seldom, the longer that took twice in a row. */
const wholeEveryMs = 10_000;
const wholeSeldomMs = 60_000;

/** Sequence of the first attempt of a delivery that never waited for anything but its turn. */
const firstSendingSequence = 3;

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

function* claimLane(request: ClaimRequest, context: WriteContext): Operation<Claimed> {
  const due = yield* dueRows(request, context);
  const tried = due.filter((row) => row.sequence > firstSendingSequence);
  const partsAccepted = yield* numbersAccepted(tried);
  const requestIds = [...new Set(due.map((row) => row.request_id))];
  const messages = yield* run(selectDueMessages, requestIds.map(byRequest));
  const media = yield* preparedMedia(messages.filter(isMms).map((row) => row.request_id));
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
 * margin covers the clocks of other nodes and rows stored late. Messages due even earlier, as after a failover, and those
 * accepted long ago are found by the next look at the whole queue, which takes at most a two-hundredth of the time. In a backlog
 * the margin alone has thousands of claimed rows, so a claim starts where the last one ended, as long as each gets all it wants.
 */
function* dueRows({ lane, now, limit }: ClaimRequest, context: WriteContext): Operation<DueRow[]> {
  const { heads } = context;
  const until = queueTime(context, now);
  const takeAll = () => takeDue({ lane, first: '', since: 0, until, now, limit }, context);
  const take = (since: EpochMs, most: number) =>
    takeDue({ lane, first: recentFrom(now), since, until, now, limit: most }, context);
  if (heads === undefined) return yield* takeAll();
  const head = heads.byLane.get(lane);
  // The clock may have been set back.
  const isOver = (at: EpochMs, ms: number) => Math.abs(until - at) >= ms;
  if (head === undefined || isOver(head.wholeAt, head.wholeEveryMs)) {
    // The first answer of a transaction waits for its turn among the nodes, which is no part of the look.
    yield* run(selectNothing, [{}]);
    const startedMs = heads.monotonicMs();
    const due = yield* takeAll();
    const tookMs = heads.monotonicMs() - startedMs;
    // A machine that stood still for a moment makes one look seem long.
    const everyMs = Math.max(wholeEveryMs, restAfter(Math.min(tookMs, head?.wholeTookMs ?? 0), wholeSeldomMs));
    const whole = { wholeAt: until, wholeTookMs: tookMs, wholeEveryMs: everyMs };
    heads.byLane.set(lane, { ...endOf(due), marginAt: until, ...whole });
    return due;
  }
  const goesOn = head.next !== null && !isOver(head.marginAt, marginEveryMs);
  const due = yield* take(goesOn ? head.next! : head.since, limit);
  const ended = goesOn && due.length < limit;
  if (ended) due.unshift(...(yield* take(head.since, limit - due.length)));
  heads.byLane.set(lane, { ...head, ...endOf(due), marginAt: goesOn && !ended ? head.marginAt : until });
  return due;

  function endOf(found: readonly DueRow[]) {
    const next = found.length === limit ? found.at(-1)!.due_at : null;
    return { since: (found[0]?.due_at ?? until) - headMarginMs, next };
  }
}

/** Messages that this node moves into a queue are claimed in their turn, however old they are. */
export function lowerHead({ heads }: Pick<WriteContext, 'heads'>, lane: LaneId, dueAt: EpochMs): void {
  const head = heads?.byLane.get(lane);
  if (head === undefined) return;
  head.since = Math.min(head.since, dueAt);
  head.next = null;
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
