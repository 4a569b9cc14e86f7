/** D-03 with its counts: 100 kills for each policy with HELIO_LONG=full. */
import { afterAll, beforeAll } from 'vitest';
import { startPostgres, type TestPostgres } from '../postgres.ts';
import { killSuite } from './kill.suite.ts';
import { isFull } from './rounds.ts';

let postgres: TestPostgres;

beforeAll(async () => {
  postgres = await startPostgres();
});

afterAll(() => postgres.remove());

killSuite('PostgreSQL', { rounds: isFull ? 100 : 15, plantedRounds: 4 }, { resend: 'D-03', hold: 'D-03' }, () =>
  postgres.createDatabase(),
);
