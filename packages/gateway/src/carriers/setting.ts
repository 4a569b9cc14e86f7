/**
 * A setting of a carrier kind as data: allowed values, place in the form, secrecy. Records schema, sealing and the
 * portal's form come from it.
 */
import { cString, fileName, type Property, variableName, wholeNumber, withDefault } from '../kernel/property.ts';
import { repeatsMax } from '../model/repeats.ts';

/** In the order in which a form shows them. */
export const settingGroups = ['connection', 'identity', 'limits', 'encoding', 'tls', 'inbound'] as const;
export type SettingGroup = (typeof settingGroups)[number];

interface Common {
  /** As on record; one within another has a dot, such as `inbound.username`. */
  readonly name: string;
  readonly group: SettingGroup;
  /** One sentence for people. The portal shows it for a setting for which it has no words of its own. */
  readonly description?: string;
  /** It counts only where another setting has one of these values. */
  readonly needs?: { readonly setting: string; readonly is: readonly (string | boolean)[] };
}

export type Setting = Common &
  (
    | {
        readonly type: 'value';
        readonly schema: Property;
        readonly unit?: 'ms' | 'bytes' | 'perSecond';
        /** May be left out though it has no default: `complete` works it out. The value is what that mostly gives. */
        readonly derived?: { readonly usually: string | number | null };
        /** Its value stays out of reports of changes. */
        readonly hidden?: true;
      }
    /** A secret. In a records file `password`, `passwordFile` or `passwordEnv`; it belongs to the name in `login`, or is always there. */
    | { readonly type: 'password'; readonly charactersMax: number; readonly login?: string }
    /** PEM texts; in a records file `…File`. A key belongs to its certificate and is a secret. */
    | { readonly type: 'certificates' }
    | { readonly type: 'privateKey'; readonly certificate: string }
  );

type More = Omit<Extract<Setting, { type: 'value' }>, 'name' | 'group' | 'type' | 'schema'>;

/** The settings of one group: `name: schema`, or a setting that is more than that. */
export function inGroup(
  group: SettingGroup,
  settings: Readonly<Record<string, Property | Partial<Setting>>>,
): Setting[] {
  return Object.entries(settings).map(([name, one]) =>
    'allowed' in one
      ? { type: 'value', name, group, schema: one as Property }
      : ({ type: 'value', ...one, name, group } as Setting),
  );
}

/** A value with more to say of it than its schema. */
export const also = (schema: Property, more: More) => ({ schema, ...more });

export const password = (charactersMax: number, login?: string) =>
  ({ type: 'password', charactersMax, ...(login !== undefined && { login }) }) as const;
export const certificates = { type: 'certificates' } as const;
export const privateKey = (certificate: string) => ({ type: 'privateKey', certificate }) as const;

/** 0 = no limit. */
export const perSecond = wholeNumber(0, 100_000);
export const milliseconds = wholeNumber(1_000, 600_000);
export const upToAnHour = wholeNumber(1_000, 3_600_000);
export const tcpPort = wholeNumber(1, 65_535);
export const ms = (schema: Property, preset: number) => also(withDefault(schema, preset), { unit: 'ms' });

/** The most repeats of a message in doubt; with the default the account alone decides. */
const repeats = withDefault(wholeNumber(0, repeatsMax), repeatsMax);
export const repeatLimits = { repeatsUnanswered: repeats, repeatsBroken: repeats };

export function isSecret({ type }: Setting): boolean {
  return type === 'password' || type === 'privateKey';
}

/** A setting by its name with dots. */
export function settingAt(settings: Readonly<Record<string, unknown>>, name: string): unknown {
  const [outer, inner] = name.split('.') as [string, string?];
  const value = settings[outer];
  return inner === undefined ? value : (value as Readonly<Record<string, unknown>> | undefined)?.[inner];
}

/** Writes it there; the object that holds it is made when it is not there. */
export function setAt(settings: Record<string, unknown>, name: string, value: unknown): void {
  const [outer, inner] = name.split('.') as [string, string?];
  if (inner === undefined) settings[outer] = value;
  else settings[outer] = { ...(settings[outer] as object | undefined), [inner]: value };
}

/** Takes it away there; the object that holds it stays. */
export function dropAt(settings: Record<string, unknown>, name: string): void {
  const [outer, inner] = name.split('.') as [string, string?];
  if (inner === undefined) delete settings[outer];
  else {
    const { [inner]: _, ...others } = { ...(settings[outer] as object | undefined) } as Record<string, unknown>;
    settings[outer] = others;
  }
}

/** What a records file may hold for a setting: field names (inner ones with dots) with their schemas. */
export function fileFields(setting: Setting): [name: string, schema: Property][] {
  const { name } = setting;
  switch (setting.type) {
    case 'value':
      return [[name, setting.schema]];
    case 'password':
      return [
        [name, cString(1, setting.charactersMax, true)],
        [`${name}File`, fileName],
        [`${name}Env`, variableName],
      ];
    case 'certificates':
    case 'privateKey':
      return [[`${name}File`, fileName]];
  }
}

/** It must stand in the file. A password has rules of its own. */
export function isRequired(setting: Setting): boolean {
  return setting.type === 'value' && setting.derived === undefined && !('default' in setting.schema);
}

/** A setting as a form field, without its stored value. */
export interface FormField {
  name: string;
  group: SettingGroup;
  type: 'text' | 'number' | 'flag' | 'choice' | 'list' | Exclude<Setting['type'], 'value'>;
  /** It is written and never shown. */
  secret: boolean;
  /** A new carrier needs it. */
  required: boolean;
  /** What it is when left out; null where that is nothing, or cannot be said before. */
  default: unknown;
  unit: 'ms' | 'bytes' | 'perSecond' | null;
  min: number | null;
  max: number | null;
  /** The words that may stand there, or in the entries of a list; null where that is open. */
  choices: readonly string[] | null;
  /** What may stand there, as part of a sentence; null for PEM texts. */
  allowed: string | null;
  needs: NonNullable<Setting['needs']> | null;
  description: string | null;
}

export function formField(setting: Setting): FormField {
  const { name, group, needs = null, description = null } = setting;
  const common = { name, group, secret: isSecret(setting), needs, description };
  const open = { default: null, unit: null, min: null, max: null, choices: null };
  switch (setting.type) {
    case 'value': {
      const { schema, unit = null, derived } = setting;
      const { default: preset = derived?.usually ?? null, minimum = null, maximum = null, allowed } = schema;
      const words = (schema.enum ?? (schema.items as Property | undefined)?.enum ?? null) as string[] | null;
      const bounds = { min: minimum as number | null, max: maximum as number | null };
      const required = isRequired(setting);
      return {
        ...common,
        type: typeInForm(schema),
        required,
        default: preset,
        unit,
        ...bounds,
        choices: words,
        allowed,
      };
    }
    case 'password': {
      const [[, { allowed }]] = fileFields(setting) as [[string, Property]];
      return { ...common, ...open, type: setting.type, required: setting.login === undefined, allowed };
    }
    default:
      return { ...common, ...open, type: setting.type, required: false, allowed: null };
  }
}

function typeInForm({ type, enum: words }: Property): FormField['type'] {
  if (words !== undefined) return 'choice';
  if (type === 'boolean') return 'flag';
  if (type === 'integer') return 'number';
  return type === 'array' ? 'list' : 'text';
}
