/**
 * Checks answers against the records of their routes: the schema must name and allow every field, so that nothing
 * leaks. For people who may not read texts, content must be null with its length beside it.
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { AnyRoute } from './route.ts';
import type { JsonSchema } from './schemas.ts';
import { isContent } from './shape.ts';

const ajv = new Ajv2020({ allowUnionTypes: true, strict: false, validateFormats: false });
const compiled = new WeakMap<object, ValidateFunction>();

/** Describes the first field that does not fit; null when all do. */
export function answerFault({ answer: { data } }: AnyRoute, body: { data?: unknown }): string | null {
  if (data === null) return null;
  const fits = compiled.get(data) ?? ajv.compile(closed(data) as object);
  compiled.set(data, fits);
  if (fits(body.data)) return null;
  const [{ instancePath, message, params } = { instancePath: '', message: '', params: {} }] = fits.errors ?? [];
  return `data${instancePath} ${message} ${JSON.stringify(params)}`;
}

/** The same schema, refusing fields that it does not name. */
function closed(schema: unknown): unknown {
  if (!isObject(schema)) return schema;
  if (Array.isArray(schema)) return schema.map(closed);
  // Each entry of `allOf` names some of the fields, so only fields that no entry names are refused.
  if (Array.isArray(schema.allOf)) return { allOf: schema.allOf.map(inside), unevaluatedProperties: false };
  return 'properties' in schema ? { ...inside(schema), additionalProperties: false } : inside(schema);
}

/** Closes the schemas inside this one, but leaves this one open. */
function inside(schema: JsonSchema): JsonSchema {
  if (Array.isArray(schema.allOf)) return { allOf: schema.allOf.map(inside) };
  const made = Object.fromEntries(Object.entries(schema).map(([name, one]) => [name, closed(one)]));
  if (!('properties' in schema)) return isContent(schema) ? { ...made, type: ['string', 'null'] } : made;
  const properties = schema.properties as Record<string, JsonSchema>;
  const shown = Object.entries(properties).map(([name, one]) => [name, closed(one)]);
  return { ...made, properties: { ...Object.fromEntries(shown), ...beside(properties) } };
}

function isObject(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null;
}

/** The counts that replace hidden content. */
function beside(properties: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const count = { type: 'integer' };
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, one]) => {
      if (isContent(one)) return [[`${name}Length`, count]];
      return name === 'mediaUrls' || name === 'media' ? [[`${name}Count`, count]] : [];
    }),
  );
}
