/** When a condition becomes an alert, and when the alert is over. */
import { describe, expect, it } from 'vitest';
import { movedClock } from '../../../../../test/props/clock.ts';
import type { AlertRule } from '../../model/alert.ts';
import { minute, second } from './alert-fixture.ts';
import { createAlertTracker } from './alert-tracker.ts';
import type { Condition } from './conditions.ts';

const rules: AlertRule[] = [
  { alertId: 'link', enabled: true, limit: 100, forSeconds: 60 },
  { alertId: 'budget', enabled: true, limit: 80, forSeconds: 0 },
];
const condition = (holds: boolean | null, fields: Partial<Condition> = {}): Condition => ({
  ...{ kind: 'link', subject: 'c1', environment: 'live', value: 100, detail: '', holds },
  ...fields,
});
const open = { alertId: 'alr_1', kind: 'link', subject: 'c1' } as const;

function tracked() {
  const clock = movedClock();
  const tracker = createAlertTracker(clock);
  const step = (...conditions: Condition[]) => tracker.step(conditions, rules);
  /**
   * Keeps the condition for this time, with a look every five seconds; returns whether the alert fires or is over at
   * the end.
   */
  const after = (ms: number, holds: boolean | null) => {
    for (let passed = 0; passed < ms; passed += 5 * second) {
      clock.pass(5 * second);
      const { fire, resolve } = step(condition(holds));
      if (fire.length + resolve.length > 0) return passed + 5 * second;
    }
    return null;
  };
  return { clock, tracker, step, after };
}

describe('an alert', () => {
  it('fires after its condition held for the time of its rule, without a break', () => {
    const { step, after } = tracked();
    step(condition(true));
    expect(after(55 * second, true)).toBeNull();
    step(condition(false));
    step(condition(true));
    expect(after(55 * second, true)).toBeNull();
    step(condition(null));
    step(condition(true));
    expect(after(60 * second, true)).toBe(60 * second);
  });

  it('fires at once where its rule says so, and each subject by itself', () => {
    const { step } = tracked();
    const of = (subject: string, holds: boolean) => condition(holds, { kind: 'budget', subject });
    expect(step(of('a', true), of('b', false)).fire).toEqual([of('a', true)]);
  });

  it('is proposed again until it is stored, and then no more', () => {
    const { step, tracker, after } = tracked();
    step(condition(true));
    after(60 * second, true);
    expect(step(condition(true)).fire).toHaveLength(1);
    tracker.opened(open);
    expect(step(condition(true)).fire).toEqual([]);
  });

  it('is over a minute after its condition, without a break, and not while nobody can tell', () => {
    const { step, tracker, after } = tracked();
    tracker.load([open]);
    expect(after(10 * minute, null)).toBeNull();
    step(condition(false));
    expect(after(55 * second, false)).toBeNull();
    step(condition(true));
    step(condition(false));
    expect(after(55 * second, false)).toBeNull();
    step(condition(null));
    step(condition(false));
    expect(after(2 * minute, false)).toBe(60 * second);
    tracker.closed(open);
    expect(step(condition(false)).resolve).toEqual([]);
  });

  it('is over when what it is about is gone, or its rule is off', () => {
    const { clock, step, tracker } = tracked();
    tracker.load([open]);
    expect(step().resolve).toEqual([]);
    clock.pass(minute);
    expect(step().resolve).toEqual([open]);
  });

  it('does not flap while its condition does', () => {
    const { clock, step, tracker } = tracked();
    tracker.load([open]);
    let changes = 0;
    for (let i = 0; i < 200; i++) {
      const { fire, resolve } = step(condition(i % 4 === 0));
      changes += fire.length + resolve.length;
      clock.pass(5 * second);
    }
    expect(changes).toBe(0);
  });
});
