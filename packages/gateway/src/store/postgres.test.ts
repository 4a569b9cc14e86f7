/** The contract on PostgreSQL. */
import { afterAll, beforeAll } from 'vitest';
import { startPostgres, type TestPostgres } from '../../../../test/postgres.ts';
import { openStore } from './open.ts';
import { storeContract } from './store.contract.ts';

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server?.remove());

storeContract('PostgreSQL', async () => {
  const databaseUrl = await server.createDatabase();
  return {
    open: (role, clock) => openStore({ databaseUrl, dataDir: '', role, clock }),
    async remove() {},
  };
});
