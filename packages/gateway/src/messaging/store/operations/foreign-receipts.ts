/**
 * Receipts that may belong to another cell: applies those whose id is recorded here; for the others, returns whether a
 * message here may still be theirs.
 */
import type { Receipt } from '../../../model/delivery.ts';
import type { WriteContext } from '../../../store/context.ts';
import { type Operation, run } from '../../../store/query.ts';
import { selectInDoubt, selectUnconfirmed } from '../statements/parts.ts';
import { matchById, provableMs } from './match.ts';
import { applyToParts, keepReceipts, type ReceiptOutcome } from './receipts.ts';

/**
 * `known`: its id is recorded here, and the receipt is applied. `expected`: it may belong to a message to its handset
 * over its carrier that is being handed over or is uncertain, or whose validity recently ended while it was uncertain;
 * also a receipt with an id but no handset. Nothing of it is stored.
 */
export type ReceiptStatus = 'known' | 'expected' | 'unknown';

export interface FoundReceipt extends ReceiptOutcome {
  status: ReceiptStatus;
}

/**
 * In one transaction: `sending` is committed before a message is sent, so a message settled meanwhile is found by its
 * id.
 */
export function* lookUpReceipts(items: readonly Receipt[], context: WriteContext): Operation<FoundReceipt[]> {
  const parts = yield* matchById(items);
  const made = yield* applyToParts(items, parts, context);
  const wanted = items.flatMap(({ carrier, to, receivedAt }, position) =>
    parts[position] === null && to !== null
      ? [{ position, carrier, recipient: to, since: receivedAt - provableMs }]
      : [],
  );
  const expected = new Set<number>();
  for (const { position } of yield* run(selectUnconfirmed, wanted)) expected.add(position);
  for (const select of selectInDoubt) {
    for (const { position } of yield* run(select, wanted)) expected.add(position);
  }
  return items.map(({ to, idKeys }, position) => {
    const matched = parts[position] !== null;
    const isExpected = to === null ? idKeys.length > 0 : expected.has(position);
    return { matched, moves: made[position]!, status: matched ? 'known' : isExpected ? 'expected' : 'unknown' };
  });
}

/**
 * Applies receipts whose id is recorded and keeps the others for a later match; uses none as proof for an uncertain
 * message.
 */
export function* earlyReceipts(items: readonly Receipt[], context: WriteContext): Operation<ReceiptOutcome[]> {
  const parts = yield* matchById(items);
  const made = yield* applyToParts(items, parts, context);
  return yield* keepReceipts(items, { made, matched: parts.map((part) => part !== null) });
}
