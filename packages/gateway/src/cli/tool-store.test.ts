/** Commands on a data folder without a store: a mistyped HELIO_DATA must not look like an empty gateway. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startPostgres, type TestPostgres } from '../../../../test/postgres.ts';
import { openStore } from '../app/open-store.ts';
import { machineClock as clock } from '../kernel/machine.ts';
import { helio } from './helio-fixture.ts';

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'helio-nothing-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describe.each([
  ['backup create', ['backup', 'create']],
  ['backup create --to', ['backup', 'create', '--to', join(tmpdir(), 'helio-never.db')]],
  ['alerts', ['alerts']],
  ['unmatched', ['unmatched']],
  ['admin login-link', ['admin', 'login-link']],
  ['rotate-key', ['rotate-key']],
])('helio %s', (_name, args) => {
  it('is refused where there is no store, and makes none', async () => {
    const missing = join(temporaryFolder(), 'mistyped');
    expect(await helio(args, { HELIO_DATA: missing })).toEqual({
      code: 78,
      out: '',
      error: expect.stringContaining(`There is no store in ${missing}`),
    });
    expect(existsSync(missing)).toBe(false);

    const empty = join(temporaryFolder(), 'empty');
    mkdirSync(empty);
    expect(await helio(args, { HELIO_DATA: empty })).toMatchObject({ code: 78, out: '' });
    expect(readdirSync(empty)).toEqual([]);
  });
});

describe('PostgreSQL', () => {
  let server: TestPostgres;
  let databaseUrl: string;
  beforeAll(async () => {
    server = await startPostgres();
    databaseUrl = await server.createDatabase();
  });
  afterAll(() => server?.remove());

  it.each([
    [['alerts']],
    [['unmatched']],
    [['admin', 'login-link']],
    [['rotate-key']],
    [['backup', 'restored', '--waiting', 'hold']],
  ])('helio %s is refused where the database has no store, and makes no table', async (args) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'secret.key'), 'ab'.repeat(32), { mode: 0o600 });
    expect(await helio(args, { HELIO_DATA: folder, HELIO_DATABASE_URL: databaseUrl })).toEqual({
      code: 78,
      out: '',
      error: expect.stringContaining('There is no store in the database of HELIO_DATABASE_URL.'),
    });
    expect(await server.query(databaseUrl, `select 1 from pg_tables where schemaname = 'public'`)).toEqual([]);
  });

  it('helio alerts answers from the store of a gateway', async () => {
    const own = await server.createSchema(databaseUrl);
    await (await openStore({ databaseUrl: own, dataDir: '', role: 'node', clock })).close();
    expect(await helio(['alerts'], { HELIO_DATA: temporaryFolder(), HELIO_DATABASE_URL: own })).toMatchObject({
      code: 0,
      out: 'No alert fires.\n',
    });
  });
});

describe('helio recover --journal', () => {
  it('does not take a journal that is not there for one without losses', async () => {
    const folder = temporaryFolder();
    const dataDir = join(folder, 'data');
    await (await openStore({ dataDir, role: 'node', clock })).close();
    const missing = join(folder, 'store.journal');
    const recover = (file: string) => helio(['recover', '--journal', file], { HELIO_DATA: dataDir });
    expect(await recover(missing)).toEqual({ code: 78, out: '', error: `There is no file ${missing}.\n` });
    expect(await recover(folder)).toEqual({ code: 78, out: '', error: `${folder} is not a file.\n` });
  });
});
