/**
 * D-07: a PostgreSQL that may lose confirmed commits is refused at start, with the name of the setting. (SQLite's case
 * is tested beside the store, which alone can plant it.)
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startPostgres, type TestPostgres } from '../postgres.ts';
import { GatewayDidNotStart, startGateway } from '../props/gateway.ts';
import { shortForm } from './rounds.ts';

/** sysexits.h EX_CONFIG. */
const badConfigurationExitCode = 78;

let postgres: TestPostgres;
let folder: string;

beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.remove());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'helio-weak-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function expectRefusal(databaseUrl: string, setting: string): Promise<void> {
  const refusal = await startGateway({ folder, databaseUrl }).then(
    (gateway) => gateway.kill(),
    (error: unknown) => error,
  );
  expect(refusal).toBeInstanceOf(GatewayDidNotStart);
  expect((refusal as GatewayDidNotStart).exit).toEqual({ code: badConfigurationExitCode, signal: null });
  expect((refusal as GatewayDidNotStart).message).toContain(setting);
}

describe('D-07 a weak PostgreSQL setting is refused', { timeout: shortForm.timeout! }, () => {
  it.each([
    { of: 'the database', value: 'local', command: (database: string) => `alter database ${database}` },
    { of: 'the role', value: 'off', command: (database: string) => `alter role helio in database ${database}` },
  ])('synchronous_commit = $value of $of', async ({ value, command }) => {
    const databaseUrl = await postgres.createDatabase();
    const database = new URL(databaseUrl).pathname.slice(1);
    await postgres.query(databaseUrl, `${command(database)} set synchronous_commit = ${value}`);
    await expectRefusal(databaseUrl, 'synchronous_commit');
  });

  it.each(['fsync', 'full_page_writes'])('%s = off of the server', async (setting) => {
    const databaseUrl = await postgres.createDatabase();
    await postgres.stop('fast');
    await postgres.start([`${setting}=off`]);
    await expectRefusal(databaseUrl, setting);
  });
});
