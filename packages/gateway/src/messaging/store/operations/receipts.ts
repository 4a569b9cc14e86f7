/**
 * Applies receipts: matches them, stores the status on the part, moves the delivery once all parts are final, and
 * keeps unmatched receipts. A final status is never replaced.
 */
import type { Receipt } from '../../../model/delivery.ts';
import { mayMove, wholeFromParts } from '../../../model/lifecycle.ts';
import { readOutcomeCode } from '../../../model/reason.ts';
import { partNumbers } from '../../../model/spans.ts';
import type { WriteContext } from '../../../store/context.ts';
import { type Operation, run } from '../../../store/query.ts';
import { type DeliveryRow, selectDeliveries } from '../statements/deliveries.ts';
import {
  insertReceiptKeys,
  insertReceipts,
  type KeptReceiptRow,
  type PartRow,
  selectNewestReceipts,
  selectParts,
  updatePartStates,
} from '../statements/parts.ts';
import type { Transition } from '../transition.ts';
import { type MatchedPart, matchById, matchByProof } from './match.ts';
import { type Change, makeMoves } from './move.ts';
import { storable } from './storable.ts';

/** How long a delivery that a receipt proved sent waits for its final receipt. */
const receiptWaitMs = 72 * 3_600_000;

export interface AppliedReceipts {
  /** The moves that each receipt caused, by its index in the batch. */
  made: Transition[][];
  matched: boolean[];
}

/** The result of one receipt. */
export interface ReceiptOutcome {
  matched: boolean;
  moves: Transition[];
}

/** The store's `receipts`: applies them and keeps unmatched ones. */
export function* receipts(items: readonly Receipt[], context: WriteContext): Operation<ReceiptOutcome[]> {
  return yield* keepReceipts(items, yield* applyReceipts(items, context));
}

/** Keeps receipts that matched nothing. */
export function* keepReceipts(
  items: readonly Receipt[],
  { made, matched }: AppliedReceipts,
): Operation<ReceiptOutcome[]> {
  const unmatched = items.filter((_, position) => !matched[position]).map(keptRow);
  yield* run(insertReceipts, unmatched);
  yield* run(insertReceiptKeys, unmatched.flatMap(keyRows));
  return made.map((moves, position) => ({ matched: matched[position]!, moves }));
}

/**
 * For texts that may be receipts: applies those whose id belongs to a recorded part for their handset. True for each of
 * these; the others are not stored.
 */
export function* knownReceipts(items: readonly Receipt[], context: WriteContext): Operation<boolean[]> {
  const parts = yield* matchById(items);
  yield* applyToParts(items, parts, context);
  return parts.map((part) => part !== null);
}

/** Matches the receipts and moves the deliveries that they settle; does not store unmatched ones. */
export function* applyReceipts(items: readonly Receipt[], context: WriteContext): Operation<AppliedReceipts> {
  const parts = yield* matchParts(items);
  return { made: yield* applyToParts(items, parts, context), matched: parts.map((part) => part !== null) };
}

/**
 * Stores each receipt on its part and moves the delivery that it settles; `detail` goes into the events. Returns the
 * moves per receipt.
 */
export function* applyToParts(
  items: readonly Receipt[],
  parts: readonly (MatchedPart | null)[],
  context: WriteContext,
  detail?: string,
): Operation<Transition[][]> {
  yield* run(updatePartStates, partUpdates(items, parts));
  const latest = new Map<string, Receipt>();
  parts.forEach((part, position) => {
    if (part) latest.set(part.messageId, items[position]!);
  });
  const moves = Map.groupBy(yield* decideWholes(latest, context, detail), (move) => move.messageId);
  return parts.map((part) => {
    const own = moves.get(part?.messageId ?? '') ?? [];
    moves.delete(part?.messageId ?? '');
    return own;
  });
}

/** By id, then by proof; parts recorded by a proof may match further receipts of this batch. */
function* matchParts(items: readonly Receipt[]): Operation<(MatchedPart | null)[]> {
  const matches = yield* matchById(items);
  // A receipt that names no message must not be taken for the missing one of another message to the same handset.
  const open = [...items.keys()].filter((position) => !matches[position] && items[position]!.idKeys.length > 0);
  if (open.length === 0) return matches;
  const proven = yield* matchByProof(open.map((position) => items[position]!));
  if (!proven.some((match) => match)) return matches;
  const again = yield* matchById(open.map((position) => items[position]!));
  open.forEach((position, index) => {
    matches[position] = again[index] ?? null;
  });
  return matches;
}

