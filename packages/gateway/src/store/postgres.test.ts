/** The contract on PostgreSQL. */
import { afterAll, beforeAll } from 'vitest';
import { startPostgres, type TestPostgres } from '../../../../test/postgres.ts';
import { openStore } from './open.ts';
import { storeContract } from './store.contract.ts';

let server: TestPostgres;
let database: string;
beforeAll(async () => {
  server = await startPostgres();
  database = await server.createDatabase();
});
afterAll(() => server?.remove());

storeContract('PostgreSQL', async () => {
  const databaseUrl = await server.createSchema(database);
  return {
    childArgs: ['--database', databaseUrl],
    open: (role, clock) => openStore({ databaseUrl, dataDir: '', role, clock }),
    async remove() {},
  };
});
