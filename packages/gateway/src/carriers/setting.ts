/**
 * A setting of a carrier kind as data: allowed values, place in the form, secrecy. The records schema, sealing and the
 * portal's form derive from it.
 */
import { cString, fileName, onOff, type Property, variableName, wholeNumber, withDefault } from '../kernel/property.ts';
import { repeatsMax } from '../model/repeats.ts';

/** In the order of the form. */
export const settingGroups = ['connection', 'identity', 'limits', 'encoding', 'tls', 'inbound'] as const;
export type SettingGroup = (typeof settingGroups)[number];

interface Common {
  /** Its name in the record; a nested setting has a dot, such as `inbound.username`. */
  readonly name: string;
  readonly group: SettingGroup;
  /** One sentence for people. The portal shows it for settings without a label. */
  readonly description?: string;
  /** Used only when another setting has one of these values. */
  readonly needs?: { readonly setting: string; readonly is: readonly (string | boolean)[] };
}

export type Setting = Common &
  (
    | {
        readonly type: 'value';
        readonly schema: Property;
        readonly unit?: 'ms' | 'bytes' | 'perSecond';
        /** May be left out although it has no default: `complete` derives it. `usually` is its most frequent value. */
        readonly derived?: { readonly usually: string | number | null };
        /** Reports of changes leave out its value. */
        readonly hidden?: true;
      }
    /**
     * A secret. A records file has `password`, `passwordFile` or `passwordEnv`. It belongs to the user name in `login`,
     * or is always required.
     */
    | { readonly type: 'password'; readonly charactersMax: number; readonly login?: string }
    /** PEM texts; a records file has `…File`. A key belongs to its certificate and is a secret. */
    | { readonly type: 'certificates' }
    | { readonly type: 'privateKey'; readonly certificate: string }
  );

type More = Omit<Extract<Setting, { type: 'value' }>, 'name' | 'group' | 'type' | 'schema'>;

/** The settings of one group: `name: schema`, or a setting with more properties. */
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

/** A setting with more properties than its schema. */
export const also = (schema: Property, more: More) => ({ schema, ...more });

export const password = (charactersMax: number, login?: string) =>
  ({ type: 'password', charactersMax, ...(login !== undefined && { login }) }) as const;
export const certificates = { type: 'certificates' } as const;
export const privateKey = (certificate: string) => ({ type: 'privateKey', certificate }) as const;

/** 0 = no limit. */
export const perSecond = wholeNumber(0, 100_000);
export const milliseconds = wholeNumber(1_000, 600_000);
export const upToAnHour = wholeNumber(1_000, 3_600_000);
export const rateLimits = {
  messagesPerSecond: also(withDefault(perSecond, 0), { unit: 'perSecond' }),
  lendRate: withDefault(onOff, false),
};
export const tcpPort = wholeNumber(1, 65_535);
export const ms = (schema: Property, preset: number) => also(withDefault(schema, preset), { unit: 'ms' });

/** The most repeats of an uncertain message; with the default only the account decides. */
const repeats = withDefault(wholeNumber(0, repeatsMax), repeatsMax);
export const repeatLimits = { repeatsUnanswered: repeats, repeatsBroken: repeats };

export function isSecret({ type }: Setting): boolean {
  return type === 'password' || type === 'privateKey';
}

/** The value of a setting, by its dotted name. */
export function settingAt(settings: Readonly<Record<string, unknown>>, name: string): unknown {
  const [outer, inner] = name.split('.') as [string, string?];
  const value = settings[outer];
  return inner === undefined ? value : (value as Readonly<Record<string, unknown>> | undefined)?.[inner];
}

/** Sets the value, and creates the object around it if needed. */
export function setAt(settings: Record<string, unknown>, name: string, value: unknown): void {
  const [outer, inner] = name.split('.') as [string, string?];
  if (inner === undefined) settings[outer] = value;
  else settings[outer] = { ...(settings[outer] as object | undefined), [inner]: value };
}

/** Removes the value; the object around it stays. */
export function dropAt(settings: Record<string, unknown>, name: string): void {
  const [outer, inner] = name.split('.') as [string, string?];
  if (inner === undefined) delete settings[outer];
  else {
    const { [inner]: _, ...others } = { ...(settings[outer] as object | undefined) } as Record<string, unknown>;
    settings[outer] = others;
  }
}

/** The fields of a setting in a records file, with their schemas (nested names with dots). */
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

/** The file must contain it. Passwords have rules of their own. */
export function isRequired(setting: Setting): boolean {
  return setting.type === 'value' && setting.derived === undefined && !('default' in setting.schema);
}

/** A setting as a form field, without its stored value. */
export interface FormField {
  name: string;
  group: SettingGroup;
  type: 'text' | 'number' | 'flag' | 'choice' | 'list' | Exclude<Setting['type'], 'value'>;
  /** Written, but never shown. */
  secret: boolean;
  /** A new carrier must have it. */
  required: boolean;
  /** Its value when left out; null when there is none or it is derived. */
  default: unknown;
  unit: 'ms' | 'bytes' | 'perSecond' | null;
  min: number | null;
  max: number | null;
  /** The allowed values, or those of the list's entries; null when any value is allowed. */
  choices: readonly string[] | null;
  /** The allowed values, as part of a sentence; null for PEM texts. */
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
