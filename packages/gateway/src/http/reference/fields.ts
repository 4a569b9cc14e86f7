/** Renders the fields of a schema as a list in HTML; nested fields are behind a disclosure. */
import { typeOf } from './example.ts';
import { escaped, prose } from './html.ts';
import type { Parameter, Schema } from './reading.ts';

/** The deepest level with fields of its own; below it only types are shown. */
const depthMax = 4;
/** With more values than this, only their number is shown. */
const valuesMax = 24;

export function parameterList(parameters: readonly Parameter[]): string {
  const items = parameters.map(({ name, required = false, schema, description }) =>
    field(name, { ...schema, ...(description !== undefined && { description }) }, required, depthMax),
  );
  return `<ul class="fields">${items.join('')}</ul>`;
}

/** '' for a schema without fields. */
export function fieldList(schema: Schema, depth = 0): string {
  const { properties, required } = fieldsOf(schema);
  const items = Object.entries(properties).map(([name, one]) => field(name, one, required.includes(name), depth));
  return items.length === 0 ? '' : `<ul class="fields">${items.join('')}</ul>`;
}

/** The fields of an object, of the entries of a list, or of all variants together. */
function fieldsOf(schema: Schema): { properties: Readonly<Record<string, Schema>>; required: readonly string[] } {
  const { properties = {}, required = [], items, oneOf = [], anyOf = [], allOf = [] } = schema;
  const parts = [...allOf, ...oneOf, ...anyOf, ...(items === undefined ? [] : [items])].map(fieldsOf);
  return {
    properties: Object.assign({}, ...parts.map((one) => one.properties), properties),
    required: [...required, ...allOf.flatMap((one) => fieldsOf(one).required), ...(items?.required ?? [])],
  };
}

function field(name: string, schema: Schema, required: boolean, depth: number): string {
  const { description = '' } = schema;
  const nested = depth < depthMax ? fieldList(schema, depth + 1) : '';
  const count = Object.keys(fieldsOf(schema).properties).length;
  const inside =
    nested === '' ? '' : `<details><summary>${count} ${count === 1 ? 'field' : 'fields'}</summary>${nested}</details>`;
  const values = valuesOf(schema);
  return `<li><p><code>${escaped(name)}</code> <span class="type">${escaped(shownType(schema))}</span>${required ? ' <span class="required">required</span>' : ''}</p>${description === '' ? '' : `<p>${prose(description)}</p>`}${values}${inside}</li>`;
}

function shownType(schema: Schema): string {
  const { type, items, format, minimum, maximum, minLength, maxLength, maxItems } = schema;
  const own = typeOf(schema) ?? (schema.const === undefined ? 'any' : JSON.stringify(schema.const));
  const named = own === 'array' ? `list of ${typeOf(items ?? {}) ?? 'any'}` : own;
  const range = (least: number | undefined, most: number | undefined, unit: string) => {
    if (most === undefined) return [];
    return [least === undefined ? `at most ${most}${unit}` : `${least} to ${most}${unit}`];
  };
  return [
    named,
    ...(Array.isArray(type) && type.includes('null') ? ['or null'] : []),
    ...(format === undefined ? [] : [format]),
    ...range(minimum, maximum, ''),
    ...range(minLength, maxLength, ' characters'),
    ...range(undefined, maxItems, ' entries'),
    ...(schema.default === undefined ? [] : [`default ${JSON.stringify(schema.default)}`]),
  ].join(', ');
}

function valuesOf({ items, enum: values = items?.enum ?? [] }: Schema): string {
  if (values.length === 0 || values.length > valuesMax) return '';
  return `<p class="values">${values.map((value) => `<code>${escaped(String(value))}</code>`).join(' ')}</p>`;
}
