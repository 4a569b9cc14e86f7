/** For tests: one PostgreSQL server per file, one fresh schema per test. */
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { startPostgres, type TestPostgres } from '../../../../test/postgres.ts';
import { StoreBroken } from './faults.ts';
import { migrate, migrations } from './migrate.ts';
import { clientConfig } from './postgres-session.ts';
import { transaction } from './postgres-transaction.ts';

export interface TestSchema {
  server: TestPostgres;
  /** The URL of this test's schema. */
  databaseUrl: string;
}

/** Set before the first test, and again before each. */
export function useSchema(): TestSchema {
  const schema = {} as TestSchema;
  let database: string;
  beforeAll(async () => {
    schema.server = await startPostgres();
    database = await schema.server.createDatabase();
  });
  afterAll(() => schema.server?.remove());
  beforeEach(async () => {
    schema.databaseUrl = await schema.server.createSchema(database);
  });
  return schema;
}

/** Makes the store anew as this version of the schema had it; returns a session in it, to be ended. */
export async function olderStore({ server, databaseUrl }: TestSchema, version: number, at: number): Promise<Client> {
  const [{ name }] = (await server.query(databaseUrl, 'select current_schema() as name')) as [{ name: string }];
  await server.query(databaseUrl, `drop schema ${name} cascade; create schema ${name}`);
  const client = new Client(clientConfig(databaseUrl, 'before', new Set()));
  await client.connect();
  await client.query('create table schema_versions (version bigint not null primary key, applied_at bigint not null)');
  for (const one of migrations.slice(0, version)) await transaction(client, migrate(one, at, 'postgres'));
  return client;
}

/** Ends the session of this name, `afterMs` after it appeared; returns 1 if there was one within a moment. */
export async function endSession(schema: TestSchema, name: string, afterMs: number): Promise<number> {
  const session = `from pg_stat_activity where application_name = '${name}' and datname = current_database()`;
  const query = (sql: string) => schema.server.query(schema.databaseUrl, sql);
  for (let looks = 0; looks < 50; looks += 1) {
    if ((await query(`select 1 ${session}`)).length === 0) continue;
    await wait(afterMs);
    return (await query(`select pg_terminate_backend(pid) ${session}`)).length > 0 ? 1 : 0;
  }
  return 0;
}

/** The failure that allows no further try; null when a try succeeds. */
export async function endOf(work: () => Promise<unknown>, triesMax = 200): Promise<unknown> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    try {
      await work();
      return null;
    } catch (error) {
      if (error instanceof StoreBroken) return error;
    }
    await wait(50);
  }
  return new Error('no end of the tries');
}
