/**
 * Settles attempts: moves `sending` deliveries, stores the parts that the carrier took, and applies receipts that
 * arrived early. A settlement for another attempt or node, or for a send queue that another node has, changes nothing.
 */
import type { EpochMs } from '../../../kernel/clock.ts';
import { carrierIdKey } from '../../../model/carrier-id.ts';
import type { Settlement } from '../../../model/delivery.ts';
import type { DeliveryState } from '../../../model/lifecycle.ts';
import { repeatDueAt } from '../../../model/repeats.ts';
import { hasLane, type WriteContext } from '../../../store/context.ts';
import { type Operation, run } from '../../../store/query.ts';
import { type DeliveryRow, selectDeliveries } from '../statements/deliveries.ts';
import { insertFirstParts, insertParts } from '../statements/parts.ts';
import { applyEarly, proveByEarly } from './early.ts';
import { type Change, makeMoves } from './move.ts';
import { decideWholes } from './receipts.ts';
import { storable } from './storable.ts';

interface Current {
  row: DeliveryRow;
  settlement: Settlement;
}

/** At the end of a try that was the first: `accepted`, `queued`, `sending`, `sent`. */
const firstEndSequence = 4;

export function* settle(
  items: readonly Settlement[],
  context: WriteContext<DeliveryRow>,
): Operation<DeliveryState[][]> {
  const byMessage = yield* knownRows(items, context);
  const current = new Map<number, Current>();
  items.forEach((settlement, position) => {
    const row = byMessage.get(settlement.messageId);
    if (row?.state !== 'sending' || row.attempts !== settlement.attempt || row.token !== context.token) return;
    if (!hasLane(context, row.lane)) return;
    byMessage.delete(settlement.messageId);
    current.set(position, { row, settlement });
  });

  const settled = [...current.values()];
  const unanswered = settled.flatMap(({ row, settlement: { to, carrier } }) =>
    to === 'uncertain' ? [{ carrier, recipient: row.recipient, since: row.updated_at }] : [],
  );
  const made = yield* makeMoves(
    settled.map(({ row, settlement }) => ({ row, change: asChange(row, settlement, context) })),
    context,
  );
  const partsOf = (some: readonly Current[]) => some.flatMap((one) => partRows(one, context));
  const first = partsOf(settled.filter(({ row }) => row.sequence === firstEndSequence));
  const later = partsOf(settled.filter(({ row }) => row.sequence > firstEndSequence));
  yield* run(insertFirstParts, first);
  yield* run(insertParts, later);
  const parts = [...first, ...later];
  made.push(...(yield* applyEarly(parts, context)));
  made.push(...(yield* proveByEarly(unanswered, context)));
  const decidable = settled.filter(mayBeDecided).map(({ row }) => [row.message_id, null] as const);
  made.push(...(yield* decideWholes(new Map(decidable), context)));

  const byMove = Map.groupBy(made, (move) => move.messageId);
  return items.map(({ messageId }, position) =>
    current.has(position) ? byMove.get(messageId)!.map(({ state }) => state) : [],
  );
}

/** The rows of the settlements. */
function* knownRows(
  items: readonly Settlement[],
  { sending }: WriteContext<DeliveryRow>,
): Operation<Map<string, DeliveryRow>> {
  const rows = new Map<string, DeliveryRow>();
  const unknown = new Set<string>();
  for (const { messageId } of items) {
    const row = sending.get(messageId);
    if (row) rows.set(messageId, row);
    else unknown.add(messageId);
  }
  for (const row of yield* run(selectDeliveries, [...unknown].map(byId))) rows.set(row.message_id, row);
  return rows;
}

function byId(message_id: string) {
  return { message_id };
}

export function asChange(row: DeliveryRow, settlement: Settlement, { now }: Pick<WriteContext, 'now'>): Change {
  const { to, cause } = settlement;
  const at = Math.max(now, row.updated_at);
  return {
    to,
    at,
    code: settlement.code,
    carrier: settlement.carrier,
    carrierCode: storable(settlement.carrierCode),
    detail: storable(settlement.detail),
    lane: settlement.lane,
    dueAt: dueAtOf(row, settlement, at),
    ...(cause !== undefined && { doubt: cause }),
    attempts: settlement.countsAttempt ? row.attempts : row.attempts - 1,
  };
}

function dueAtOf(row: DeliveryRow, { to, dueAt, firstWaitMs }: Settlement, at: EpochMs): EpochMs {
  switch (to) {
    case 'queued':
      // Due at the latest when its validity ends, so that the sweep finds expired messages among the due ones.
      return Math.min(dueAt, row.expires_at);
    case 'uncertain':
      return repeatDueAt(
        { repeats: row.repeats, expiresAt: row.expires_at },
        { at, firstDueAt: dueAt, firstWaitMs: firstWaitMs ?? dueAt - at },
      );
    default:
      return dueAt;
  }
}

export function partRows({ row, settlement }: Current, { now }: Pick<WriteContext, 'now'>) {
  return settlement.parts.map(({ part, spans = 1, carrierMessageId }) => ({
    message_id: row.message_id,
    part,
    spans,
    carrier: settlement.carrier,
    carrier_message_id: storable(carrierMessageId),
    id_key: storable(carrierIdKey(carrierMessageId)),
    recipient: row.recipient,
    at: now,
  }));
}

/** Parts of an earlier try may already have receipts while the others were still to be sent. */
function mayBeDecided({ row }: Current): boolean {
  return row.state === 'sent' && row.segments > 1 && row.sequence > firstEndSequence;
}
