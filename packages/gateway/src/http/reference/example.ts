/**
 * Builds one example request of an operation from its description, for the samples and as the start of a tried request.
 */
import { sandboxPinnedHandsets } from '../../model/sandbox.ts';
import { jsonOf, needsCredentials, type Operation, type Parameter, type Schema } from './reading.ts';

export type ExampleBody = { kind: 'json'; value: unknown } | { kind: 'file'; name: string };

export interface ExampleRequest {
  method: string;
  url: string;
  credentials: boolean;
  body: ExampleBody | null;
}

/** Values for parameters whose schema has no example. All others get a placeholder in capitals. */
const known: Readonly<Record<string, string>> = { number: sandboxPinnedHandsets[0]!, month: '2026-05' };

/** `MESSAGE_ID` for `messageId`, so that nobody takes it for a value. */
export function exampleOfParameter({ name, schema }: Parameter): string {
  const [example] = schema.examples ?? [];
  return String(example ?? known[name] ?? name.replace(/([A-Z])/g, '_$1').toUpperCase());
}

export function isPlaceholder(example: string): boolean {
  return /^[A-Z_]+$/.test(example);
}

/** Sends the required parameters only. */
export function exampleRequest(operation: Operation, baseUrl: string): ExampleRequest {
  const { method, path, parameters = [] } = operation;
  const place = path.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const parameter = parameters.find((one) => one.in === 'path' && one.name === name);
    return encodeURIComponent(parameter === undefined ? name : exampleOfParameter(parameter));
  });
  const query = parameters
    .filter((one) => one.in === 'query' && one.required === true)
    .map((one) => `${one.name}=${encodeURIComponent(exampleOfParameter(one))}`);
  const url = `${baseUrl}${place}${query.length > 0 ? `?${query.join('&')}` : ''}`;
  return { method, url, credentials: needsCredentials(operation), body: exampleBody(operation) };
}

export function exampleBody({ requestBody }: Operation): ExampleBody | null {
  if (requestBody === undefined) return null;
  const json = jsonOf(requestBody.content);
  if (json !== undefined) {
    const [example] = Object.values(json.examples ?? {});
    return { kind: 'json', value: example === undefined ? exampleOf(json.schema) : example.value };
  }
  return { kind: 'file', name: 'photo.jpg' };
}

/** The smallest valid value: the required fields, or the first field where none is required. */
export function exampleOf(schema: Schema): unknown {
  const [example] = schema.examples ?? [];
  if (example !== undefined) return example;
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  const [choice] = schema.enum ?? [];
  if (choice !== undefined) return choice;
  const [variant] = schema.oneOf ?? schema.anyOf ?? [];
  if (variant !== undefined) return exampleOf(variant);
  return exampleOfType(schema);
}

function exampleOfType(schema: Schema): unknown {
  const { properties = {}, required = [] } = schema;
  switch (typeOf(schema)) {
    case 'object': {
      const names = required.length > 0 ? required : Object.keys(properties).slice(0, 1);
      return Object.fromEntries(names.map((name) => [name, exampleOf(properties[name] ?? {})]));
    }
    case 'array':
      return schema.items === undefined ? [] : [exampleOf(schema.items)];
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    default:
      return schema.format === 'date-time' ? '2026-05-04T09:30:00.000Z' : 'text';
  }
}

/** The first type that is not null. */
export function typeOf({ type, properties, items }: Schema): string | undefined {
  const types = typeof type === 'string' ? [type] : (type ?? []);
  const stated = types.find((one) => one !== 'null');
  if (stated !== undefined) return stated;
  if (properties !== undefined) return 'object';
  return items === undefined ? undefined : 'array';
}
