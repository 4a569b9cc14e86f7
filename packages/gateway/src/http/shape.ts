/**
 * Shapes: JSON Schemas (2020-12) with a TypeScript type. The same shape documents an answer, types it, and checks it in
 * tests.
 *
 * A string is `plain` (an id, a code, a name, our own sentence) or `content` (what one person wrote to another). People
 * who may not read texts never get content.
 */
import type { JsonSchema } from './schemas.ts';

declare const held: unique symbol;

/** The schema of a `T`. */
export type Shape<T> = JsonSchema & { readonly [held]: T };

export type TypeOf<S> = S extends Shape<infer T> ? T : never;

/** A property that may be absent. */
export interface LeftOut<T> {
  readonly leftOut: Shape<T>;
}

export type Properties = Readonly<Record<string, Shape<unknown> | LeftOut<unknown>>>;

type Flat<T> = { [K in keyof T]: T[K] };
export type ObjectOf<P extends Properties> = Flat<
  { [K in keyof P as P[K] extends LeftOut<unknown> ? never : K]: TypeOf<P[K]> } & {
    [K in keyof P as P[K] extends LeftOut<unknown> ? K : never]?: P[K] extends LeftOut<infer T> ? T : never;
  }
>;

const names = new WeakMap<object, string>();
const contents = new WeakSet<object>();

function shape<T>(schema: JsonSchema): Shape<T> {
  return schema as Shape<T>;
}

function described(schema: JsonSchema, description: string | undefined): JsonSchema {
  return description === undefined ? schema : { ...schema, description };
}

/** An id, a code, a name or our own sentence: nothing that one person wrote to another. */
export function plain(description?: string): Shape<string> {
  return shape(described({ type: 'string' }, description));
}

/** What a person wrote: the text of a message, a keyword of a reply, the body of a webhook. */
export function content(description?: string): Shape<string> {
  const made = shape<string>(described({ type: 'string' }, description));
  contents.add(made);
  return made;
}

/** RFC 3339, UTC with milliseconds. */
export const time: Shape<string> = shape({
  type: 'string',
  format: 'date-time',
  description: 'UTC with milliseconds.',
});

/** A day of the calendar, `2026-11-30`, UTC. */
export const day: Shape<string> = shape({ type: 'string', format: 'date' });

export function whole(description?: string): Shape<number> {
  return shape(described({ type: 'integer' }, description));
}

/** Any number: a share, a rate, milliseconds with decimals. */
export function decimal(description?: string): Shape<number> {
  return shape(described({ type: 'number' }, description));
}

export function flag(description?: string): Shape<boolean> {
  return shape(described({ type: 'boolean' }, description));
}

/** Always this value. */
export function always<const V extends string | number | boolean | null>(value: V): Shape<V> {
  return shape({ const: value });
}

export function oneOf<const V extends readonly (string | number)[]>(values: V, description?: string): Shape<V[number]> {
  const type = typeof values[0] === 'number' ? 'integer' : 'string';
  return shape(described({ type, enum: [...values] }, description));
}

export function list<T>(of: Shape<T>, description?: string): Shape<readonly T[]> {
  return shape(described({ type: 'array', items: of }, description));
}

/** An object whose keys are not fixed. */
export function byName<T>(of: Shape<T>, description?: string): Shape<Record<string, T>> {
  return shape(described({ type: 'object', additionalProperties: of }, description));
}

/** Any JSON, such as the settings of a carrier kind or an event of any type. It is never content. */
export function anything(description?: string): Shape<unknown> {
  return shape(described({}, description));
}

export function orNull<T>(of: Shape<T>): Shape<T | null> {
  const { type, enum: values } = of;
  const isSimple = typeof type === 'string' && !names.has(of);
  if (!isSimple) return shape({ anyOf: [of, { type: 'null' }] });
  const made = shape<T | null>({
    ...of,
    type: [type, 'null'],
    ...(Array.isArray(values) && { enum: [...values, null] }),
  });
  if (contents.has(of)) contents.add(made);
  return made;
}

export function optional<T>(of: Shape<T>): LeftOut<T> {
  return { leftOut: of };
}

export function object<const P extends Properties>(properties: P, description?: string): Shape<ObjectOf<P>> {
  const entries = Object.entries(properties);
  const required = entries.filter(([, one]) => !isLeftOut(one)).map(([name]) => name);
  const schema = {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(entries.map(([name, one]) => [name, isLeftOut(one) ? one.leftOut : one])),
  };
  return shape(described(schema, description));
}

function isLeftOut(one: Shape<unknown> | LeftOut<unknown>): one is LeftOut<unknown> {
  return 'leftOut' in one;
}

/** An object with the properties of both; a named base is referred to. */
export function extended<A extends object, const P extends Properties>(
  base: Shape<A>,
  properties: P,
): Shape<Flat<A & ObjectOf<P>>> {
  const own = object(properties);
  if (names.has(base)) return shape({ allOf: [base, own] });
  return shape({
    type: 'object',
    required: [base, own].flatMap(({ required = [] }) => required),
    properties: { ...(base.properties as object), ...(own.properties as object) },
  });
}

/** One of several shapes. */
export function either<const S extends readonly Shape<unknown>[]>(...shapes: S): Shape<TypeOf<S[number]>> {
  return shape({ anyOf: shapes });
}

/** A schema written by hand, for rules that these builders lack (lengths, patterns); `T` is the type that fits it. */
export function written<T>(schema: JsonSchema): Shape<T> {
  return shape(schema);
}

/** Gives the shape a name in the document and in the portal's types; all other places refer to it. */
export function named<T>(name: string, of: Shape<T>): Shape<T> {
  names.set(of, name);
  return of;
}

export function nameOf(schema: object): string | undefined {
  return names.get(schema);
}

/** Every named schema in a value, by name. */
export function namesWithin(value: unknown, found: Record<string, JsonSchema> = {}): Record<string, JsonSchema> {
  if (typeof value !== 'object' || value === null) return found;
  const name = names.get(value);
  if (name !== undefined) found[name] = value as JsonSchema;
  for (const one of Object.values(value)) namesWithin(one, found);
  return found;
}

export function isContent(schema: object): boolean {
  return contents.has(schema);
}
