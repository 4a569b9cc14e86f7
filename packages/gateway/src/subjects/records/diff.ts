/**
 * Computes the changes to the records, with a line for each. A line never contains a password, token or hash, only
 * that it changed.
 */
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { carrierKinds, kindNamed } from '../../carriers/kinds.ts';
import { settingAt } from '../../carriers/setting.ts';
import { type CarrierProfile, noRecords } from '../../model/records.ts';
import { byId, type Fields, type RecordLists, recordKinds } from './kinds.ts';

export interface Diff {
  /** Only new or different records. */
  changes: RecordLists;
  records: RecordChange[];
}

/** The change of one record. */
export interface RecordChange {
  noun: string;
  id: string;
  isNew: boolean;
  /** Empty for a new record. */
  fields: ShownField[];
}

/** A field with its values in the form of the file: `revoked: true`, not the time. */
export interface ShownField extends FieldChange {
  word: string;
  /** Never show its values. */
  hidden: boolean;
  takesAway: boolean;
}

/** The file's names of fields that have another name in the record. */
const fileWords: Readonly<Record<string, string>> = {
  accountId: 'account',
  campaignId: 'campaign',
  carrierIds: 'carriers',
  revokedAt: 'revoked',
  bearerHash: 'Bearer Token',
  authHash: 'Auth Token',
};
/** Reported without values: secrets, whole files, and addresses that may hold a token in their query. */
const unshownFields: ReadonlySet<string> = new Set([
  'bearerHash',
  'authHash',
  ...carrierKinds.flatMap(({ settings }) =>
    settings.filter((one) => one.type !== 'value' || one.hidden === true).map(({ name }) => name),
  ),
]);

/** The changes from `onRecord` to `wanted`. Records missing in `wanted` are left alone. */
export function diffRecords(onRecord: RecordLists, wanted: RecordLists): Diff {
  const changes = noRecords() as unknown as Record<string, Fields[]>;
  const records: RecordChange[] = [];
  for (const kind of recordKinds) {
    const before = byId(onRecord, kind);
    for (const [id, record] of byId(wanted, kind)) {
      const earlier = before.get(id);
      const fields = earlier === undefined ? [] : changedFields(flat(earlier), flat(record));
      if (earlier !== undefined && fields.length === 0) continue;
      changes[kind.list]!.push(record);
      records.push({ noun: kind.noun, id, isNew: earlier === undefined, fields });
    }
  }
  return { changes: changes as unknown as RecordLists, records };
}

/** `+ number 12025550111`, `~ key K1 name: a → b`, or for a removal `- number 12025550111 campaign: C1 → none`. */
export function linesOf({ noun, id, isNew, fields }: RecordChange): string[] {
  if (isNew) return [`+ ${noun} ${id}`];
  const [gone, others] = [fields.filter((one) => one.takesAway), fields.filter((one) => !one.takesAway)];
  const line = (sign: string, some: ShownField[]) =>
    some.length === 0 ? [] : [`${sign} ${noun} ${id} ${some.map(fieldText).join(', ')}`];
  return [...line('-', gone), ...line('~', others)];
}

/**
 * The code that confirms the removals among these changes; null when there are none. The same file over the same
 * records always gets the same code: hidden values count in their stored form, hashed or sealed.
 */
export function confirmationOf(records: readonly RecordChange[]): string | null {
  const gone = records.flatMap(({ noun, id, fields }) =>
    fields
      .filter((field) => field.takesAway)
      .map(({ word, before, after }) => [noun, id, word, before ?? null, after ?? null]),
  );
  return gone.length === 0 ? null : createHash('sha256').update(JSON.stringify(gone)).digest('hex').slice(0, 12);
}

/** `number 12025550111` for each record that `wanted` does not have. */
export function onlyOnRecord(onRecord: RecordLists, wanted: RecordLists): string[] {
  return recordKinds.flatMap((kind) => {
    const named = byId(wanted, kind);
    return [...byId(onRecord, kind).keys()].filter((id) => !named.has(id)).map((id) => `${kind.noun} ${id}`);
  });
}

/** A carrier's profile is one level deeper in the record than in the file, and its nested objects one more. */
function flat(record: Fields): Fields {
  const kind = 'carrierId' in record ? kindNamed(record.kind) : undefined;
  if (kind === undefined) return record;
  const { [kind.name]: profile, ...rest } = record;
  const settings = kind.complete(profile as CarrierProfile) as unknown as Fields;
  const inner = kind.settings.map(({ name }) => name).filter((name) => name.includes('.'));
  const outer = new Set(inner.map((name) => name.split('.')[0]!));
  const plain = Object.entries(settings).filter(([name]) => !outer.has(name));
  return { ...rest, ...Object.fromEntries([...plain, ...inner.map((name) => [name, settingAt(settings, name)])]) };
}

function changedFields(before: Fields, after: Fields): ShownField[] {
  return [...new Set([...Object.keys(after), ...Object.keys(before)])]
    .filter((name) => !isDeepStrictEqual(before[name], after[name]))
    .map((name) => {
      const change = { name, before: fileValue(name, before[name]), after: fileValue(name, after[name]) };
      const hidden = unshownFields.has(name);
      return { ...change, word: fileWords[name] ?? name, hidden, takesAway: takesAway(change) };
    });
}

/** The file's form of a stored value: a timestamp as text, and a revocation only as `true`. */
function fileValue(name: string, value: unknown): unknown {
  if (name === 'revokedAt') return value !== null;
  return name === 'expiresAt' && typeof value === 'number' ? new Date(value).toISOString() : value;
}

function fieldText({ word, before, after, hidden }: ShownField): string {
  return hidden ? `${word} changed` : `${word}: ${shown(before)} → ${shown(after)}`;
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return 'none';
  if (value === '') return '""';
  if (!Array.isArray(value)) return typeof value === 'object' ? JSON.stringify(value) : String(value);
  return `[${value.map((one) => (typeof one === 'object' ? JSON.stringify(one) : one)).join(', ')}]`;
}

export interface FieldChange {
  /** The record's name; nested fields with dots. */
  name: string;
  /** In the form of the file. */
  before: unknown;
  after: unknown;
}

/** The owner of a record: a record that moves disappears from its former owner. */
const owners: ReadonlySet<string> = new Set(['accountId', 'campaignId', 'environment']);
/** A new value ends the use of the present one. */
const credentials: ReadonlySet<string> = new Set(['bearerHash', 'authHash']);
const switches: ReadonlySet<string> = new Set(['enabled', 'smsEnabled', 'mmsEnabled']);
const working: ReadonlySet<unknown> = new Set(['active', 'approved']);

/**
 * Whether a change removes something that worked until now: a field is emptied, a list loses an element, the record
 * moves to another owner or is disabled, or its credentials stop working. Such a change needs a confirmation.
 */
export function takesAway({ name, before, after }: FieldChange): boolean {
  if (name === 'revokedAt') return after === true;
  if (isNothing(before)) return false;
  if (isNothing(after) || owners.has(name) || credentials.has(name)) return true;
  if (Array.isArray(before)) return !isWithin(before, Array.isArray(after) ? after : []);
  if (name === 'status') return working.has(before);
  return switches.has(name) && after === false;
}

function isNothing(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** Whether all of `elements` are still in the list; rates are compared by their first day. */
function isWithin(elements: readonly unknown[], list: readonly unknown[]): boolean {
  return elements.every((element) => list.some((other) => isDeepStrictEqual(keyOf(element), keyOf(other))));
}

function keyOf(element: unknown): unknown {
  return typeof element === 'object' && element !== null && 'from' in element ? element.from : element;
}
