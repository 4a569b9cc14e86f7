/**
 * Validates a JSON body of `/api/v1` against the route's schema, which is the one in the OpenAPI document, and reports
 * the first fault. Unknown fields are refused, unlike in `/SendSMS`: ignoring a mistyped setting would do harm later.
 */
import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { counted } from '../kernel/counted.ts';
import { shown } from './envelope.ts';
import { type Answer, rejection } from './exchange.ts';
import type { JsonSchema } from './schemas.ts';

export type ReadBody<T> = (body: unknown) => { ok: true; fields: T } | { ok: false; answer: Answer<never> };

/**
 * Compiles the schema once, for the first body. `T` is the type of values that fit it. The schema itself is not checked at each start, where it would cost as much as
 * opening the store: the test of the OpenAPI document asks it of every schema there.
 */
export function createBodyReader<T>(schema: JsonSchema): ReadBody<T> {
  const options = { allowUnionTypes: true, validateFormats: false, validateSchema: false };
  let fits: ValidateFunction<T> | undefined;
  return (body) => {
    fits ??= new Ajv2020(options).compile<T>(schema);
    if (fits(body)) return { ok: true, fields: body };
    const error = fits.errors![0]!;
    const reason = error.keyword === 'required' ? 'MISSING_FIELD' : 'INVALID_FIELD';
    return { ok: false, answer: rejection(reason, `${sentence(error)} Nothing was changed.`) };
  };
}

/** Values are never quoted: they may be secrets. */
function sentence({ keyword, params, instancePath }: ErrorObject): string {
  const path = instancePath.slice(1).replaceAll('/', '.');
  const inside = path === '' ? '' : `${path}.`;
  switch (keyword) {
    case 'required':
      return `${inside}${params.missingProperty} is missing, and it is required.`;
    case 'additionalProperties':
      return `${inside}${shown(params.additionalProperty)} is no field of this operation. Check its spelling, or leave it out.`;
    case 'enum':
      return `${path} may be one of: ${listed(params.allowedValues.map(String))}.`;
    case 'type':
      return path === ''
        ? 'The body must be one JSON object.'
        : `${path} must be of type ${[params.type].flat().join(' or ')}.`;
    case 'minProperties':
      return 'The body is empty. Send at least one field to change.';
    default:
      return `${path} cannot have this value: it ${rules[keyword]?.(params.limit) ?? 'does not have the right form'}.`;
  }
}

/** The longest list that a sentence quotes. */
const listCharactersMax = 200;

function listed(values: readonly string[]): string {
  let characters = 0;
  const shown = values.filter((value) => {
    characters += value.length + 2;
    return characters <= listCharactersMax;
  });
  const more = values.length - shown.length;
  return more === 0 ? values.join(', ') : `${shown.join(', ')} and ${more} more`;
}

const rules: Readonly<Record<string, (limit: number) => string>> = {
  minLength: (limit) => `must have at least ${counted(limit, 'character')}`,
  maxLength: (limit) => `may have at most ${counted(limit, 'character')}`,
  minItems: (limit) => `must hold at least ${counted(limit, 'entry', 'entries')}`,
  maxItems: (limit) => `may hold at most ${counted(limit, 'entry', 'entries')}`,
  uniqueItems: () => 'holds an entry twice',
  minimum: (limit) => `must be at least ${limit}`,
  maximum: (limit) => `may be at most ${limit}`,
};
