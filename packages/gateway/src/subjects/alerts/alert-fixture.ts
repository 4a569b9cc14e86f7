/** Figures of a healthy gateway, and parts that its tests do not need. */
import type { AlertKind } from '../../model/alert.ts';
import { alertRules } from '../../model/alert.ts';
import { type CarrierFigures, type Condition, conditionsOf, type Figures } from './conditions.ts';

export const now = 1_800_000_000_000;
export const second = 1_000;
export const minute = 60 * second;
export const day = 24 * 60 * minute;

export const well: CarrierFigures = {
  carrierId: 'c1',
  name: 'East',
  environment: 'live',
  up: true,
  binds: { all: 2, down: 0 },
  tries: 1_000,
  refused: 3,
  gap: { ageMs: 2_000, parts: 3, partsForMs: 1_500, isReported: true, usualMs: 5_000 },
  usualMs: 5_000,
  oldestDueAt: null,
  certificateEndsAt: now + 90 * day,
};

export function figuresOf(carrier: Partial<CarrierFigures> = {}, more: Partial<Figures> = {}): Figures {
  return {
    now,
    watchedMs: day,
    carriers: [{ ...well, ...carrier }],
    freeBytes: 50e9,
    certificateEndsAt: now + 60 * day,
    budgets: [{ accountId: 'acme', name: 'Acme', percent: 40 }],
    environment: 'live',
    ...more,
  };
}

/** Judged by the default rules. */
export function conditionOf(kind: AlertKind, figures: Figures, subject?: string): Condition | undefined {
  return conditionsOf(figures, alertRules([])).find(
    (one) => one.kind === kind && (subject === undefined || one.subject === subject),
  );
}
