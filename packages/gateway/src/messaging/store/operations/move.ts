/**
 * The only writer of delivery states: updates the state and writes its event together. Callers choose the transition;
 * one that the lifecycle does not know is a bug and aborts the transaction.
 */

import { dayMs, type EpochMs } from '../../../kernel/clock.ts';
import type { LaneId } from '../../../kernel/ids.ts';
import { type DeliveryState, mayMove } from '../../../model/lifecycle.ts';
import type { OutcomeCode } from '../../../model/reason.ts';
import type { DoubtCause } from '../../../model/repeats.ts';
import { queueTime, type WriteContext } from '../../../store/context.ts';
import { type Operation, run } from '../../../store/query.ts';
import {
  claimDue,
  type DeliveryRow,
  type DueRow,
  insertEvents,
  updateDoubt,
  updateState,
} from '../statements/deliveries.ts';
import { insertCopies } from '../statements/parts.ts';
import type { Transition } from '../transition.ts';

/**
 * The changed fields. Missing ones keep the row's value, except `code` and `carrierCode`, which always belong to this
 * move.
 */
export interface Change {
  to: DeliveryState;
  at: EpochMs;
  code?: OutcomeCode | null;
  carrier?: string | null;
  carrierCode?: string | null;
  detail?: string | null;
  lane?: LaneId;
  dueAt?: EpochMs;
  attempts?: number;
  dupRisk?: boolean;
  repeats?: number;
  doubt?: DoubtCause;
  token?: number;
}

export interface Move {
  /** As read in this transaction. */
  row: DeliveryRow;
  change: Change;
}

/** Moves the deliveries, one transition each, with their events. Updates the given rows. */
export function* makeMoves(moves: readonly Move[], context: WriteContext): Operation<Transition[]> {
  const { positions, sending } = context;
  const made = moves.map(({ row, change }) => moved(row, inQueueTime(change, context)));
  yield* run(
    updateState,
    made.map(({ update }) => update),
  );
  yield* run(
    updateDoubt,
    moves.flatMap(({ row, change }, index) => (changesDoubt(change) ? [{ ...row, ...made[index]!.row }] : [])),
  );
  yield* run(
    insertEvents,
    // The data of `sending` is in the delivery until the try ends, then in the event that ends it.
    made.filter(({ row }) => row.state !== 'sending').map(({ event }) => ({ ...event, position: positions.next() })),
  );
  yield* run(
    insertCopies,
    moves.flatMap(({ row, change }) => (leavesCopy(row, change) ? [copyOf(row, change.at)] : [])),
  );
  return moves.map(({ row }, index) => {
    const { row: after } = made[index]!;
    const from = row.state;
    Object.assign(row, after);
    if (row.state === 'sending') sending.set(row.message_id, row);
    else sending.delete(row.message_id);
    const { message_id: messageId, account_id: accountId, state, carrier } = row;
    return { messageId, accountId, from, state, code: made[index]!.update.code, carrier };
  });
}

/** The due deliveries to claim: at most `limit`, due from `since` to `until`, and valid at `now`. `first`: the least id. */
export interface DueQuery {
  lane: LaneId;
  first: string;
  since: EpochMs;
  until: EpochMs;
  now: EpochMs;
  limit: number;
}

/** Moves due deliveries to `sending`, which has no event; returns them oldest first, as they are now. */
export function* takeDue(query: DueQuery, { token, sending }: WriteContext): Operation<DueRow[]> {
  const taken = yield* run(claimDue, [{ ...query, token }]);
  for (const row of taken) sending.set(row.message_id, row);
  return taken.sort((one, other) => one.due_at - other.due_at || (one.message_id < other.message_id ? -1 : 1));
}

function inQueueTime(change: Change, context: WriteContext): Change {
  if (change.to !== 'queued' || change.dueAt === undefined || context.databaseNow === undefined) return change;
  return { ...change, dueAt: queueTime(context, change.dueAt) };
}

export type Moved = ReturnType<typeof moved>;

/** The new row of a transition, its statement, and its event. Changes nothing. */
export function moved(row: DeliveryRow, change: Change) {
  if (!mayMove(row.state, change.to)) throw new Error(`${row.message_id}: no arrow ${row.state} to ${change.to}`);
  const after = {
    state: change.to,
    carrier: change.carrier ?? row.carrier,
    lane: change.lane ?? row.lane,
    due_at: change.dueAt ?? row.due_at,
    attempts: change.attempts ?? row.attempts,
    dup_risk: (change.dupRisk ?? row.dup_risk === 1) ? 1 : 0,
    sequence: row.sequence + 1,
    token: change.token ?? row.token,
  };
  const common = {
    message_id: row.message_id,
    at: change.at,
    code: change.code ?? null,
    carrier_code: change.carrierCode ?? null,
  };
  return {
    row: { ...after, updated_at: change.at, repeats: change.repeats ?? row.repeats, doubt: change.doubt ?? row.doubt },
    update: { ...after, ...common, from_state: row.state },
    event: {
      ...common,
      account_id: row.account_id,
      sequence: after.sequence,
      state: after.state,
      carrier: after.carrier,
      dup_risk: after.dup_risk,
      detail: change.detail ?? null,
      sending_at: row.state === 'sending' ? row.updated_at : null,
    },
  };
}

function changesDoubt({ repeats, doubt }: Change): boolean {
  return repeats !== undefined || doubt !== undefined;
}

/** The carrier may have it all the same: an unknown receipt for its handset may then be about it. */
function leavesCopy({ state }: DeliveryRow, { to }: Change): boolean {
  return (state === 'uncertain' || state === 'held') && (to === 'queued' || to === 'canceled');
}

/** Receipts that match nothing are kept for a day; a copy's own receipt may come for three. */
const copyKeptMs = 2 * dayMs;

/** For `insertCopies`. */
export function copyOf({ lane, recipient, message_id }: DeliveryRow, at: EpochMs) {
  return { carrier: lane, recipient, message_id, at: at + copyKeptMs };
}
