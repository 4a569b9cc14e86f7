/** Each condition at its limit, and when it cannot be judged. */
import { describe, expect, it } from 'vitest';
import { type AlertRule, alertKinds, alertRules } from '../../model/alert.ts';
import { conditionOf, day, figuresOf, minute, now, second, well } from './alert-fixture.ts';
import { type CarrierFigures, conditionsOf, type Figures } from './conditions.ts';

const holds = (kind: Parameters<typeof conditionOf>[0], carrier: Partial<CarrierFigures>, more?: Partial<Figures>) =>
  conditionOf(kind, figuresOf(carrier, more))?.holds;
const gap = { ...well.gap!, parts: 60, partsForMs: 11 * minute };

describe('conditions', () => {
  it('do not hold where all is well', () => {
    const found = conditionsOf(figuresOf(), alertRules([]));
    expect(found.map(({ holds: one }) => one)).toEqual(found.map(() => false));
    expect([...new Set(found.map(({ kind }) => kind))].sort()).toEqual([...alertKinds].sort());
  });

  it('of receipts hold after ten minutes and three times the usual delay, with ten parts', () => {
    expect(holds('receipts', { gap })).toBe(true);
    expect(holds('receipts', { gap: { ...gap, parts: 9 } })).toBe(false);
    expect(holds('receipts', { gap: { ...gap, partsForMs: 10 * minute } })).toBe(false);
    // This carrier always reports after half an hour.
    expect(holds('receipts', { gap, usualMs: 30 * minute })).toBe(false);
    expect(holds('receipts', { gap: { ...gap, partsForMs: 91 * minute }, usualMs: 30 * minute })).toBe(true);
    expect(holds('receipts', { gap, usualMs: null })).toBe(false);
    expect(conditionOf('receipts', figuresOf({ gap }))?.detail).toBe(
      'Carrier East has taken 60 parts in 11 min and sent no receipt; 95 of 100 usually come within 5 s.',
    );
  });

  it('of receipts are unknown after a start, until a receipt or a new silence decides', () => {
    expect(holds('receipts', { gap: { ...gap, parts: 3, isReported: false } })).toBeNull();
    expect(holds('receipts', { gap: { ...gap, isReported: false } })).toBe(true);
    expect(holds('receipts', { gap: { ...gap, parts: 3 } })).toBe(false);
    expect(holds('receipts', { gap, up: false })).toBeNull();
    expect(holds('receipts', { gap: null })).toBeNull();
  });

  it('of errors hold by share, with enough tries', () => {
    expect(holds('errors', { tries: 100, refused: 20 })).toBe(true);
    expect(holds('errors', { tries: 100, refused: 19 })).toBe(false);
    expect(holds('errors', { tries: 19, refused: 19 })).toBe(false);
    expect(holds('errors', { tries: 19, refused: 19 }, { watchedMs: 4 * minute })).toBeNull();
  });

  it('of a backlog hold while the carrier is connected, and are unknown while it is not', () => {
    expect(holds('backlog', { oldestDueAt: now - 61 * second })).toBe(true);
    expect(holds('backlog', { oldestDueAt: now - 60 * second })).toBe(false);
    expect(holds('backlog', { oldestDueAt: now + minute })).toBe(false);
    expect(holds('backlog', { oldestDueAt: now - day, up: false })).toBeNull();
  });

  it('of a link hold when all of it is down, or the share of the rule', () => {
    const half: AlertRule = { alertId: 'link', enabled: true, limit: 50, forSeconds: 0 };
    const one = figuresOf({ binds: { all: 2, down: 1 } });
    expect(holds('link', { up: false, binds: { all: 0, down: 0 } })).toBe(true);
    expect(conditionOf('link', one)?.holds).toBe(false);
    const found = conditionsOf(one, [half]);
    expect(found).toMatchObject([{ holds: true, value: 50, detail: '1 of 2 connections to carrier East is down.' }]);
    expect(conditionsOf(figuresOf(), [{ ...half, limit: 1 }])).toMatchObject([{ holds: false }]);
  });

  it('of disk, budget and certificates hold beyond their limits', () => {
    expect(holds('disk', {}, { freeBytes: 999e6 })).toBe(true);
    expect(holds('disk', {}, { freeBytes: 1_000e6 })).toBe(false);
    const budget = (percent: number | null) =>
      holds('budget', {}, { budgets: [{ accountId: 'acme', name: 'Acme', percent }] });
    expect([budget(79), budget(80), budget(null)]).toEqual([false, true, null]);
    const own = (certificateEndsAt: number | null) =>
      conditionOf('certificate', figuresOf({}, { certificateEndsAt }), '')?.holds;
    expect([own(now + 14 * day), own(now + 14 * day - 1), own(now - day), own(null)]).toEqual([
      ...[false, true, true, false],
    ]);
    const carrier = (fields: Partial<CarrierFigures>) => conditionOf('certificate', figuresOf(fields), 'c1')?.holds;
    expect(carrier({ certificateEndsAt: now + 3 * day })).toBe(true);
    expect(carrier({ certificateEndsAt: now + 3 * day, up: false })).toBe(true);
    expect(carrier({ certificateEndsAt: null, up: false })).toBeNull();
    expect(carrier({ certificateEndsAt: null })).toBe(false);
  });

  it('are not looked at where a rule is off', () => {
    const rules = alertRules([{ alertId: 'disk', enabled: false, limit: 1, forSeconds: 0 }]);
    expect(conditionsOf(figuresOf(), rules).some(({ kind }) => kind === 'disk')).toBe(false);
  });
});
