/** For tests: one PostgreSQL server a file, one fresh schema a test. */
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { startPostgres, type TestPostgres } from '../../../../test/postgres.ts';

export interface TestSchema {
  server: TestPostgres;
  /** Of the schema of this test. */
  databaseUrl: string;
}

/** Filled before the first test, and anew before each. */
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
