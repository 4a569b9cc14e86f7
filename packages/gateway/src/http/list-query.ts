/**
 * Validates query parameters of lists. Problems are complete sentences for `detail` and never quote a value, because
 * the query string holds a secret.
 */
import { isOnCalendar } from '../kernel/calendar.ts';
import { type Query, valuesOf } from './input.ts';

export const pageDefault = 50;
export const pageMax = 100;

export const numberForm = /^[0-9]{1,15}$/;

/** The values of `names`, null for those that were not sent; or the sentence that describes the fault. */
export function valuesOnce<Name extends string>(
  query: Query,
  names: readonly Name[],
  mayHoldControls: (name: Name) => boolean = () => false,
): Readonly<Record<Name, string | null>> | string {
  const values = {} as Record<Name, string | null>;
  for (const name of names) {
    const sent = valuesOf(query, name);
    if (sent.length > 1 || sent[0] === null) return `The query parameter ${name} cannot be read. Send it once.`;
    // PostgreSQL refuses NUL, and hardly any value that a list filters by contains a control character.
    const refused = mayHoldControls(name) ? /\0/ : /\p{Cc}/u;
    if (sent[0] !== undefined && refused.test(sent[0])) {
      return `The query parameter ${name} holds a control character. Leave it out.`;
    }
    values[name] = sent[0] ?? null;
  }
  return values;
}

/** A whole number from `min` to `max`, `whenMissing` when it was not sent; or the sentence that describes the fault. */
export function wholeNumber(
  name: string,
  value: string | null,
  range: { min: number; max: number; whenMissing: number },
): number | string {
  if (value === null) return range.whenMissing;
  const number = Number(value);
  if (/^[0-9]{1,4}$/.test(value) && number >= range.min && number <= range.max) return number;
  return `The query parameter ${name} must be a whole number from ${range.min} to ${range.max}.`;
}

/** The parameter `limit` of a list. */
export function pageLimit(value: string | null): number | string {
  return wholeNumber('limit', value, { min: 1, max: pageMax, whenMissing: pageDefault });
}

/** RFC 3339 §5.6; the zone is required, because a time without one depends on the machine. */
export function readTime(text: string): number | null {
  if (!/^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:[Zz]|[+-]\d\d:\d\d)$/.test(text)) return null;
  if (!isOnCalendar(text)) return null;
  const ms = Date.parse(text.replace(' ', 'T').toUpperCase());
  return Number.isNaN(ms) ? null : ms;
}

/** A time in a query, in ms since the epoch, null when it was not sent; or the sentence that describes the fault. */
export function timeParameter(name: string, value: string | null): number | null | string {
  if (value === null) return null;
  return readTime(value) ?? `The query parameter ${name} must be a time with its zone, such as 2026-01-31T12:00:00Z.`;
}
