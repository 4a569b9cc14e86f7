/**
 * The one place where the state of a delivery is written, together with the event that tells of it. Which arrow to take
 * is decided by the callers; an arrow the lifecycle does not have is a bug and undoes the whole transaction.
 */
import type { EpochMs } from '../../domain/clock.ts';
import { type DeliveryState, mayMove } from '../../domain/lifecycle.ts';
import { type Operation, run } from '../query.ts';
import { type DeliveryRow, insertEvents, updateState } from '../statements/deliveries.ts';
import type { MadeMove } from '../store.ts';
import type { WriteContext } from './context.ts';

/** What changes; everything left out stays as the row has it, but `code` and `carrierCode` always speak of this move. */
export interface Change {
  to: DeliveryState;
  at: EpochMs;
  code?: string | null;
  carrier?: string | null;
  carrierCode?: string | null;
  detail?: string | null;
  lane?: string;
  dueAt?: EpochMs;
  attempts?: number;
  dupRisk?: boolean;
  token?: number;
}

export interface Move {
  /** As read in this same transaction. */
  row: DeliveryRow;
  change: Change;
}

/** Makes the moves, one per delivery, and tells of each. The rows handed in are brought up to date. */
export function* makeMoves(moves: readonly Move[], { positions, sending }: WriteContext): Operation<MadeMove[]> {
  const updates = moves.map(({ row, change }) => {
    if (!mayMove(row.state, change.to)) throw new Error(`${row.message_id}: no arrow ${row.state} to ${change.to}`);
    return updateRow(row, change);
  });
  yield* run(updateState, updates);
  yield* run(
    insertEvents,
    updates.flatMap((update, index) => {
      const { row, change } = moves[index]!;
      // What `sending` has to tell stands in the delivery until the try ends, and then in the event that ends it.
      if (change.to === 'sending') return [];
      const sending_at = row.state === 'sending' ? row.updated_at : null;
      const place = { position: positions.next(), account_id: row.account_id };
      return [{ ...update, ...place, detail: change.detail ?? null, sending_at }];
    }),
  );
  return moves.map(({ row, change }, index) => {
    const update = updates[index]!;
    Object.assign(row, { ...update, updated_at: update.at });
    if (change.to === 'sending') sending.set(row.message_id, row);
    else sending.delete(row.message_id);
    return {
      messageId: row.message_id,
      accountId: row.account_id,
      state: change.to,
      code: update.code,
      carrier: update.carrier,
    };
  });
}

function updateRow(row: DeliveryRow, change: Change) {
  return {
    message_id: row.message_id,
    sequence: row.sequence + 1,
    from_state: row.state,
    state: change.to,
    code: change.code ?? null,
    carrier: change.carrier ?? row.carrier,
    carrier_code: change.carrierCode ?? null,
    lane: change.lane ?? row.lane,
    due_at: change.dueAt ?? row.due_at,
    attempts: change.attempts ?? row.attempts,
    dup_risk: (change.dupRisk ?? row.dup_risk === 1) ? 1 : 0,
    token: change.token ?? row.token,
    at: change.at,
  };
}
