/** The list of rules: search, and export as a table. */
import { labelsOf } from '../../language/labels';
import { csvText } from '../../ui/csv';
import { phoneText } from '../../ui/Values';
import type { Rule } from './routes';

const routeLabels = labelsOf('route');

/** Fewer digits occur in nearly every number. */
const digitsMin = 3;

/** By id, carrier, campaign, kind or environment; by digits of the sender, and by a recipient or its first digits. */
export function fittingRules(rules: readonly Rule[], search: string): Rule[] {
  const wanted = search.trim().toLowerCase();
  const isNumber = /^[\d\s().+-]+$/.test(wanted);
  const digits = isNumber ? wanted.replace(/\D/g, '') : '';
  return rules.filter(({ routeId, environment, kind, campaignId, carrierIds, prefix, number }) => {
    const texts = [routeId, environment, kind ?? '', campaignId ?? '', ...carrierIds];
    if (texts.some((text) => text.toLowerCase().includes(wanted))) return true;
    if (digits === '') return false;
    const isRecipient = prefix !== '' && (prefix.startsWith(digits) || digits.startsWith(prefix));
    return isRecipient || (digits.length >= digitsMin && number?.includes(digits) === true);
  });
}

/** In the order of evaluation; `place` counts all rules, not only the shown ones. */
export function rulesCsv(shown: readonly Rule[], all: readonly Rule[]): string {
  const head = [
    ...['place', 'rule', 'environment', 'recipients_prefix', 'sender', 'sender_digits', 'kind', 'campaign', 'times'],
    ...['carriers', 'weight', 'priority'],
  ];
  const lines = shown.map((rule) => [
    ...[all.findIndex(({ routeId }) => routeId === rule.routeId) + 1, rule.routeId, rule.environment, rule.prefix],
    ...[rule.number === null ? null : phoneText(rule.number), rule.number, rule.kind, rule.campaignId ?? null],
    ...[rule.hours === undefined ? null : routeLabels.hours(rule.hours), rule.carrierIds.join(' ')],
    ...[rule.weight, rule.priority],
  ]);
  return csvText([head, ...lines]);
}

export type DropSide = 'before' | 'behind';

type Conditions = Pick<Rule, 'environment' | 'prefix' | 'number' | 'kind' | 'campaignId' | 'hours'>;

/** Longer prefixes and more conditions come first whatever the priority. */
export function isRival(a: Conditions, b: Conditions): boolean {
  return a.environment === b.environment && a.prefix === b.prefix && conditions(a) === conditions(b);
}

function conditions({ number, kind, campaignId, hours }: Conditions): number {
  return [number, kind, campaignId, hours].filter((one) => one !== null && one !== undefined).length;
}
