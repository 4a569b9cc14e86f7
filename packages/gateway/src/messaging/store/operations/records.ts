/** Reads and writes records, with their version and audit entries. */
import type { Records } from '../../../model/records.ts';
import type { WriteContext } from '../../../store/context.ts';
import { type Operation, run } from '../../../store/query.ts';
import { raiseCounter, readCounter, recordsCounter } from '../../../store/system/operations.ts';
import type { RecordsEdit } from '../records-items.ts';
import { deleteRecord, putRecord, selectRecords } from '../statements/records.ts';
import { appendAudit } from './audit.ts';
import { keepRouteVersion } from './route-versions.ts';

type Changes = Omit<Records, 'version'>;

/** The id field of each kind of record. */
const keys: { [K in keyof Changes]: (record: Changes[K][number]) => string } = {
  accounts: (record) => record.accountId,
  brands: (record) => record.brandId,
  numbers: (record) => record.number,
  campaigns: (record) => record.campaignId,
  apiKeys: (record) => record.keyId,
  carriers: (record) => record.carrierId,
  routes: (record) => record.routeId,
  endpoints: (record) => record.endpointId,
  alerts: (record) => record.alertId,
};
const kinds = Object.keys(keys) as (keyof Changes)[];

export const recordsVersion = () => readCounter(recordsCounter);

/** All records with their version. */
export function* records(): Operation<Records> {
  const version = yield* recordsVersion();
  const rows = Map.groupBy(yield* run(selectRecords, [{}]), (row) => row.kind);
  const lists = kinds.map((kind) => [kind, (rows.get(kind) ?? []).map((row) => JSON.parse(row.body))]);
  return { version, ...Object.fromEntries(lists) };
}

/** The author of changes without a signed-in person. */
const commandLine = 'command line';

/** Writes each set of changes; returns the version after it. */
export function* putRecords(items: readonly Changes[], context: WriteContext): Operation<number[]> {
  const versions: number[] = [];
  for (const changes of items) {
    yield* noteRoutes(changes.routes, [], { who: commandLine, now: context.now });
    yield* run(
      putRecord,
      kinds.flatMap((kind) => recordRows(kind, changes[kind])),
    );
    versions.push(yield* raiseCounter(recordsCounter));
  }
  return versions;
}

/**
 * Applies each edit whose records are unchanged since they were read. The version is incremented first in any case: on
 * PostgreSQL its row is the lock that serialises the edits of two processes.
 */
export function* editRecords(edits: readonly RecordsEdit[], context: WriteContext): Operation<(number | null)[]> {
  const versions: (number | null)[] = [];
  for (const { version, put, dropRoutes, audit } of edits) {
    const raised = yield* raiseCounter(recordsCounter);
    const isUnchanged = raised === version + 1;
    versions.push(isUnchanged ? raised : null);
    if (!isUnchanged) continue;
    yield* noteRoutes(put.routes ?? [], dropRoutes, { who: audit[0]?.who ?? commandLine, now: context.now });
    yield* run(
      putRecord,
      kinds.flatMap((kind) => recordRows(kind, put[kind] ?? [])),
    );
    yield* run(
      deleteRecord,
      dropRoutes.map((key) => ({ kind: 'routes', key })),
    );
    for (const entry of audit) yield* appendAudit(entry);
  }
  return versions;
}

/**
 * Stores the rules before and after a change, so that people can restore them and see which rules applied to a message.
 */
function* noteRoutes(
  put: Changes['routes'],
  dropped: readonly string[],
  by: { who: string; now: number },
): Operation<void> {
  if (put.length === 0 && dropped.length === 0) return;
  const rows = (yield* run(selectRecords, [{}])).filter(({ kind }) => kind === 'routes');
  const before = new Map(rows.map(({ key, body }) => [key, body]));
  const isChanged =
    recordRows('routes', put).some(({ key, body }) => before.get(key) !== body) ||
    dropped.some((key) => before.has(key));
  if (!isChanged) return;
  const after = new Map(before);
  for (const { key, body } of recordRows('routes', put)) after.set(key, body);
  for (const key of dropped) after.delete(key);
  yield* keepRouteVersion([...before.values()], [...after.values()], by);
}

/** Of several records with the same key the last one counts. */
function recordRows<K extends keyof Changes>(kind: K, list: Changes[K]) {
  const key = keys[kind] as (record: Changes[K][number]) => string;
  const latest = new Map(list.map((record) => [key(record), record]));
  return [...latest].map(([key, record]) => ({ kind, key, body: JSON.stringify(record) }));
}
