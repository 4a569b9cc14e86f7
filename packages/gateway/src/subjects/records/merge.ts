/**
 * Merges an entry into its record: omitted fields keep their values, `null` resets a field to its default, a list is
 * replaced as a whole.
 */
import { defaultKind, kindNamed } from '../../carriers/kinds.ts';
import type { Setting } from '../../carriers/setting.ts';
import type { Property } from '../../kernel/property.ts';
import type { Sealer } from '../../kernel/sealing.ts';
import type { CarrierRecord } from '../../model/records.ts';
import { asFields, isFields, knownFields, openedOrEmpty, pemFields } from './carrier-entry.ts';
import { carrierKinds } from './carrier-schema.ts';
import { fileSchema } from './file-schema.ts';
import { byId, type Fields, type ListName, type RecordLists, recordKinds } from './kinds.ts';

export interface Merged {
  /** The file completed from the stored records; anything that is not a file or an entry is unchanged. */
  content: unknown;
  /** Stored texts that an entry refers to as if they were files. */
  texts: ReadonlyMap<string, string>;
}

type EntryList = (typeof lists)[number]['list'];

type Properties = Readonly<Record<string, Property>>;

/** Lists of a records file with the field that identifies an entry, and the corresponding list of records. */
const lists = [
  { list: 'accounts', id: 'id', onRecord: 'accounts' },
  { list: 'numbers', id: 'number', onRecord: 'numbers' },
  { list: 'campaigns', id: 'id', onRecord: 'campaigns' },
  { list: 'keys', id: 'id', onRecord: 'apiKeys' },
  { list: 'routes', id: 'id', onRecord: 'routes' },
  { list: 'alerts', id: 'id', onRecord: 'alerts' },
] as const;

/** The record's names for fields of the file. */
const recordNames: Readonly<Record<string, string>> = {
  account: 'accountId',
  campaign: 'campaignId',
  carriers: 'carrierIds',
};

/** Turning SMS on or off does the same to MMS. */
function withoutTurned(known: Fields, entry: Fields): Fields {
  const { mmsEnabled: _, ...rest } = known;
  return (entry.smsEnabled ?? known.smsEnabled) === known.smsEnabled ? known : rest;
}

/** Records files are the operator's, so the countries they choose are allowed. */
function withAllowed(known: Fields, { destinations }: Fields): Fields {
  const { destinationsMax } = known;
  if (!Array.isArray(destinationsMax) || !Array.isArray(destinations)) return known;
  return { ...known, destinationsMax: [...new Set([...destinationsMax, ...destinations])] };
}

/** Fields that identify an entry: never removed. */
const identity: ReadonlySet<string> = new Set(['id', 'number', 'kind', 'account', 'environment']);

export function mergeWithRecords(
  content: unknown,
  { onRecord, sealer }: { onRecord: RecordLists; sealer: Sealer },
): Merged {
  const texts = new Map<string, string>();
  if (!isFields(content)) return { content, texts };
  const merged: Record<string, unknown> = { ...content };
  for (const { list, id, onRecord: name } of lists) {
    const records = byId(onRecord, kindOf(name));
    const { properties, required } = entrySchema(list);
    merged[list] = eachEntry(content[list], (entry) => {
      const record = records.get(entry[id] as string);
      return laidOver(record === undefined ? {} : besides(list, record, entry), entry, properties, required);
    });
  }
  const carriers = new Map(onRecord.carriers.map((one) => [one.carrierId, one]));
  merged.carriers = eachEntry(content.carriers, (entry) => {
    const record = carriers.get(entry.id as string);
    const isSame = record !== undefined && (entry.kind === undefined || entry.kind === record.kind);
    return carrierOver(isSame ? openedOrEmpty(record, sealer) : undefined, entry, texts);
  });
  for (const list of [...lists.map((one) => one.list), 'carriers']) if (!(list in content)) delete merged[list];
  return { content: merged, texts };
}

function eachEntry(entries: unknown, work: (entry: Fields) => Fields): unknown {
  return Array.isArray(entries) ? entries.map((entry) => (isFields(entry) ? work(entry) : entry)) : entries;
}

function entrySchema(list: string): { properties: Properties; required: readonly string[] } {
  const { items } = (fileSchema.properties as Record<string, { items: Property }>)[list]!;
  return items as unknown as { properties: Properties; required: string[] };
}

/** Fields that a record adds to an entry. */
function besides(list: EntryList, record: Fields, entry: Fields): Fields {
  const known = knownEntry(list, record);
  if (list === 'numbers') return withoutTurned(known, entry);
  return list === 'accounts' ? withAllowed(known, entry) : known;
}

/** A record in the form of an entry; `knownFields` does this for a carrier. */
export function knownEntry(list: EntryList, record: Fields): Fields {
  const { id, onRecord } = lists.find((one) => one.list === list)!;
  const names = Object.keys(entrySchema(list).properties).map((name) => [name, recordNames[name] ?? name] as const);
  const fields = names.filter(([, field]) => record[field] !== undefined).map(([name, field]) => [name, record[field]]);
  const known = { ...Object.fromEntries(fields), [id]: record[kindOf(onRecord).id] };
  if (list !== 'keys') return known;
  const { expiresAt, revokedAt } = record;
  const expires = typeof expiresAt === 'number' ? new Date(expiresAt).toISOString() : null;
  return { ...known, expiresAt: expires, revoked: revokedAt !== null };
}

