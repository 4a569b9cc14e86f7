/**
 * What would change on record, as records to write and as lines for a person. A line never holds a password, a token or a
 * hash: of those it says only that they changed. Writes nothing.
 */
import { isDeepStrictEqual } from 'node:util';
import { byId, type Fields, noRecords, type RecordLists, recordKinds } from './kinds.ts';

export interface Diff {
  /** Only records that are new or different. */
  changes: RecordLists;
  /** `+ number 12025550111`, `~ campaign C1 status: approved → suspended`; empty = no change. */
  lines: string[];
}

/** Words of the records file for fields that have another name on record. */
const fileWords: Readonly<Record<string, string>> = {
  accountId: 'account',
  campaignId: 'campaign',
  carrierIds: 'carriers',
  revokedAt: 'revoked',
  bearerHash: 'Bearer Token',
  authHash: 'Auth Token',
};
/** Told of without their values: secrets, whole files, and an address that may hold a token in its query. */
const unshownFields: ReadonlySet<string> = new Set([
  'password',
  'inbound.password',
  'clientKey',
  'bearerHash',
  'authHash',
  'caCertificate',
  'clientCertificate',
  'url',
]);

/** What `wanted` would change on `onRecord`. Records that are only on record are left alone. */
export function diffRecords(onRecord: RecordLists, wanted: RecordLists): Diff {
  const changes = noRecords() as unknown as Record<string, Fields[]>;
  const lines: string[] = [];
  for (const kind of recordKinds) {
    const before = byId(onRecord, kind);
    for (const [id, record] of byId(wanted, kind)) {
      const earlier = before.get(id);
      const fields = earlier === undefined ? null : changedFields(flat(earlier), flat(record));
      if (fields?.length === 0) continue;
      changes[kind.list].push(record);
      lines.push(fields === null ? `+ ${kind.noun} ${id}` : `~ ${kind.noun} ${id} ${fields.join(', ')}`);
    }
  }
  return { changes: changes as unknown as RecordLists, lines };
}

/** `number 12025550111` for each record that `wanted` does not name. */
export function onlyOnRecord(onRecord: RecordLists, wanted: RecordLists): string[] {
  return recordKinds.flatMap((kind) => {
    const named = byId(wanted, kind);
    return [...byId(onRecord, kind).keys()].filter((id) => !named.has(id)).map((id) => `${kind.noun} ${id}`);
  });
}

/** A carrier's profile lies one level deeper on record than in the file, and what comes from it one more. */
function flat({ smpp, mm7, mm4, ...rest }: Fields): Fields {
  const { inbound, ...profile } = { ...(smpp ?? mm7 ?? mm4 ?? {}) } as Fields;
  const inner = Object.entries((inbound ?? {}) as Fields).map(([name, value]) => [`inbound.${name}`, value]);
  return { ...rest, ...profile, ...Object.fromEntries(inner) };
}

function changedFields(before: Fields, after: Fields): string[] {
  return [...new Set([...Object.keys(after), ...Object.keys(before)])]
    .filter((name) => !isDeepStrictEqual(before[name], after[name]))
    .map((name) => {
      const word = fileWords[name] ?? name;
      return unshownFields.has(name)
        ? `${word} changed`
        : `${word}: ${shown(name, before[name])} → ${shown(name, after[name])}`;
    });
}

function shown(name: string, value: unknown): string {
  if (name === 'revokedAt') return String(value !== null);
  if (name === 'expiresAt' && typeof value === 'number') return new Date(value).toISOString();
  if (value === null || value === undefined) return 'none';
  if (value === '') return '""';
  if (!Array.isArray(value)) return typeof value === 'object' ? JSON.stringify(value) : String(value);
  return `[${value.map((one) => (typeof one === 'object' ? JSON.stringify(one) : one)).join(', ')}]`;
}
