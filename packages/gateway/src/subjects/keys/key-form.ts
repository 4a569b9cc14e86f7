/** Reads the form of a key pair into record fields, or reports faults by field. Pure; values are never quoted. */
import type { AccountId } from '../../kernel/ids.ts';
import { readName } from '../../kernel/written-forms.ts';
import type { Directory } from '../../model/directory.ts';
import type { FieldFaults } from '../../model/person.ts';
import type { ApiKey, Environment, KeyScope } from '../../model/records.ts';

export type KeyFields = Required<
  Pick<ApiKey, 'name' | 'scopes' | 'numbers' | 'dailyCap' | 'allowedIps' | 'expiresAt' | 'exactShape'>
>;

export interface KeyFormContext {
  directory: Directory;
  accountId: AccountId;
  environment: Environment;
  now: number;
  /** The person's own scopes; they cannot grant more. */
  scopes: readonly KeyScope[];
  isAddressOrBlock(text: string): boolean;
}

export type KeyForm = { ok: true; fields: Partial<KeyFields> } | { ok: false; faults: FieldFaults };

const entriesMax = 1_000;
const capMax = 1_000_000_000;
const scopeWords = ['send', 'read', 'admin'] as const;
const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)$/;

/** Fields that the caller parses. */
const beside = ['environment', 'version'];
const unknownShownMax = 20;

type Read<T> = { value: T } | { fault: string };

/** `fields` holds only what was sent. */
export function readKeyForm(body: unknown, context: KeyFormContext): KeyForm {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return { ok: false, faults: { body: 'The body must be one JSON object.' } };
  }
  const readers: { [K in keyof KeyFields]: (value: unknown) => Read<KeyFields[K]> } = {
    name: readLabel,
    scopes: (value) => readScopes(value, context.scopes),
    numbers: (value) => readNumbers(value, context),
    dailyCap: readCap,
    allowedIps: (value) => readAddresses(value, context.isAddressOrBlock),
    expiresAt: (value) => readExpiry(value, context.now),
    exactShape: (value) => (typeof value === 'boolean' ? { value } : { fault: 'This field must be true or false.' }),
  };
  const faults: Record<string, string> = {};
  const fields: Record<string, unknown> = {};
  for (const [name, read] of Object.entries(readers)) {
    const sent = Object.hasOwn(body, name) ? (body as Record<string, unknown>)[name] : undefined;
    if (sent === undefined) continue;
    const result: Read<unknown> = read(sent);
    if ('fault' in result) faults[name] = result.fault;
    else fields[name] = result.value;
  }
  const known = [...Object.keys(readers), ...beside];
  for (const name of Object.keys(body)
    .filter((one) => !known.includes(one))
    .slice(0, unknownShownMax)) {
    if (name !== '__proto__')
      faults[name.slice(0, 64)] = `There is no such field here. There are: ${known.join(', ')}.`;
  }
  if (Object.keys(faults).length > 0) return { ok: false, faults };
  return { ok: true, fields };
}

function readLabel(value: unknown): Read<string> {
  const name = typeof value === 'string' ? readName(value) : null;
  return name === null ? { fault: 'Write a name of 1 to 100 characters.' } : { value: name };
}

function readScopes(value: unknown, own: readonly KeyScope[]): Read<KeyScope[]> {
  const chosen = textsOf(value);
  if (
    chosen === null ||
    chosen.length === 0 ||
    !chosen.every((one) => (scopeWords as readonly string[]).includes(one))
  ) {
    return { fault: 'Choose at least one of: send, read, admin.' };
  }
  const scopes = scopeWords.filter((scope) => chosen.includes(scope));
  const tooMuch = scopes.filter((scope) => !own.includes(scope));
  return tooMuch.length === 0
    ? { value: scopes }
    : { fault: `Your role cannot give ${tooMuch.join(' and ')}. Ask an Owner or an Admin.` };
}

function readNumbers(value: unknown, { directory, accountId, environment }: KeyFormContext): Read<string[]> {
  const numbers = textsOf(value);
  if (numbers === null) return { fault: `This field must be a list of at most ${entriesMax} sending numbers.` };
  const isOwn = (digits: string): boolean => {
    const number = directory.number(digits);
    return number?.accountId === accountId && number.environment === environment;
  };
  if (!numbers.every(isOwn)) return { fault: `Choose numbers of your company that are ${environment}.` };
  return { value: [...new Set(numbers)] };
}

function readCap(value: unknown): Read<number> {
  if (value === null) return { value: 0 };
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= capMax
    ? { value }
    : { fault: 'Write a whole number of messages a day, or 0 for no cap.' };
}

function readAddresses(value: unknown, isAddressOrBlock: (text: string) => boolean): Read<string[]> {
  const list = textsOf(value)?.map((one) => one.trim());
  return list?.every((one) => isAddressOrBlock(one)) === true
    ? { value: [...new Set(list)] }
    : { fault: 'Write IP addresses or blocks such as 192.0.2.7 or 10.0.0.0/8.' };
}

function readExpiry(value: unknown, now: number): Read<number | null> {
  if (value === null) return { value: null };
  const at = typeof value === 'string' && moment.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(at)) return { fault: 'Write a time with its zone, such as 2027-01-31T00:00:00Z, or nothing.' };
  return at > now ? { value: at } : { fault: 'This time is over already. Choose a later one.' };
}

function textsOf(value: unknown): string[] | null {
  const isList = Array.isArray(value) && value.length <= entriesMax && value.every((one) => typeof one === 'string');
  return isList ? (value as string[]) : null;
}
