/** Commands of a user who may not read the data folder: a sentence and 78, and nothing that is not so. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../app/open-store.ts';
import { machineClock as clock } from '../kernel/machine.ts';
import { StoreDamaged } from '../store/store-damaged.ts';
import { describeFailure } from './failure.ts';
import { helio } from './helio-fixture.ts';

/** `nobody`: root may read everything. */
const nobody = 65_534;
const isRoot = process.geteuid?.() === 0;

let folder: string;
let dataDir: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'helio-unreadable-'));
  chmodSync(folder, 0o755);
  dataDir = join(folder, 'data');
  await (await openStore({ dataDir, role: 'tool', clock })).close();
  mkdirSync(join(dataDir, 'backups'));
  return () => rmSync(folder, { recursive: true, force: true });
});

const here = (...args: string[]) => helio(args, { HELIO_DATA: dataDir });

function becomeOther(): void {
  if (isRoot) process.seteuid!(nobody);
  else chmodSync(dataDir, 0);
}

function becomeOwner(): void {
  if (isRoot) process.seteuid!(0);
  else chmodSync(dataDir, 0o700);
}

function asOther<T>(work: () => T): T {
  becomeOther();
  try {
    return work();
  } finally {
    becomeOwner();
  }
}

const config = { port: 8088, host: '127.0.0.1' };
const commands = [
  ['first-steps'],
  ['sandbox', 'handsets'],
  ['verify'],
  ['recover'],
  ['alerts'],
  ['unmatched'],
  ['admin', 'login-link'],
  ['rotate-key'],
  ['backup', 'create'],
];

describe.skipIf(process.platform === 'win32')('a data folder of another user', () => {
  it.each(commands.map((args) => [args.join(' '), args] as const))('helio %s', async (_name, args) => {
    // Once as the owner: then all of its code is loaded, and only the data folder is out of reach for the other user.
    await here(...args);
    becomeOther();
    const seen = await here(...args).finally(becomeOwner);
    expect([seen.code, seen.out]).toEqual([78, '']);
    expect(seen.error).toMatch(/^\S*helio-unreadable\S* cannot be read by this user \(EACCES\)\..*\n$/);
  });

  it('does not say that there is no backup where it cannot look', () => {
    const failure = asOther(() => describeFailure(new StoreDamaged('store.db is damaged.'), { ...config, dataDir }));
    expect(failure).toEqual({
      text: expect.stringMatching(/^store\.db is damaged\.\n\S+backups cannot be read by this user \(EACCES\)\..*\n$/),
      exitCode: 78,
    });
  });
});
