/** The contract on PostgreSQL. */
import { Client } from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { startPostgres, type TestPostgres } from '../../../../test/postgres.ts';
import { openStore } from '../app/open-store.ts';
import { storeContract } from './store.contract.ts';

let server: TestPostgres;
let database: string;
beforeAll(async () => {
  server = await startPostgres();
  database = await server.createDatabase();
});
afterAll(async () => {
  for (const { session } of empty) await session.end();
  await server?.remove();
});

/**
 * Intact stores of earlier tests, emptied for the next one: migrating hundreds of new ones would take as long as the
 * tests. Each keeps the session that empties it: a new session would read the catalog of all tables again, which takes
 * ten times as long.
 */
const empty: { databaseUrl: string; session: Client }[] = [];

async function freshSchema(): Promise<(typeof empty)[number]> {
  const databaseUrl = await server.createSchema(database);
  const session = new Client({ connectionString: databaseUrl });
  await session.connect();
  return { databaseUrl, session };
}

/** Deletes every row except the schema's versions, and restarts every counter: the state after the migrations. */
const emptySchema = `
do $$ declare name text; begin
  for name in select tablename from pg_tables where schemaname = current_schema() and tablename <> 'schema_versions' loop
    execute format('delete from %I', name);
  end loop;
  for name in select sequencename from pg_sequences where schemaname = current_schema() loop
    execute format('alter sequence %I restart', name);
  end loop;
end $$`;

storeContract('PostgreSQL', async () => {
  const place = empty.pop() ?? (await freshSchema());
  const { databaseUrl, session } = place;
  return {
    childArgs: ['--database', databaseUrl],
    open: (role, clock, watch) => openStore({ databaseUrl, dataDir: '', role, clock, watch }),
    async remove() {
      await session.query(emptySchema);
      empty.push(place);
    },
  };
});
