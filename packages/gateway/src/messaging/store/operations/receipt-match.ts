/**
 * Matches a kept receipt to a part by hand: lists candidates, then applies the receipt like any other. `matchFault`
 * rules out forbidden parts.
 */
import { firstIdAt } from '../../../kernel/ids.ts';
import type { Receipt } from '../../../model/delivery.ts';
import { writtenId } from '../../../model/nameless-receipt.ts';
import { matchedByHand, matchFault } from '../../../model/receipt-match.ts';
import { partNumbers, spansOf } from '../../../model/spans.ts';
import type { WriteContext } from '../../../store/context.ts';
import { type Operation, run } from '../../../store/query.ts';
import type {
  FoundCandidate,
  MatchOutcome,
  MatchReceiptRequest,
  ReceiptCandidatesQuery,
  ReceiptName,
} from '../receipt-match-items.ts';
import { deleteReceiptKeys, deleteReceipts, insertParts, selectReceipts } from '../statements/parts.ts';
import {
  type MatchPartRow,
  type MatchRow,
  selectMatchParts,
  selectMatchRows,
  selectOwing,
  selectSentBefore,
} from '../statements/receipt-match.ts';
import { appendAudit } from './audit.ts';
import { provenPart } from './match.ts';
import { applyToParts, asReceipt, keyRows } from './receipts.ts';

/** Rows examined per state, and messages offered. */
const look = 20_000;
const messagesMax = 50;
/** Only this much of finished messages is examined; a receipt may arrive before its answer. */
const sentBeforeMs = 6 * 3_600_000;
const overtakesMs = 10 * 60_000;

/**
 * Null if the receipt is not kept. Returns parts of messages to its handset through its carrier: those that wait for a
 * receipt or are uncertain, and others sent shortly before; examines a bounded number of messages. With `messageId`
 * only the parts of that message, regardless of handset and carrier.
 */
export function* receiptCandidates({ receipt: name, messageId }: ReceiptCandidatesQuery): Operation<{
  receipt: Receipt;
  candidates: FoundCandidate[];
} | null> {
  const kept = yield* keptReceipt(name);
  if (kept === null) return null;
  const receipt = asReceipt(kept);
  const ids = messageId === null ? yield* idsNear(receipt) : [messageId];
  return { receipt, candidates: yield* candidatesOf(ids) };
}

/** Removes the receipt from the kept ones; `audit` gets the state before and after. One commit for everything. */
export function* matchReceipt(items: readonly MatchReceiptRequest[], context: WriteContext): Operation<MatchOutcome[]> {
  const outcomes: MatchOutcome[] = [];
  for (const item of items) outcomes.push(yield* matchOne(item, context));
  return outcomes;
}

function* matchOne(
  { receipt: name, messageId, part, audit }: MatchReceiptRequest,
  context: WriteContext,
): Operation<MatchOutcome> {
  const kept = yield* keptReceipt(name);
  if (kept === null) return { kind: 'no receipt' };
  const receipt = asReceipt(kept);
  const candidate = (yield* candidatesOf([messageId])).find((one) => one.part === part);
  if (candidate === undefined) return { kind: 'no message' };
  const fault = matchFault(receipt, candidate);
  if (fault !== null) return { kind: 'refused', fault };
  const matched = { messageId, part };
  if (candidate.partState === null) {
    const own = { carrierMessageId: writtenId(receipt.carrierMessageId), to: candidate.to };
    yield* run(insertParts, [provenPart(matched, { ...receipt, ...own })]);
  }
  const moves = (yield* applyToParts([receipt], [matched], context, matchedByHand)).flat();
  yield* run(deleteReceipts, [kept]);
  yield* run(deleteReceiptKeys, keyRows(kept));
  const [after] = (yield* candidatesOf([messageId])).filter((one) => one.part === part);
  const { carrier, carrierMessageId, to, state, raw } = receipt;
  yield* appendAudit({
    ...audit,
    before: { ...wordOf(candidate), receipt: { carrier, carrierMessageId, to, state, raw } },
    after: wordOf(after!),
  });
  return { kind: 'matched', moves };
}

function wordOf({ messageId, state, part, partState, carrierMessageId }: FoundCandidate) {
  return { messageId, state, part, partState, carrierMessageId };
}

function* keptReceipt({ carrier, carrierMessageId, to, state }: ReceiptName) {
  const rows = yield* run(selectReceipts, [
    { carrier, recipient: to ?? '', carrier_message_id: carrierMessageId, state },
  ]);
  return rows[0] ?? null;
}

function* idsNear({ carrier, to, receivedAt }: Receipt): Operation<string[]> {
  const params = { carrier, recipient: to ?? '', look, limit: messagesMax };
  const found: { message_id: string }[] = [];
  for (const select of selectOwing) found.push(...(yield* run(select, [params])));
  const range = {
    before: firstIdAt('msg_', receivedAt + overtakesMs),
    after: firstIdAt('msg_', receivedAt - sentBeforeMs),
  };
  found.push(...(yield* run(selectSentBefore, [{ ...params, ...range }])));
  return [...new Set(found.map((row) => row.message_id))];
}

function* candidatesOf(ids: readonly string[]): Operation<FoundCandidate[]> {
  const params = ids.map((message_id) => ({ message_id }));
  const rows = yield* run(selectMatchRows, params);
  const parts = Map.groupBy(yield* run(selectMatchParts, params), (part) => part.message_id);
  return rows.flatMap((row) => partsOf(row, parts.get(row.message_id) ?? []));
}

/** One per id, and one per part without a record. */
function partsOf(row: MatchRow, parts: readonly MatchPartRow[]): FoundCandidate[] {
  const partCount = Math.max(1, row.segments);
  const covered = new Set(parts.flatMap((part) => partNumbers(part).slice(1)));
  const numbers = Array.from({ length: partCount }, (_, index) => index + 1).filter((part) => !covered.has(part));
  return numbers.map((number) => {
    const known = parts.find(({ part }) => part === number);
    return {
      messageId: row.message_id,
      accountId: row.account_id,
      from: row.sender,
      to: row.recipient,
      carrier: known?.carrier ?? row.carrier ?? row.lane,
      state: row.state,
      part: number,
      partCount,
      partState: known?.state ?? null,
      carrierMessageId: known?.carrier_message_id ?? null,
      partsMissing: Math.max(0, partCount - spansOf(parts)),
      acceptedAt: row.accepted_at,
      handedOverAt: known?.accepted_at ?? row.updated_at,
      text: row.body_deleted_at === null ? row.text : null,
    };
  });
}
