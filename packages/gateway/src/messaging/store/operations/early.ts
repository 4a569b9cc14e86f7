/** Kept receipts that overtook the answer to their message: used once it is settled. */
import { carrierIdKey } from '../../../model/carrier-id.ts';
import type { Settlement } from '../../../model/delivery.ts';
import type { WriteContext } from '../../../store/context.ts';
import { type Operation, run } from '../../../store/query.ts';
import {
  deleteReceiptKeys,
  deleteReceipts,
  type KeptReceiptRow,
  selectAnyEarlyKey,
  selectEarlyKeys,
  selectReceipts,
  selectReceiptsSince,
} from '../statements/parts.ts';
import type { Transition } from '../transition.ts';
import { applyReceipts, asReceipt, keyRows } from './receipts.ts';
import { storable } from './storable.ts';

/** Whether any kept receipt waits for its part. */
export function* anyEarly(): Operation<boolean> {
  return (yield* run(selectAnyEarlyKey, [{}])).length > 0;
}

/** Whether a receipt may wait for a part of this settlement. */
export function* isEarly({ carrier, parts }: Settlement): Operation<boolean> {
  const keys = parts.map(({ carrierMessageId }) => ({ carrier, id_key: storable(carrierIdKey(carrierMessageId)) }));
  return (yield* run(selectEarlyKeys, keys)).length > 0;
}

/** Applies kept receipts of these parts. */
export function* applyEarly(
  parts: readonly { carrier: string; id_key: string; recipient: string }[],
  context: WriteContext,
): Operation<Transition[]> {
  if (parts.length === 0 || !(yield* anyEarly())) return [];
  const keys = yield* run(selectEarlyKeys, parts);
  return yield* applyKept(yield* run(selectReceipts, distinct(keys)), context);
}

/** Several parts or attempts may have found the same row. */
function distinct<Row extends object>(rows: readonly Row[]): Row[] {
  return [...new Map(rows.map((row) => [JSON.stringify(Object.values(row)), row])).values()];
}

/** An attempt that got no answer: what the carrier reported about its handset `since` it began may be about it. */
export interface Unanswered {
  carrier: string;
  recipient: string;
  since: number;
}

/**
 * Applies kept receipts as proof for attempts that have just become uncertain, so that a message on whose handset the
 * carrier has reported is not sent again. Of receipts with different ids none is used: only one can be the attempt's.
 */
export function* proveByEarly(attempts: readonly Unanswered[], context: WriteContext): Operation<Transition[]> {
  const rows = yield* run(selectReceiptsSince, attempts);
  const byHandset = Map.groupBy(distinct(rows), ({ carrier, recipient }) => `${carrier} ${recipient}`);
  const ofOneId = [...byHandset.values()].filter(
    (some) => new Set(some.map((row) => row.carrier_message_id)).size === 1,
  );
  // The first final status counts.
  const inOrder = ofOneId.flat().sort((one, other) => one.received_at - other.received_at);
  return yield* applyKept(inOrder, context);
}

/** Applies these; those that match something are kept no longer. */
function* applyKept(kept: readonly KeptReceiptRow[], context: WriteContext): Operation<Transition[]> {
  if (kept.length === 0) return [];
  const { made, matched } = yield* applyReceipts(kept.map(asReceipt), context);
  const used = kept.filter((_, position) => matched[position]);
  yield* run(deleteReceipts, used);
  yield* run(deleteReceiptKeys, used.flatMap(keyRows));
  return made.flat();
}
