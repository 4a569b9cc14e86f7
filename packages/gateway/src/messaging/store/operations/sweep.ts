/**
 * Finds and handles overdue deliveries. Finding them (`overdue`) is a read, so a long queue never blocks the writer;
 * `sweep` re-reads each delivery and moves only those that are still overdue.
 */
import type { LaneId } from '../../../kernel/ids.ts';
import { type RepeatRules, repeatDueAt, repeatsAllowed } from '../../../model/repeats.ts';
import type { WriteContext } from '../../../store/context.ts';
import { type Operation, run } from '../../../store/query.ts';
import type { SweepRequest } from '../items.ts';
import { type DeliveryRow, selectDeliveries } from '../statements/deliveries.ts';
import {
  deleteInboundParts,
  type InboundPartRow,
  selectInboundBefore,
  selectWaitingBefore,
} from '../statements/inbound.ts';
import { deleteInboundMms, type InboundMmsRow, selectInboundMmsBefore } from '../statements/inbound-mms.ts';
import { deleteMediaJobs, selectMediaJobsBefore } from '../statements/media-jobs.ts';
import { deleteIdempotency } from '../statements/messages.ts';
import { selectOwners } from '../statements/owners.ts';
import {
  deleteReceiptKeys,
  deleteReceipts,
  type KeptReceiptRow,
  selectPartNumbers,
  selectReceiptsBefore,
} from '../statements/parts.ts';
import {
  postponeUncertain,
  selectAbandoned,
  selectExpired,
  selectIdempotencyBefore,
  selectLanes,
  selectLastRefusal,
  selectUndecided,
  selectUnreported,
} from '../statements/queue.ts';
import type { Transition } from '../transition.ts';
import { proveByEarly } from './early.ts';
import { redeliveryWindowMs, storeIncomplete } from './inbound.ts';
import { rememberedMs } from './inbound-mms.ts';
import { type Change, type Move, makeMoves } from './move.ts';
import { workingLanes } from './queue.ts';
import { keyRows } from './receipts.ts';

/** What the read found for the writer to change. */
export interface Overdue {
  request: SweepRequest;
  expired: string[];
  undecided: string[];
  unreported: string[];
  receipts: KeptReceiptRow[];
  idempotency: { account_id: string; key: string }[];
  /** Inbound parts whose siblings did not arrive. */
  incomplete: InboundPartRow[];
  /** Remembered inbound parts that are no longer needed. */
  forgotten: InboundPartRow[];
  forgottenMms: InboundMmsRow[];
  /** Jobs of requests past their validity. */
  mediaJobs: { request_id: string }[];
  /** True when a rule may have found only part of the overdue rows. */
  more: boolean;
}

export function* overdue(request: SweepRequest): Operation<Overdue> {
  const { now, limit } = request;
  const lanes = request.lanes ?? (yield* workingLanes());
  const expired = yield* overLanes(lanes.queued, selectExpired, now, limit);
  const undecided = yield* overLanes(lanes.uncertain, selectUndecided, now, limit);
  const unreported = yield* overLanes(lanes.sent, selectUnreported, now, limit);
  const receipts = yield* run(selectReceiptsBefore, [{ before: request.unmatchedReceiptsBefore, limit }]);
  const idempotency = yield* run(selectIdempotencyBefore, [{ now, limit }]);
  const before = { before: request.incompletePartsBefore, limit };
  const incomplete = yield* run(selectWaitingBefore, [before]);
  const forgotten = yield* run(selectInboundBefore, [{ before: now - redeliveryWindowMs, limit }]);
  const forgottenMms = yield* run(selectInboundMmsBefore, [{ before: now - rememberedMs, limit }]);
  const mediaJobs = yield* run(selectMediaJobsBefore, [{ now, limit }]);
  const found = {
    expired,
    undecided,
    unreported,
    receipts,
    idempotency,
    incomplete,
    forgotten,
    forgottenMms,
    mediaJobs,
  };
  return { request, ...found, more: Object.values(found).some((list) => list.length >= limit) };
}

