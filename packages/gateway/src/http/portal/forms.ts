/**
 * Reads a JSON body into the fields of a form, or reports every fault by field. Unknown fields are refused, since
 * their sender meant something by them. Values are never quoted; they may be secret.
 */
import type { Answer } from '../exchange.ts';
import { type BodyRule, type JsonGiven, ownBody } from '../route.ts';
import type { JsonSchema } from '../schemas.ts';
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

/** A list of texts. */
export interface TextsField {
  kind: 'texts';
  countMax: number;
  charactersMax: number;
  optional: boolean;
}

/** Flags by name; a flag that is left out keeps its value. */
export interface FlagsField {
  kind: 'flags';
  names: readonly string[];
  optional: boolean;
}

/** A whole number. */
export interface WholeField {
  kind: 'whole';
  min: number;
  max: number;
  optional: boolean;
  nullable: boolean;
}

/** A value that the form reads itself; only its name is known here. */
export interface OwnField {
  kind: 'own';
  optional: true;
}

export type FormField = OwnField | TextField | FlagField | TextsField | FlagsField | WholeField;
export type FormFields = Readonly<Record<string, FormField>>;

type OrNull<F, T> = F extends { nullable: true } ? T | null : T;
type ValueOf<F> = F extends { kind: 'own' }
  ? unknown
  : F extends { kind: 'flag' }
    ? boolean
    : F extends { kind: 'texts' }
      ? string[]
      : F extends { kind: 'flags'; names: readonly (infer N extends string)[] }
        ? Partial<Record<N, boolean>>
        : F extends { kind: 'whole' }
          ? OrNull<F, number>
          : OrNull<F, string>;
export type FormOf<F extends FormFields> = {
  [K in keyof F as F[K] extends { optional: true } ? never : K]: ValueOf<F[K]>;
} & { [K in keyof F as F[K] extends { optional: true } ? K : never]?: ValueOf<F[K]> };

const textMax = 1_024;
const text = { kind: 'text', charactersMax: textMax, optional: false, nullable: false, oneOf: null } as const;

export const required = text;
export const optional = { ...text, optional: true } as const;
/** May be left out or null. */
export const optionalOrNull = { ...text, optional: true, nullable: true } as const;
export const ownField = { kind: 'own', optional: true } as const;
export const flag = { kind: 'flag', optional: true } as const;
export const optionalTexts = (countMax: number, charactersMax: number) =>
  ({ kind: 'texts', countMax, charactersMax, optional: true }) as const;
export const optionalFlags = <const N extends readonly string[]>(names: N) =>
  ({ kind: 'flags', names, optional: true }) as const;
export const optionalWhole = (min: number, max: number) =>
  ({ kind: 'whole', min, max, optional: true, nullable: false }) as const;
export const optionalWholeOrNull = (min: number, max: number) =>
  ({ kind: 'whole', min, max, optional: true, nullable: true }) as const;

/** The body of a route that is a form. `optional`: no body counts as an empty form. */
export function form<const F extends FormFields>(
  fields: F,
  { optional = false }: { optional?: boolean } = {},
): BodyRule<JsonGiven<FormOf<F>>> {
  return {
    kind: optional ? 'optional json' : 'json',
    content: { 'application/json': { schema: formSchema(fields) } },
    read: (body) => {
      const read = readForm(body, fields);
      return read.ok ? { ok: true, fields: read.form } : read;
    },
  };
}

/**
 * The same for a form that `work` reads itself because it checks something else first; its fields are in the document.
 */
export function lateForm(fields: FormFields, extra: { optional?: true } = {}): BodyRule<JsonGiven<unknown>> {
  return ownBody(formSchema(fields), extra);
}

function formSchema(fields: FormFields): JsonSchema {
  return {
    type: 'object',
    required: Object.keys(fields).filter((name) => !fields[name]!.optional),
    properties: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, fieldSchema(field)])),
    additionalProperties: false,
  };
}

function fieldSchema(field: FormField): JsonSchema {
  switch (field.kind) {
    case 'own':
      return {};
    case 'flag':
      return { type: 'boolean' };
    case 'flags':
      return { type: 'object', properties: Object.fromEntries(field.names.map((name) => [name, { type: 'boolean' }])) };
    case 'whole':
      return { type: orNullType('integer', field.nullable), minimum: field.min, maximum: field.max };
    case 'texts':
      return { type: 'array', maxItems: field.countMax, items: { type: 'string', maxLength: field.charactersMax } };
    case 'text': {
      const { charactersMax, oneOf, nullable } = field;
      const type = orNullType('string', nullable);
      return oneOf === null
        ? { type, maxLength: charactersMax }
        : { type, enum: [...oneOf, ...(nullable ? [null] : [])] };
    }
  }
}

function orNullType(type: string, nullable: boolean): string | string[] {
  return nullable ? [type, 'null'] : type;
}

export function readForm<const F extends FormFields>(
  body: unknown,
  fields: F,
): { ok: true; form: FormOf<F> } | { ok: false; answer: Answer<never> } {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return { ok: false, answer: fieldFaults({ body: 'The body must be one JSON object.' }) };
  }
  const faults = unknownFaults(Object.keys(body), Object.keys(fields));
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

const unknownShownMax = 20;
const nameCharactersMax = 64;

function unknownFaults(sent: readonly string[], known: readonly string[]): Record<string, string> {
  const unknown = sent.filter((name) => !known.includes(name)).slice(0, unknownShownMax);
  const sentence =
    known.length === 0
      ? 'There is no such field here.'
      : `There is no such field here. There are: ${known.join(', ')}.`;
  // The sender chooses the names: `__proto__` must be an ordinary key.
  return Object.fromEntries(unknown.map((name) => [name.slice(0, nameCharactersMax).toWellFormed(), sentence]));
}

function faultOf(field: FormField, value: unknown): string | null {
  switch (field.kind) {
    case 'own':
      return null;
    case 'flag':
      return typeof value === 'boolean' ? null : 'This field must be true or false.';
    case 'flags':
      return flagsFault(field, value);
    case 'whole':
      if (value === null && field.nullable) return null;
      return Number.isInteger(value) && (value as number) >= field.min && (value as number) <= field.max
        ? null
        : `This field must be a whole number from ${field.min} to ${field.max}.`;
    case 'texts':
      if (!Array.isArray(value)) return 'This field must be a list of texts.';
      if (value.length > field.countMax) return `This list may have at most ${field.countMax} texts.`;
      return value.map((one) => textFault(field, one)).find((fault) => fault !== null) ?? null;
    case 'text':
      if (value === null) return field.nullable ? null : 'This field must be a text.';
      return textFault(field, value) ?? choiceFault(field, value as string);
  }
}

function textFault({ charactersMax }: { charactersMax: number }, value: unknown): string | null {
  if (typeof value !== 'string') return 'This field must be a text.';
  if (value.length > charactersMax) return `This field may have at most ${charactersMax} characters.`;
  return value.includes('\0') || !value.isWellFormed() ? 'This field has an invalid character.' : null;
}

function choiceFault({ oneOf }: TextField, value: string): string | null {
  return oneOf === null || oneOf.includes(value) ? null : `This field may be one of: ${oneOf.join(', ')}.`;
}

function flagsFault({ names }: FlagsField, value: unknown): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'This field must be an object.';
  const fits = Object.entries(value).every(([name, on]) => names.includes(name) && typeof on === 'boolean');
  return fits ? null : `This field may hold true or false for each of: ${names.join(', ')}.`;
}
