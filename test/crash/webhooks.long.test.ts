/** W-02 and W-08 with their counts: 400 kills over both engines with HELIO_LONG=full. */
import { afterAll, beforeAll } from 'vitest';
import { startPostgres, type TestPostgres } from '../postgres.ts';
import { isFull } from './rounds.ts';
import { webhookSuite } from './webhooks.suite.ts';

let postgres: TestPostgres;

beforeAll(async () => {
  postgres = await startPostgres();
});

afterAll(() => postgres.remove());

// Exactly between the POST and its record.
if (isFull) webhookSuite('SQLite, sent', { kills: 200, places: ['recordAttempts:before'], plantedKills: 0 });
webhookSuite('SQLite', { kills: isFull ? 140 : 18, plantedKills: 4 });
webhookSuite('PostgreSQL', { kills: isFull ? 60 : 12, plantedKills: 4 }, () => postgres.createDatabase());
