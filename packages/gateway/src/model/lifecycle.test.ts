import { describe, expect, it } from 'vitest';
import { deliveryStates, isFinal, mayMove, statesBefore, wholeFromParts } from './lifecycle.ts';

/** The lifecycle as the documentation draws it (docs/state-machine.md). */
const arrows = [
  'accepted → queued',
  'queued → sending',
  'queued → expired',
  'queued → canceled',
  'queued → failed',
  'queued → unconfirmed',
  'sending → sent',
  'sending → queued',
  'sending → failed',
  'sending → uncertain',
  'sent → delivered',
  'sent → undelivered',
  'sent → unconfirmed',
  'uncertain → sent',
  'uncertain → delivered',
  'uncertain → undelivered',
  'uncertain → queued',
  'uncertain → held',
  'uncertain → unconfirmed',
  'held → queued',
  'held → canceled',
  'held → sent',
  'held → delivered',
  'held → undelivered',
  'unconfirmed → delivered',
  'unconfirmed → undelivered',
];

describe('lifecycle', () => {
  it('has exactly the documented arrows', () => {
    const found = deliveryStates.flatMap((from) =>
      deliveryStates.filter((to) => mayMove(from, to)).map((to) => `${from} → ${to}`),
    );
    expect(found.sort()).toEqual([...arrows].sort());
  });

  it('knows final states', () => {
    expect(deliveryStates.filter(isFinal).sort()).toEqual(
      ['canceled', 'delivered', 'expired', 'failed', 'received', 'undelivered'].sort(),
    );
  });

  it('lists the states before one', () => {
    expect(statesBefore('held')).toEqual(['uncertain']);
  });
});

describe('the whole from its parts', () => {
  it.each([
    [['delivered', 'delivered'], 2, 'delivered'],
    [['delivered'], 2, null],
    [['delivered', 'accepted'], 2, null],
    [['delivered', 'undelivered'], 2, 'undelivered'],
    [['undelivered'], 3, 'undelivered'],
    [[], 1, null],
  ] as const)('%j of %i is %s', (states, count, whole) => expect(wholeFromParts(states, count)).toBe(whole));
});
