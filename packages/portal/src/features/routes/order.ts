/** Between which rules the priority decides, as the gateway says. Pure. */
import type { Rule } from './routes';

export type DropSide = 'before' | 'behind';

type Conditions = Pick<Rule, 'environment' | 'prefix' | 'number' | 'kind' | 'campaignId' | 'hours'>;

/** Longer prefixes and more conditions come first whatever the priority. */
export function isRival(a: Conditions, b: Conditions): boolean {
  return a.environment === b.environment && a.prefix === b.prefix && conditions(a) === conditions(b);
}

function conditions({ number, kind, campaignId, hours }: Conditions): number {
  return [number, kind, campaignId, hours].filter((one) => one !== null && one !== undefined).length;
}
