import { describe, expect, it } from 'vitest';
import { type DeliveryState, deliveryStates, mayMove } from '../../../model/lifecycle.ts';
import { createPositions } from '../../../store/context.ts';
import { type Query, runSync } from '../../../store/query.ts';
import type { DeliveryRow } from '../statements/deliveries.ts';
import { type Move, makeMoves } from './move.ts';

function row(state: DeliveryState): DeliveryRow {
  return {
    message_id: 'msg_1',
    account_id: 'acc1',
    recipient: '14155550100',
    lane: 'c1',
    state,
    carrier: 'c0',
    due_at: 5,
    expires_at: 100,
    attempts: 2,
    dup_risk: 1,
    sequence: 7,
    token: 3,
    segments: 1,
    updated_at: 4,
    repeats: 0,
    doubt: null,
  };
}

const context = { token: 3, now: 0, positions: createPositions(10), sending: new Map() };

function record(moves: Move[]) {
  const queries: Query[] = [];
  const made = runSync(makeMoves(moves, context), (query) => {
    queries.push(query);
    return [];
  });
  return { made, queries };
}

const pairs = deliveryStates.flatMap((from) => deliveryStates.map((to) => [from, to] as const));

describe('makeMoves', () => {
  it.each(pairs.filter(([from, to]) => mayMove(from, to)))('%s → %s is one update with one event', (from, to) => {
    const { made, queries } = record([{ row: row(from), change: { to, at: 50 } }]);
    expect(made).toEqual([{ messageId: 'msg_1', accountId: 'acc1', from, state: to, code: null, carrier: 'c0' }]);
    // A try has one event row, written at its end, which also records its beginning.
    const expected =
      to === 'sending'
        ? [['update_state', 1]]
        : [
            ['update_state', 1],
            ['insert_events', 1],
            // The carrier may have it, under an id that nobody knows.
            ...(['uncertain', 'held'].includes(from) && ['queued', 'canceled'].includes(to)
              ? [['insert_copies', 1]]
              : []),
          ];
    expect(queries.map(({ statement, rows }) => [statement.name, rows.length])).toEqual(expected);
    expect(queries[0]?.rows[0]).toMatchObject({ from_state: from, state: to, sequence: 8, attempts: 2, dup_risk: 1 });
    if (to === 'sending') return;
    const sending_at = from === 'sending' ? 4 : null;
    expect(queries[1]?.rows[0]).toMatchObject({ state: to, sequence: 8, at: 50, sending_at });
  });

  it.each(pairs.filter(([from, to]) => !mayMove(from, to)))('%s → %s is refused and nothing is written', (from, to) => {
    const move = { row: row(from), change: { to, at: 50 } };
    expect(() => runSync(makeMoves([move], context), () => expect.unreachable('nothing may be queried'))).toThrow(
      /no arrow/,
    );
  });

  it('brings the row up to date, so that a second move of it follows the first', () => {
    const moving = row('sending');
    record([{ row: moving, change: { to: 'sent', at: 50, code: 'UNKNOWN', dueAt: 60 } }]);
    expect(moving).toMatchObject({ state: 'sent', sequence: 8, due_at: 60, updated_at: 50 });
    const { queries } = record([{ row: moving, change: { to: 'delivered', at: 51 } }]);
    expect(queries[0]?.rows[0]).toMatchObject({ sequence: 9, code: null });
  });
});
