/**
 * Migrates a store to the newest schema, forward only. Each migration commits with its version row, so a kill leaves
 * the old schema or the new one. A newer schema is never touched.
 */
import type { EpochMs } from '../kernel/clock.ts';
import { StoreRefused } from './faults.ts';
import type { Migration } from './migration.ts';
import { first } from './migrations/001-first.ts';
import { outbox } from './migrations/002-outbox.ts';
import { mms } from './migrations/003-mms.ts';
import { usage } from './migrations/004-usage.ts';
import { people } from './migrations/005-people.ts';
import { threads } from './migrations/006-threads.ts';
import { retention } from './migrations/007-retention.ts';
import { mediaTurns } from './migrations/008-media-turns.ts';
import { routeVersions } from './migrations/009-route-versions.ts';
import { careAndViews } from './migrations/010-care-and-views.ts';
import { refusedRecipients } from './migrations/011-refused-recipients.ts';
import { attemptClocks } from './migrations/012-attempt-clocks.ts';
import { requestLog } from './migrations/013-request-log.ts';
import { conversationsTail } from './migrations/014-conversations-tail.ts';
import { messageExtras } from './migrations/015-message-extras.ts';
import { references } from './migrations/016-references.ts';
import { mediaFacts } from './migrations/017-media-facts.ts';
import { inboundMmsSenders } from './migrations/018-inbound-mms-senders.ts';
import { doubt } from './migrations/019-doubt.ts';
import { spans } from './migrations/020-spans.ts';
import { refusedLog } from './migrations/021-refused-log.ts';
import { leases } from './migrations/022-leases.ts';
import { mediaFiles } from './migrations/023-media-files.ts';
import { alerts } from './migrations/024-alerts.ts';
import { hourlyOutcomes } from './migrations/025-hourly-outcomes.ts';
import { contacts } from './migrations/026-contacts.ts';
import { carrierHistory } from './migrations/027-carrier-history.ts';
import { signInNames } from './migrations/028-sign-in.ts';
import { laneOwners } from './migrations/029-lane-owners.ts';
import { logPartitions } from './migrations/030-log-partitions.ts';
import { owners } from './migrations/031-owners.ts';
import { journalFrames } from './migrations/032-journal-frames.ts';
import { partsByPeriod } from './migrations/033-parts-by-period.ts';
import { messagePartitions } from './migrations/034-message-partitions.ts';
import type { EngineKind } from './module.ts';
import { type Operation, run, statement } from './query.ts';
import { getSetting, putSetting } from './system/operations.ts';

export const migrations: readonly Migration[] = [
  first,
  outbox,
  mms,
  usage,
  people,
  threads,
  retention,
  mediaTurns,
  routeVersions,
  careAndViews,
  refusedRecipients,
  attemptClocks,
  requestLog,
  conversationsTail,
  messageExtras,
  references,
  mediaFacts,
  inboundMmsSenders,
  doubt,
  spans,
  refusedLog,
  leases,
  mediaFiles,
  alerts,
  hourlyOutcomes,
  contacts,
  carrierHistory,
  signInNames,
  laneOwners,
  logPartitions,
  owners,
  journalFrames,
  partsByPeriod,
  messagePartitions,
];

const createVersions = statement()(
  'create_schema_versions',
  {},
  `create table if not exists schema_versions (version bigint not null primary key, applied_at bigint not null)`,
);
const selectVersion = statement<{ version: number | null }>()(
  'select_schema_version',
  {},
  `select max(version) as version from schema_versions`,
);
const insertVersion = statement()(
  'insert_schema_version',
  { version: 'int', applied_at: 'int' },
  `insert into schema_versions (version, applied_at) values (r.version, r.applied_at)`,
);

/** The schema version of this store; 0 for an empty one. */
export function* schemaVersion(): Operation<number> {
  yield* run(createVersions, [{}]);
  const [found] = yield* run(selectVersion, [{}]);
  return found?.version ?? 0;
}

export interface SchemaState {
  version: number;
  /** The store may be used by programs that know at least this schema. */
  sharedFrom: number;
}

const sharedSetting = 'schema_shared_from';

export function* schemaState(): Operation<SchemaState> {
  const version = yield* schemaVersion();
  if (version === 0) return { version, sharedFrom: 0 };
  return { version, sharedFrom: Number((yield* getSetting(sharedSetting)) ?? version) };
}

/** Migrates a PostgreSQL store that older programs may use meanwhile, and notes the schema they must know at least. */
export function* migrateShared(migration: Migration, now: EpochMs): Operation<void> {
  const { sharedFrom } = yield* schemaState();
  yield* migrate(migration, now, 'postgres');
  const from = migration.besideOlder ? sharedFrom : migration.version;
  yield* putSetting([{ name: sharedSetting, value: String(from) }]);
}

/**
 * The migrations still to run, each in its own transaction. Throws StoreRefused for a newer schema, unless programs
 * that know only this one may share it.
 */
export function pendingMigrations(
  version: number,
  known: readonly Migration[] = migrations,
  sharedFrom = version,
): Migration[] {
  const newest = known.at(-1)?.version ?? 0;
  if (sharedFrom > newest) {
    throw new StoreRefused(
      `The store has schema ${version}, this program knows up to ${newest}: start the newer program or restore a backup.`,
    );
  }
  return known.filter((migration) => migration.version > version);
}

/** Runs one migration and adds its version row; call it inside one transaction. */
export function* migrate(migration: Migration, now: EpochMs, engine: EngineKind): Operation<void> {
  for (const [index, sql] of [...migration.statements, ...(migration[engine] ?? [])].entries()) {
    yield* run(statement()(`migration_${migration.version}_${index}`, {}, sql), [{}]);
  }
  yield* run(insertVersion, [{ version: migration.version, applied_at: now }]);
}

/** Commits operations, each in one transaction. */
interface Writer {
  write<T>(operation: Operation<T>): T;
}

export const isBehind = (writer: Writer): boolean => pendingMigrations(writer.write(schemaVersion())).length > 0;

/** Runs all pending migrations. */
export function migrateAll(writer: Writer, now: EpochMs): void {
  for (const migration of pendingMigrations(writer.write(schemaVersion())))
    writer.write(migrate(migration, now, 'sqlite'));
}
