/**
 * Query parameters of a route as data: documentation, parsing, error sentences. Values are never quoted, because the
 * query string holds a secret.
 */

import type { Query } from './input.ts';
import { numberForm, pageDefault, pageMax, timeParameter, valuesOnce, wholeNumber } from './list-query.ts';
import type { JsonSchema } from './schemas.ts';

export interface QueryField<T> {
  schema: JsonSchema;
  description: string;
  required?: true;
  /** False for a list: its values are in one parameter, separated by commas. */
  explode?: false;
  /** Its values may hold control characters, except NUL. */
  controls?: true;
  /** `value` is null when it was not sent. */
  read(name: string, value: string | null): { value: T } | { fault: string };
}

export type QueryFields = Readonly<Record<string, QueryField<unknown>>>;
export type QueryOf<Q extends QueryFields> = { [K in keyof Q]: Q[K] extends QueryField<infer T> ? T : never };

/** The values of all fields, or the sentence about the first unreadable one. */
export function readQuery<Q extends QueryFields>(
  fields: Q,
  query: Query,
): { ok: true; values: QueryOf<Q> } | { ok: false; fault: string } {
  const mayHoldControls = (name: string): boolean => fields[name]?.controls === true;
  const sent = valuesOnce(query, Object.keys(fields), mayHoldControls);
  if (typeof sent === 'string') return { ok: false, fault: sent };
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const read = field.read(name, sent[name] ?? null);
    if ('fault' in read) return { ok: false, fault: read.fault };
    values[name] = read.value;
  }
  return { ok: true, values: values as QueryOf<Q> };
}

const text = { type: 'string' } as const;

/** Any text; null when it was not sent. */
export function textQuery(description: string, schema: JsonSchema = text): QueryField<string | null> {
  return { schema, description, read: (_name, value) => ({ value }) };
}

/**
 * Where a list goes on. `after=` without a value is how people and programs write its beginning: as if it were not sent.
 * `fault`: the sentence that refuses a cursor, if its form can be told here.
 */
export function afterQuery(
  description: string,
  fault: (cursor: string) => string | null = () => null,
): QueryField<string | null> {
  return {
    schema: text,
    description,
    read: (_name, sent) => {
      const value = sent === '' ? null : sent;
      const refused = value === null ? null : fault(value);
      return refused === null ? { value } : { fault: refused };
    },
  };
}

/** Several texts, by their descriptions, that `work` parses further. */
export function textQueries<const D extends Readonly<Record<string, string>>>(
  descriptions: D,
): { [K in keyof D]: QueryField<string | null> } {
  const fields = Object.entries(descriptions).map(([name, description]) => [name, textQuery(description)]);
  return Object.fromEntries(fields);
}

/** A telephone number as digits only. */
export function numberQuery(description: string): QueryField<string | null> {
  return {
    schema: text,
    description,
    read: (name, value) =>
      value === null || numberForm.test(value)
        ? { value }
        : { fault: `The query parameter ${name} must be a number: digits only.` },
  };
}

/** A time with its zone (RFC 3339 §5.6), as milliseconds since the epoch. */
export function timeQuery(description: string): QueryField<number | null> {
  return {
    schema: { type: 'string', format: 'date-time' },
    description,
    read: (name, value) => {
      const at = timeParameter(name, value);
      return typeof at === 'string' ? { fault: at } : { value: at };
    },
  };
}

export function wholeQuery(
  range: { min: number; max: number; whenMissing: number },
  description: string,
): QueryField<number> {
  const { min, max, whenMissing } = range;
  return {
    schema: { type: 'integer', minimum: min, maximum: max, default: whenMissing },
    description,
    read: (name, value) => {
      const number = wholeNumber(name, value, range);
      return typeof number === 'string' ? { fault: number } : { value: number };
    },
  };
}

/** Entries of one page. */
export const limitQuery = wholeQuery({ min: 1, max: pageMax, whenMissing: pageDefault }, 'Entries of one page.');
