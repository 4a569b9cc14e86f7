/** The short form of D-03: D-01 and D-02 with PostgreSQL behind the gateway. */
import { afterAll, beforeAll } from 'vitest';
import { startPostgres, type TestPostgres } from '../postgres.ts';
import { killSuite } from './kill.suite.ts';
import { shortForm } from './rounds.ts';

let postgres: TestPostgres;

beforeAll(async () => {
  postgres = await startPostgres();
});

afterAll(() => postgres.remove());

killSuite('PostgreSQL', { rounds: 2, plantedRounds: 0, how: shortForm }, { resend: 'D-03', hold: 'D-03' }, () =>
  postgres.createDatabase(),
);
