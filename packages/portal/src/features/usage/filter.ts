/** The filters of the usage page: in the URL, in the gateway's queries, and as a search of the message log. Pure. */
import type { Days } from './periods';
import { dayAfter } from './periods';

export const dimensions = ['number', 'campaign', 'key', 'carrier', 'country', 'kind'] as const;
export type Dimension = (typeof dimensions)[number];
export type Filter = Partial<Record<Dimension, string>>;

/** The groupings of the table: a person is identified by the key of their portal messages. */
export const groupings = ['number', 'campaign', 'key', 'person', 'carrier', 'country', 'kind'] as const;
export type Grouping = (typeof groupings)[number];

/** Messages sent in the portal are counted under this prefix and the person's id. */
export const personPrefix = 'portal:';

export function dimensionOf(by: Grouping): Dimension {
  return by === 'person' ? 'key' : by;
}

export function filterOf(search: string): Filter {
  const values = new URLSearchParams(search);
  return Object.fromEntries(
    dimensions.flatMap((name) => {
      const value = values.get(name) ?? '';
      return value === '' ? [] : [[name, value]];
    }),
  );
}

export function isNarrowed(filter: Filter): boolean {
  return Object.keys(filter).length > 0;
}

/** The URL with these values set; '' removes one. */
export function withSet(
  { pathname, search }: { pathname: string; search: string },
  set: Readonly<Record<string, string>>,
): string {
  const values = new URLSearchParams(search);
  for (const [name, value] of Object.entries(set)) {
    if (value === '') values.delete(name);
    else values.set(name, value);
  }
  const text = values.toString();
  return text === '' ? pathname : `${pathname}?${text}`;
}

/** The log search for messages sent on these days; null when it cannot express the filter. */
export function messagesSearch(
  { from, to }: Days,
  { number, kind, key, campaign, carrier, country }: Filter,
  states: readonly string[] = [],
): string | null {
  if (campaign !== undefined || carrier !== undefined || country !== undefined) return null;
  return [
    'direction:outbound',
    ...(number === undefined ? [] : [`from:${number}`]),
    ...(kind === undefined ? [] : [`type:${kind.toLowerCase()}`]),
    ...(key === undefined ? [] : [`key:"${key}"`]),
    ...(states.length === 0 ? [] : [`status:${states.join(',')}`]),
    // Days are UTC in both places
    `after:${from}`,
    `before:${dayAfter(to)}`,
  ].join(' ');
}
