/** A standby that waits has nothing to finish: to stop it is no failure, for a supervisor either. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { sharedKey } from '../crash/nodes.ts';
import { startPostgres } from '../postgres.ts';
import { spawnGateway, startGateway } from '../props/gateway.ts';

it('ends with 0 when it is stopped while another gateway acts', async () => {
  const server = await startPostgres();
  onTestFinished(() => server.remove());
  const databaseUrl = await server.createDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-standby-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const env = { HELIO_STANDBY: '1', ...sharedKey(folder) };
  const acting = await startGateway({ folder: join(folder, 'acting'), databaseUrl, env });
  onTestFinished(() => acting.kill());
  const waiting = await spawnGateway({ folder: join(folder, 'waiting'), databaseUrl, env });
  await expect.poll(waiting.stderr, { timeout: 60_000 }).toContain('standby: another node acts');
  expect(await waiting.stop()).toEqual({ code: 0, signal: null });
});