/** True when the writer has nothing to change. */
export function nothingOverdue({ request: _, more: __, ...lists }: Overdue): boolean {
  return Object.values(lists).every((list) => list.length === 0);
}

function* overLanes(
  lanes: readonly LaneId[],
  select: typeof selectExpired | typeof selectUndecided | typeof selectUnreported,
  now: number,
  limit: number,
): Operation<string[]> {
  const found: string[] = [];
  for (const lane of lanes) {
    if (found.length >= limit) break;
    const rows = yield* run(select, [{ lane, now, limit: limit - found.length }]);
    found.push(...rows.map((row) => row.message_id));
  }
  return found;
}

export function* sweep(items: readonly Overdue[], context: WriteContext): Operation<Transition[][]> {
  const made: Transition[][] = [];
  for (const item of items) made.push(yield* sweepOnce(item, context));
  return made;
}

function* sweepOnce(found: Overdue, context: WriteContext): Operation<Transition[]> {
  const { now, holdAccountIds, repeats } = found.request;
  const ids = new Set([...found.expired, ...found.undecided, ...found.unreported]);
  const rows = yield* run(
    selectDeliveries,
    [...ids].map((message_id) => ({ message_id })),
  );
  const hold = new Set(holdAccountIds);
  const moves: Move[] = [];
  const postponed: DeliveryRow[] = [];
  const ended = yield* expiries(
    rows.filter(({ state, expires_at }) => state === 'queued' && expires_at <= now),
    now,
  );
  for (const row of rows) {
    const allowed = hold.has(row.account_id) ? 0 : repeatsOf(row, repeats);
    const change = ended.get(row.message_id) ?? overdueChange(row, now, allowed);
    if (change === 'later') postponed.push(row);
    else if (change !== null) moves.push({ row, change });
  }
  const made = yield* makeMoves(moves, context);
  yield* run(
    postponeUncertain,
    postponed.map(({ message_id, expires_at }) => ({ message_id, due_at: expires_at })),
  );
  made.push(...(yield* storeIncomplete(found.incomplete, context)));
  yield* run(deleteReceipts, found.receipts);
  yield* run(deleteReceiptKeys, found.receipts.flatMap(keyRows));
  yield* run(
    deleteIdempotency,
    found.idempotency.map((row) => ({ ...row, now })),
  );
  yield* run(deleteInboundParts, found.forgotten);
  yield* run(deleteInboundMms, found.forgottenMms);
  yield* run(deleteMediaJobs, found.mediaJobs);
  return made;
}

function repeatsOf({ doubt, account_id, lane }: DeliveryRow, { accounts, carriers }: RepeatRules): number {
  return repeatsAllowed(doubt, accounts[account_id], carriers[lane]);
}

/** How deliveries ended whose validity is over, by message. */
function* expiries(rows: readonly DeliveryRow[], now: number): Operation<Map<string, Change>> {
  const long = rows.filter(({ segments }) => segments > 1);
  const begun = new Set((yield* run(selectPartNumbers, long)).map((row) => row.message_id));
  const left = new Map((yield* run(selectLastRefusal, rows)).map((row) => [row.message_id, row]));
  return new Map(
    rows.map(({ message_id, dup_risk }) => {
      const { code = null, carrier_code = null } = left.get(message_id) ?? {};
      const isRefused = carrier_code !== null || code === 'CARRIER_UNAVAILABLE';
      const ending = { isRepeat: dup_risk === 1, isBegun: begun.has(message_id), isRefused };
      return [message_id, { ...expiry(ending), at: now, carrierCode: ending.isRepeat ? null : carrier_code }];
    }),
  );
}

interface Ending {
  isRepeat: boolean;
  /** The carrier accepted a part. */
  isBegun: boolean;
  /** The carrier did not take it at its last attempt. */
  isRefused: boolean;
}

