/**
 * A draft of all routing rules: its base and its current state. It belongs to this tab and has no effect before it is
 * published. Pure, except for its storage over a reload.
 */

import { labelsOf } from '../../language/labels';
import type { Rule } from './routes';

const routeLabels = labelsOf('route');

export interface Draft {
  base: Rule[];
  rules: Rule[];
}

const fieldNames = [
  ...(['environment', 'prefix', 'number', 'kind', 'campaignId', 'hours', 'carrierIds', 'weight', 'priority'] as const),
];

export type RuleField = (typeof fieldNames)[number];

export interface RuleChange {
  routeId: string;
  how: 'added' | 'removed' | 'changed';
  fields: { name: RuleField; before: string; after: string }[];
}

/** A rule in the gateway's form: the names of a records file. */
export function formOf(rule: Omit<Rule, 'version' | 'moves'>): Record<string, unknown> {
  const { routeId, environment, prefix, number, kind, weight, priority, carrierIds } = rule;
  const { campaignId: campaign = null, hours = null } = rule;
  return { id: routeId, environment, prefix, number, kind, campaign, hours, weight, priority, carriers: carrierIds };
}

function textOf(rule: Omit<Rule, 'version' | 'moves'>, name: RuleField): string {
  const value = rule[name];
  if (name === 'hours') return rule.hours === undefined ? '' : routeLabels.hours(rule.hours);
  return Array.isArray(value) ? value.join(' → ') : String(value ?? '');
}

export function changesOf(
  before: readonly Omit<Rule, 'version' | 'moves'>[],
  after: readonly Omit<Rule, 'version' | 'moves'>[],
): RuleChange[] {
  const ids = [...new Set([...after, ...before].map(({ routeId }) => routeId))];
  return ids.flatMap((routeId): RuleChange[] => {
    const was = before.find((rule) => rule.routeId === routeId);
    const is = after.find((rule) => rule.routeId === routeId);
    const text = (rule: typeof was, name: RuleField) => (rule === undefined ? '' : textOf(rule, name));
    const fields = fieldNames
      .map((name) => ({ name, before: text(was, name), after: text(is, name) }))
      .filter((field) => field.before !== field.after);
    const how = was === undefined ? 'added' : is === undefined ? 'removed' : 'changed';
    return fields.length === 0 ? [] : [{ routeId, how, fields }];
  });
}

export function isBehind({ base }: Draft, current: readonly Rule[]): boolean {
  return changesOf(base, current).length > 0;
}

/** One's own changes on top of those that another person published: for a rule that both changed, one's own wins. */
export function rebased({ base, rules }: Draft, current: readonly Rule[]): Draft {
  const mine = new Set(changesOf(base, rules).map(({ routeId }) => routeId));
  const theirs = current.filter(({ routeId }) => !mine.has(routeId));
  return { base: [...current], rules: [...theirs, ...rules.filter(({ routeId }) => mine.has(routeId))] };
}

const storedName = 'helio-route-draft';

export function keptDraft(): Draft | null {
  try {
    return JSON.parse(sessionStorage.getItem(storedName) ?? 'null') as Draft | null;
  } catch {
    return null;
  }
}

export function keepDraft(draft: Draft | null): void {
  try {
    if (draft === null) sessionStorage.removeItem(storedName);
    else sessionStorage.setItem(storedName, JSON.stringify(draft));
  } catch {
    // Without storage a reload loses the draft.
  }
}
