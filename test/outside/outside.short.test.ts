/** Gateways as strangers see them: each fault once, and a planted bug. `npm run test:short`. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { planted } from '../crash/rounds.ts';
import { startPostgres, type TestPostgres } from '../postgres.ts';
import { expectSound, needsHaproxy, play } from './outside.suite.ts';

const timeout = 600_000;
let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server?.remove());

async function loseDatabase(): Promise<void> {
  await server.stop('crash');
  await server.start();
}

it('three gateways, killed, paused, and without their database', { timeout }, async (ctx) => {
  needsHaproxy(ctx);
  const databaseUrl = await server.createDatabase();
  const played = await play({ databaseUrl, loseDatabase, faults: ['kill', 'database', 'pause'] });
  console.log('outside', JSON.stringify(played));
  expectSound(played);
});

it('finds the planted bug: answered before the commit', { timeout }, async (ctx) => {
  needsHaproxy(ctx);
  const options = { databaseUrl: await server.createDatabase(), loseDatabase, faults: ['kill', 'kill'] as const };
  const { broken } = await play({ ...options, nodeArguments: planted('answer-early') });
  expect(broken.join()).toContain('acknowledged and never at the carrier');
});
