/** Gateways as strangers see them: each fault once; the long form plants bugs. `npm run test:short`. */
import { afterAll, beforeAll, it } from 'vitest';
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
