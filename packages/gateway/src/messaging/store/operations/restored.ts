/**
 * Marks or holds the waiting messages of an older store: a backup, before it replaces the store, or a promoted
 * PostgreSQL standby that may lack the newest commits. They may have been sent since.
 */
import type { WriteContext } from '../../../store/context.ts';
import { type Operation, run } from '../../../store/query.ts';
import type { DeliveryRow } from '../statements/deliveries.ts';
import { insertCopies } from '../statements/parts.ts';
import { flagWaiting, selectWaiting } from '../statements/restored.ts';
import { copyOf, makeMoves } from './move.ts';

/** `send`: no special treatment. */
export const waitingWays = ['flag', 'hold', 'send'] as const;
export type WaitingWay = (typeof waitingWays)[number];

export interface WaitingStep {
  /** Messages treated. */
  done: number;
  /** The next step continues after this message; null at the end. */
  cursor: string | null;
}

/** Origin of the store. */
export type Past = 'backup' | 'promotion';

const details: Record<Past, string> = {
  backup: 'It waited when the backup was made, and may have been sent since.',
  promotion: 'It waited in a database that may lack the newest commits, and may have been sent.',
};

export interface WaitingRequest {
  way: WaitingWay;
  past: Past;
  /** Continues after this message; '' at first. */
  after: string;
  limit: number;
}

/** Each item is one step over at most `limit` messages. */
export function* treatWaitingSteps(items: readonly WaitingRequest[], context: WriteContext): Operation<WaitingStep[]> {
  const steps: WaitingStep[] = [];
  for (const item of items) steps.push(yield* treatWaiting(item, context));
  return steps;
}

export function* treatWaiting(
  { way, past, after, limit }: WaitingRequest,
  context: WriteContext,
): Operation<WaitingStep> {
  const rows = yield* run(selectWaiting, [{ after, limit }]);
  if (way === 'flag') {
    yield* run(
      flagWaiting,
      rows.map(({ message_id }) => ({ message_id })),
    );
    yield* run(
      insertCopies,
      rows.map((row) => copyOf(row, context.now)),
    );
  }
  if (way === 'hold') yield* hold(rows, details[past], context);
  return { done: rows.length, cursor: rows.length < limit ? null : rows.at(-1)!.message_id };
}

/** Uses existing transitions: as after a crash in the middle of sending. */
function* hold(rows: readonly DeliveryRow[], detail: string, context: WriteContext): Operation<void> {
  const at = context.now;
  const inState = (...states: DeliveryRow['state'][]) => rows.filter(({ state }) => states.includes(state));
  yield* makeMoves(
    inState('queued').map((row) => ({ row, change: { to: 'sending', at, token: 0 } })),
    context,
  );
  yield* makeMoves(
    inState('sending').map((row) => ({ row, change: { to: 'uncertain', at, code: 'UNCERTAIN', detail } })),
    context,
  );
  yield* makeMoves(
    inState('uncertain').map((row) => ({ row, change: { to: 'held', at, code: 'UNCERTAIN', detail } })),
    context,
  );
}
