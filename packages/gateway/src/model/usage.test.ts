/** Days and months of usage: in UTC, and only those that exist in the calendar. */
import { describe, expect, it } from 'vitest';
import { deliveryStates, mayMove, statesBefore } from './lifecycle.ts';
import { dayBefore, dayOf, daysIn, daysOfMonth, isDay } from './usage.ts';

describe('days', () => {
  it('are those of UTC', () => {
    expect(dayOf(Date.UTC(2026, 10, 21, 23, 59, 59, 999))).toBe('2026-11-21');
    expect(dayOf(Date.UTC(2026, 10, 22))).toBe('2026-11-22');
    expect(dayBefore('2028-03-01')).toBe('2028-02-29');
    expect(daysIn({ from: '2026-01-01', to: '2026-12-31' })).toBe(365);
  });

  it.each(['2026-02-29', '2026-13-01', '2026-1-1', '1999-01-01', '', '2026-11-21T00:00', "2026-11-21'", '٢٠٢٦-١١-٢١'])(
    'are not %s',
    (text) => {
      expect(isDay(text)).toBe(false);
    },
  );
});

describe('months', () => {
  it.each([
    ['2026-11', '2026-11-30'],
    ['2026-12', '2026-12-31'],
    ['2028-02', '2028-02-29'],
  ])('%s ends on %s', (month, to) => {
    expect(daysOfMonth(month)).toEqual({ from: `${month}-01`, to });
  });

  it.each(['2026-00', '2026-13', '2026-1', '2026', '', '2026-11-01'])('are not %s', (month) => {
    expect(daysOfMonth(month)).toBeNull();
  });
});

describe('the rule by which a message counts once', () => {
  it('rests on the lifecycle: nothing leads back to sent, and receipts without it come of doubt', () => {
    const reachable = new Set(['sent']);
    for (const from of reachable) {
      for (const to of deliveryStates) if (mayMove(from as (typeof deliveryStates)[number], to)) reachable.add(to);
    }
    expect([...reachable].sort()).toEqual(['delivered', 'sent', 'unconfirmed', 'undelivered']);
    expect(deliveryStates.filter((state) => reachable.has(state) && mayMove(state, 'sent'))).toEqual([]);
    // The code `UNCERTAIN` distinguishes a message that was uncertain from one that was `sent`.
    expect(statesBefore('unconfirmed')).toEqual(['queued', 'sent', 'uncertain']);
    for (const state of ['delivered', 'undelivered'] as const) {
      expect(statesBefore(state)).toEqual(['sent', 'unconfirmed', 'uncertain', 'held']);
    }
  });
});
