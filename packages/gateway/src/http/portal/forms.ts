/**
 * From a JSON body to the fields of a form, or to the answer that says field by field what is wrong. A field that is not
 * in the form is ignored, so that nobody sets what the form does not offer. Values are never quoted: they may be secrets.
 */
import type { Answer } from '../exchange.ts';
import { fieldFaults } from './answers.ts';

export interface TextField {
  kind: 'text';
  charactersMax: number;
  optional: boolean;
  nullable: boolean;
  oneOf: readonly string[] | null;
}

export interface FlagField {
  kind: 'flag';
  optional: boolean;
}

export type FormFields = Readonly<Record<string, TextField | FlagField>>;

type ValueOf<F> = F extends { kind: 'flag' } ? boolean : F extends { nullable: true } ? string | null : string;
export type FormOf<F extends FormFields> = {
  [K in keyof F as F[K] extends { optional: true } ? never : K]: ValueOf<F[K]>;
} & { [K in keyof F as F[K] extends { optional: true } ? K : never]?: ValueOf<F[K]> };

const textMax = 1_024;
const text = { kind: 'text', charactersMax: textMax, optional: false, nullable: false, oneOf: null } as const;

export const required = text;
export const optional = { ...text, optional: true } as const;
/** May be left out or null. */
export const optionalOrNull = { ...text, optional: true, nullable: true } as const;
export const flag = { kind: 'flag', optional: true } as const;

export function readForm<const F extends FormFields>(
  body: unknown,
  fields: F,
): { ok: true; form: FormOf<F> } | { ok: false; answer: Answer } {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return { ok: false, answer: fieldFaults({ body: 'The body must be one JSON object.' }) };
  }
  const faults: Record<string, string> = {};
  const form: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = Object.hasOwn(body, name) ? (body as Record<string, unknown>)[name] : undefined;
    if (value === undefined) {
      if (!field.optional) faults[name] = 'This field is required.';
      continue;
    }
    const fault = faultOf(field, value);
    if (fault === null) form[name] = value;
    else faults[name] = fault;
  }
  if (Object.keys(faults).length > 0) return { ok: false, answer: fieldFaults(faults) };
  return { ok: true, form: form as FormOf<F> };
}

function faultOf(field: TextField | FlagField, value: unknown): string | null {
  if (field.kind === 'flag') return typeof value === 'boolean' ? null : 'This field must be true or false.';
  if (value === null) return field.nullable ? null : 'This field must be a text.';
  if (typeof value !== 'string') return 'This field must be a text.';
  if (value.length > field.charactersMax) return `This field may have at most ${field.charactersMax} characters.`;
  if (value.includes('\0') || !value.isWellFormed()) return 'This field holds something that is no character.';
  if (field.oneOf !== null && !field.oneOf.includes(value))
    return `This field may be one of: ${field.oneOf.join(', ')}.`;
  return null;
}
