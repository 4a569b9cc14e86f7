/** What `helio backup create --to` refuses to write over, and what it says when it cannot write. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openStore } from '../app/open-store.ts';
import { machineClock as clock } from '../kernel/machine.ts';
import { helio } from './helio-fixture.ts';

let folder: string;
let dataDir: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'helio-to-'));
  dataDir = join(folder, 'data');
  await (await openStore({ dataDir, role: 'tool', clock })).close();
  writeFileSync(join(dataDir, 'secret.key'), 'the key');
  return () => rmSync(folder, { recursive: true, force: true });
});

const create = (to: string) => helio(['backup', 'create', '--to', to], { HELIO_DATA: dataDir });

async function refusal(to: string): Promise<string> {
  const { code, out, error } = await create(to);
  expect([code, out]).toEqual([78, '']);
  expect(error).not.toContain('    at ');
  return error;
}

describe('helio backup create --to', () => {
  it('writes over nothing', async () => {
    const earlier = join(folder, 'earlier.db');
    writeFileSync(earlier, 'an earlier backup');
    expect(await refusal(earlier)).toContain(`${earlier} exists already`);
    expect(readFileSync(earlier, 'utf8')).toBe('an earlier backup');
    symlinkSync(join(folder, 'nowhere'), join(folder, 'link.db'));
    expect(await refusal(join(folder, 'link.db'))).toContain('exists already');
    expect(await refusal(join(dataDir, 'secret.key'))).toContain('exists already');
    expect(await refusal(join(dataDir, 'store.db'))).toContain('exists already');
    expect(readFileSync(join(dataDir, 'secret.key'), 'utf8')).toBe('the key');
  });

  it('adds no file of its own to the data folder, except in backups/', async () => {
    const before = readdirSync(dataDir);
    expect(await refusal(join(dataDir, 'store.db-new'))).toContain('among the files of the gateway');
    symlinkSync(dataDir, join(folder, 'alias'));
    expect(await refusal(join(folder, 'alias', 'store.journal'))).toContain('among the files of the gateway');
    expect(readdirSync(dataDir)).toEqual(before);
    mkdirSync(join(dataDir, 'backups'));
    const to = join(dataDir, 'backups', 'mine.db');
    expect(await create(to)).toMatchObject({ code: 0, error: '' });
    expect(existsSync(to)).toBe(true);
  });

  it('names the file and the reason when it cannot be written', async () => {
    expect(await refusal('')).toBe('--to names no file.\n');
    expect(await refusal(folder)).toContain(`${folder} is a folder`);
    const missing = join(folder, 'not', 'there', 'x.db');
    expect(await refusal(missing)).toContain(`The folder ${join(folder, 'not', 'there')} is not there`);
    writeFileSync(join(folder, 'file'), '');
    expect(await refusal(join(folder, 'file', 'x.db'))).toContain(`${join(folder, 'file')} is no folder`);
    mkdirSync(join(folder, 'y.db.part'));
    onTestFinished(() => rmSync(join(folder, 'y.db.part'), { recursive: true }));
    expect(await refusal(join(folder, 'y.db'))).toMatch(/^The backup .*y\.db could not be written: /);
  });
});
