/**
 * Upgrades the schema of PostgreSQL: while no other node runs, or beside nodes of the previous version if every pending
 * migration allows that.
 */
import type { Client } from 'pg';
import type { Clock, Timers } from '../kernel/clock.ts';
import { migrate, migrateShared, migrations, pendingMigrations, type SchemaState, schemaState } from './migrate.ts';
import type { Migration } from './migration.ts';
import { isBusy } from './postgres-errors.ts';
import { upgradeAlone, upgradeBeside } from './postgres-lock.ts';
import { pause } from './postgres-machine.ts';
import { stated, type TransactionOptions, transaction } from './postgres-transaction.ts';
import { takeTurn } from './postgres-turn.ts';

/** Nodes that start together wait for the one that upgrades the schema. */
const othersUpgradeMs = 60_000;
/**
 * A change of a table waits no longer than this for older nodes that use the table, ms, because every later statement
 * waits behind it. Then it lets them continue and tries again.
 */
const besideWaitMs = 500;
const besideAgainMs = 250;
const besideTriesMax = 60;

export interface SchemaParts {
  /** The session that will write. */
  client: Client;
  /** No other node can use the database. */
  isAlone: boolean;
  /** This node is one of several. */
  isShared: boolean;
  clock: Pick<Clock, 'now'>;
  timers: Timers;
  /** Opens a session whose statements may take long. */
  connect(): Promise<Client>;
  end(client: Client): Promise<void>;
}

const turn = { begin: [stated('begin', 'begin'), stated('take_turn', takeTurn)] };

interface Due {
  /** There is no store yet, so no older node runs either. */
  isEmpty: boolean;
  pending: readonly Migration[];
}

async function look(client: Client, how: TransactionOptions<SchemaState> = {}): Promise<Due> {
  const { version, sharedFrom } = await transaction(client, schemaState(), how);
  return { isEmpty: version === 0, pending: pendingMigrations(version, migrations, sharedFrom) };
}

export async function upgradeSchema(parts: SchemaParts): Promise<void> {
  const { client, isAlone, isShared, timers } = parts;
  // The first look creates the table of versions, and nodes that start together must not create it at the same time.
  // Later looks block nobody.
  const { pending } = await look(client, turn);
  if (pending.length === 0) return;
  if (isAlone) return run(parts, alone);
  if (isShared && pending.every(({ besideOlder }) => besideOlder)) {
    return upgradeBeside(client, { upgrade: () => run(parts, besideOthers(timers)), waitMs: othersUpgradeMs, timers });
  }
  const isDue = async () => (await look(client)).pending.length > 0;
  return upgradeAlone(client, {
    isDue,
    upgrade: () => run(parts, alone),
    timers,
    ...(isShared && { waitMs: othersUpgradeMs }),
  });
}

type Step = (client: Client, migration: Migration, how: { isEmpty: boolean; now: number }) => Promise<void>;

async function run({ client, clock, connect, end }: SchemaParts, step: Step): Promise<void> {
  const { isEmpty, pending } = await look(client);
  // An index over a large table takes minutes, which other statements may not take.
  const patient = await connect();
  try {
    await patient.query('set statement_timeout = 0');
    for (const migration of pending) await step(patient, migration, { isEmpty, now: clock.now() });
  } finally {
    await end(patient);
  }
}

const alone: Step = (client, migration, { isEmpty, now }) =>
  transaction(client, isEmpty ? migrate(migration, now, 'postgres') : migrateShared(migration, now));

/** Inside a writer's turn, so that no write of another node is half done. */
const besideOthers =
  (timers: Timers): Step =>
  async (client, migration, { now }) => {
    await client.query(`set lock_timeout = ${besideWaitMs}`);
    for (let tries = 1; ; tries += 1) {
      try {
        return await transaction(client, migrateShared(migration, now), turn);
      } catch (error) {
        if (!isBusy(error) || tries === besideTriesMax) throw error;
      }
      await pause(timers, besideAgainMs);
    }
  };
