/** The contract on PostgreSQL. */
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
afterAll(() => server?.remove());

/** Stores that a test has left in good order, emptied for the next one: migrating hundreds of them anew took as long as the tests. */
const empty: string[] = [];

/** Every row but those of the schema's versions, and every count begins anew: as the migrations left it. */
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
  const databaseUrl = empty.pop() ?? (await server.createSchema(database));
  return {
    childArgs: ['--database', databaseUrl],
    open: (role, clock, watch) => openStore({ databaseUrl, dataDir: '', role, clock, watch }),
    async remove() {
      await server.query(databaseUrl, emptySchema);
      empty.push(databaseUrl);
    },
  };
});