function partUpdates(items: readonly Receipt[], parts: readonly (MatchedPart | null)[]) {
  const updates = new Map<string, ReturnType<typeof partUpdate>>();
  parts.forEach((part, position) => {
    const receipt = items[position]!;
    if (!part || receipt.state === 'interim') return;
    const id = `${part.messageId} ${part.part}`;
    if (!updates.has(id)) updates.set(id, partUpdate(part, receipt));
  });
  return [...updates.values()];
}

function partUpdate(part: MatchedPart, receipt: Receipt) {
  return {
    message_id: part.messageId,
    part: part.part,
    state: receipt.state,
    code: receipt.code,
    carrier_code: storable(receipt.carrierCode),
    at: receipt.receivedAt,
  };
}

/**
 * Moves each delivery according to its parts: to the final state of the whole, or from uncertain to `sent` when the
 * carrier knows every part. `latest` names the deliveries, each with the receipt that caused the check.
 */
export function* decideWholes(
  latest: ReadonlyMap<string, Receipt | null>,
  context: WriteContext,
  detail?: string,
): Operation<Transition[]> {
  const params = [...latest.keys()].map((message_id) => ({ message_id }));
  const rows = yield* run(selectDeliveries, params);
  const parts = Map.groupBy(yield* run(selectParts, params), (part) => part.message_id);
  return yield* makeMoves(
    rows.flatMap((row) => {
      const change = wholeChange(row, parts.get(row.message_id) ?? [], latest.get(row.message_id) ?? null);
      return change ? [{ row, change: { ...change, detail } }] : [];
    }),
    context,
  );
}

function wholeChange(row: DeliveryRow, parts: readonly PartRow[], receipt: Receipt | null): Change | null {
  const partCount = Math.max(1, row.segments);
  const states = parts.flatMap((part) => partNumbers(part).map(() => part.state));
  const whole = wholeFromParts(states, partCount);
  const at = Math.max(row.updated_at, receipt?.receivedAt ?? 0);
  if (whole && mayMove(row.state, whole)) {
    const deciding = parts.filter((part) => part.state === whole).sort((a, b) => b.updated_at - a.updated_at)[0];
    const code = readOutcomeCode(deciding?.code ?? null);
    return { to: whole, at, code, carrier: deciding?.carrier, carrierCode: deciding?.carrier_code };
  }
  if ((row.state === 'uncertain' || row.state === 'held') && states.length >= partCount) {
    return { to: 'sent', at, carrierCode: storable(receipt?.carrierCode ?? null), dueAt: at + receiptWaitMs };
  }
  return null;
}

function keptRow(receipt: Receipt) {
  return {
    carrier: receipt.carrier,
    recipient: receipt.to ?? '',
    carrier_message_id: storable(receipt.carrierMessageId),
    state: receipt.state,
    id_keys: JSON.stringify(receipt.idKeys.map(storable)),
    code: receipt.code,
    carrier_code: storable(receipt.carrierCode),
    raw: storable(receipt.raw),
    received_at: receipt.receivedAt,
  };
}

/** A kept receipt in its original form. */
export function asReceipt(row: KeptReceiptRow): Receipt {
  return {
    carrier: row.carrier,
    carrierMessageId: row.carrier_message_id,
    idKeys: JSON.parse(row.id_keys),
    to: row.recipient === '' ? null : row.recipient,
    state: row.state,
    code: readOutcomeCode(row.code),
    carrierCode: row.carrier_code,
    raw: row.raw,
    receivedAt: row.received_at,
  };
}

/** The newest receipts that match nothing yet. */
export function* unmatchedReceipts(limit: number): Operation<Receipt[]> {
  return (yield* run(selectNewestReceipts, [{ limit }])).map(asReceipt);
}

/** The keys by which a kept receipt is found. */
export function keyRows(row: Omit<KeptReceiptRow, 'received_at' | 'raw' | 'code' | 'carrier_code'>) {
  return (JSON.parse(row.id_keys) as string[]).map((id_key) => ({ ...row, id_key }));
}