/** What becomes of a delivery whose validity ended in the queue; `expired` says that nothing of it was ever sent. */
function expiry({ isRepeat, isBegun, isRefused }: Ending): Pick<Change, 'to' | 'code' | 'detail'> {
  if (isRepeat) {
    return { to: 'unconfirmed', code: 'UNCERTAIN', detail: 'Its validity ended before the repeat was sent.' };
  }
  const code = 'CARRIER_UNAVAILABLE';
  if (isBegun)
    return { to: 'failed', code, detail: 'Its validity ended before the carrier accepted all of its parts.' };
  if (isRefused) return { to: 'expired', code, detail: 'Its validity ended before the carrier accepted it.' };
  return { to: 'expired', code: 'EXPIRED', detail: 'Its validity ended before it was sent.' };
}

/**
 * The change of another overdue delivery in its current state. Null when it is no longer due; `later`: its repeats are used
 * up, and it waits for a receipt until its validity ends. `allowed`: the number of its repeats; with 0 a person
 * decides.
 */
function overdueChange(row: DeliveryRow, now: number, allowed: number): Change | 'later' | null {
  switch (row.state) {
    case 'uncertain': {
      if (row.due_at > now) return null;
      const detail = 'No receipt proved it; a person decides.';
      if (allowed === 0) return { to: 'held', at: now, code: 'UNCERTAIN', detail };
      if (row.expires_at <= now) {
        return {
          to: 'unconfirmed',
          at: now,
          code: 'UNCERTAIN',
          detail: 'Its validity ended, and no receipt proved it.',
        };
      }
      return row.repeats >= allowed ? 'later' : repeated(row, now, allowed);
    }
    case 'sent':
      if (row.due_at > now) return null;
      return { to: 'unconfirmed', at: now, code: 'NO_RECEIPT', detail: 'The carrier sent no final receipt in time.' };
    default:
      return null;
  }
}

function repeated({ repeats }: DeliveryRow, now: number, allowed: number): Change {
  const detail = `No receipt proved it; sent again, repeat ${repeats + 1} of at most ${allowed}.`;
  return { to: 'queued', at: now, dueAt: now, dupRisk: true, repeats: repeats + 1, detail };
}

export interface RecoverRequest {
  token: number;
  now: number;
  dueAt: number;
  limit: number;
}

/** After a start: deliveries that older starts left in `sending` become uncertain. */
export function* recover(items: readonly RecoverRequest[], context: WriteContext): Operation<Transition[][]> {
  const made: Transition[][] = [];
  for (const request of items) made.push(request.token === context.token ? yield* recoverOnce(request, context) : []);
  return made;
}

function* recoverOnce(request: RecoverRequest, context: WriteContext): Operation<Transition[]> {
  const owned = context.owned === undefined ? [] : yield* run(selectOwners, [{}]);
  // Live nodes keep what they own; each node recovers a send queue when it takes it.
  const others = new Set(owned.filter(({ lives }) => lives === 1).map(({ name }) => name));
  const moves: Transition[] = [];
  for (const { lane } of yield* run(selectLanes.sending, [{}])) {
    if (moves.length >= request.limit) break;
    if (others.has(lane)) continue;
    moves.push(...(yield* recoverLane(lane, { ...request, limit: request.limit - moves.length }, context)));
  }
  return moves;
}

/** The same for one send queue, in which no other node has anything under way. */
export function* recoverLane(
  lane: LaneId,
  { token, now, dueAt, limit }: RecoverRequest,
  context: WriteContext,
): Operation<Transition[]> {
  const rows = yield* run(selectAbandoned, [{ lane, token, limit }]);
  const detail = 'the gateway stopped while it was being sent';
  const times = { at: now, firstDueAt: dueAt, firstWaitMs: dueAt - now };
  const unanswered = rows.map(({ recipient, updated_at }) => ({ carrier: lane, recipient, since: updated_at }));
  const moves = yield* makeMoves(
    rows.map((row) => {
      const due = repeatDueAt({ repeats: row.repeats, expiresAt: row.expires_at }, times);
      return { row, change: { to: 'uncertain', at: now, code: 'UNCERTAIN', doubt: 'broken', dueAt: due, detail } };
    }),
    context,
  );
  return [...moves, ...(yield* proveByEarly(unanswered, context))];
}
