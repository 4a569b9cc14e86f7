/** Commands on a data folder without a store: a mistyped HELIO_DATA must not look like an empty gateway. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runHelio } from './program.ts';

async function helio(dataDir: string, args: readonly string[]) {
  const seen = { out: '', error: '' };
  const terminal = {
    out: (text: string) => {
      seen.out += text;
    },
    error: (text: string) => {
      seen.error += text;
    },
    env: { HELIO_DATA: dataDir },
  };
  return { code: await runHelio(args, terminal), ...seen };
}

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
    expect(await helio(missing, args)).toEqual({
      code: 78,
      out: '',
      error: expect.stringContaining(`There is no store in ${missing}`),
    });
    expect(existsSync(missing)).toBe(false);

    const empty = join(temporaryFolder(), 'empty');
    mkdirSync(empty);
    expect(await helio(empty, args)).toMatchObject({ code: 78, out: '' });
    expect(readdirSync(empty)).toEqual([]);
  });
});
