/** D-01 to D-03 with MMS in the mix, with their counts: 100 kills for each policy with HELIO_LONG=full. */
import { afterAll, beforeAll } from 'vitest';
import { startPostgres, type TestPostgres } from '../postgres.ts';
import { mmsKillSuite } from './mms.suite.ts';
import { isFull } from './rounds.ts';

let postgres: TestPostgres;

beforeAll(async () => {
  postgres = await startPostgres();
});

afterAll(() => postgres.remove());

mmsKillSuite('SQLite', { rounds: isFull ? 100 : 15, plantedRounds: 4 }, { resend: 'D-01', hold: 'D-02' });
mmsKillSuite('PostgreSQL', { rounds: isFull ? 20 : 6, plantedRounds: 2 }, { resend: 'D-03', hold: 'D-03' }, () =>
  postgres.createDatabase(),
);
