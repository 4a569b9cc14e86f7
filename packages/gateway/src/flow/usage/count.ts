/**
 * From messages that carriers took to the rows they are counted in: which campaign, country and environment they belong
 * to, by the records as they are now. Pure.
 */
import { countryOf } from '../../domain/country.ts';
import type { Directory } from '../../domain/directory.ts';
import type { TakenMessages, UsageRow } from '../../domain/usage.ts';

/** One row for each combination, as the store wants them. */
export function usageRows(taken: readonly TakenMessages[], directory: Directory): UsageRow[] {
  const rows = new Map<string, UsageRow>();
  for (const { toPrefix, messages, units, ...same } of taken) {
    const number = directory.number(same.number);
    // A live record stays where it is: what is on no record belongs to a sandbox that is switched off.
    const environment = number?.environment ?? directory.carrier(same.carrier)?.environment ?? 'sandbox';
    const names = { ...same, environment, campaign: number?.campaignId ?? '', country: countryOf(toPrefix) ?? '' };
    const key = JSON.stringify(Object.values(names));
    const row = rows.get(key) ?? { ...names, messages: 0, units: 0 };
    rows.set(key, { ...row, messages: row.messages + messages, units: row.units + units });
  }
  return [...rows.values()];
}