/** Fields of a record that no entry can have: only the portal and the gateway set them. */
export function besideEntry<T extends object>(list: EntryList, record: T | undefined): Partial<T> {
  const named = new Set(Object.keys(entrySchema(list).properties).map((name) => recordNames[name] ?? name));
  return Object.fromEntries(Object.entries(record ?? {}).filter(([name]) => !named.has(name))) as Partial<T>;
}

function kindOf(list: ListName) {
  return recordKinds.find((kind) => kind.list === list)!;
}

/** `entry` merged over the known fields; null removes a value, unless the field itself allows null. */
function laidOver(known: Fields, entry: Fields, properties: Properties, required: readonly string[]): Fields {
  const merged: Record<string, unknown> = { ...known, ...entry };
  for (const [name, value] of Object.entries(entry)) {
    if (value === null && isTakenAway(name, properties, required)) delete merged[name];
  }
  return merged;
}

function isTakenAway(name: string, properties: Properties, required: readonly string[]): boolean {
  const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (property === undefined || identity.has(name) || required.includes(name)) return false;
  return ![property.type].flat().includes('null');
}

/** Starts the name of something that is not a file: no path contains a NUL, so no file can have such a name. */
const madeUp = '\u0000';

/** Rewrites a problem without these names, which people do not know. */
export function withoutMadeUpNames(problem: string): string {
  return problem.replace(new RegExp(`the file ${madeUp}\\S+ \\w+`), 'the one on record');
}

function carrierOver(record: CarrierRecord | undefined, entry: Fields, texts: Map<string, string>): Fields {
  const kind = String(entry.kind ?? record?.kind ?? defaultKind.name);
  const schema = Object.hasOwn(carrierKinds, kind) ? carrierKinds[kind]! : null;
  if (schema === null) return entry;
  const { settings } = kindNamed(kind)!;
  const known = record === undefined ? {} : knownFields(record);
  const objects = Object.entries(schema.properties).filter(([, { type }]) => type === 'object');
  const names = new Set(objects.map(([name]) => name));
  const rest = Object.fromEntries(Object.entries(known).filter(([name]) => !names.has(name)));
  const merged = loginOver(rest, entry, schema.properties, schema.required, passwordsIn(settings, ''));
  for (const [name, { properties }] of objects) {
    const [before, after] = [known[name], entry[name]];
    if (isFields(after)) {
      const passwords = passwordsIn(settings, `${name}.`);
      merged[name] = loginOver(asFields(before), after, properties as Properties, [], passwords);
    } else if (after === undefined && isFields(before)) merged[name] = before;
  }
  withKnownTexts(merged, entry, known, { settings, texts });
  return merged;
}

/** A password field of an entry or a nested object, and the field with its user name. */
interface Password {
  name: string;
  login: string | undefined;
}

function passwordsIn(settings: readonly Setting[], prefix: string): Password[] {
  const depth = prefix.split('.').length;
  const within = (name: string) => name.startsWith(prefix) && name.split('.').length === depth;
  return settings.flatMap((setting) =>
    setting.type === 'password' && within(setting.name)
      ? [{ name: setting.name.slice(prefix.length), login: setting.login?.slice(prefix.length) }]
      : [],
  );
}

/**
 * Of several ways to give a password, the entry's replaces the stored one. A stored password is dropped with its user
 * name.
 */
function loginOver(
  known: Fields,
  entry: Fields,
  properties: Properties,
  required: readonly string[],
  passwords: readonly Password[],
): Record<string, unknown> {
  const isNamed = ({ name }: Password) => [name, `${name}File`, `${name}Env`].some((source) => source in entry);
  const kept: Record<string, unknown> = { ...known };
  for (const { name } of passwords.filter(isNamed)) delete kept[name];
  const merged: Record<string, unknown> = { ...laidOver(kept, entry, properties, required) };
  for (const { name, login } of passwords.filter((one) => !isNamed(one))) {
    if (login !== undefined && (merged[login] ?? '') === '') delete merged[name];
  }
  return merged;
}

/** Stored PEM texts replace files that the entry does not name. A key belongs to its certificate. */
function withKnownTexts(
  merged: Record<string, unknown>,
  entry: Fields,
  known: Fields,
  { settings, texts }: { settings: readonly Setting[]; texts: Map<string, string> },
): void {
  for (const name of pemFields) {
    delete merged[name];
    const text = known[name];
    const key = settings.find((setting) => setting.name === name && setting.type === 'privateKey');
    const isWithout = key?.type === 'privateKey' && entry[`${key.certificate}File`] === null;
    const isNamed = `${name}File` in entry || isWithout;
    if (isNamed || typeof text !== 'string' || text === '') continue;
    const file = `${madeUp}${String(known.id)} ${name}`;
    texts.set(file, text);
    merged[`${name}File`] = file;
  }
}
