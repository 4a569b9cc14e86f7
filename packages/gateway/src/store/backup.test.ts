/** Copies of a store: made while it works, put back where none runs, and refused when they are none. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { machineClock as clock } from '../machine.ts';
import { copySqlite, restoreSqlite } from './backup.ts';
import { openStore } from './open.ts';
import { type Store, StoreRefused } from './store.ts';

let folder: string;
let copy: string;
let store: Store;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'r4s-backup-'));
  copy = join(folder, 'copy.db');
  store = await openStore({ dataDir: join(folder, 'data'), role: 'node', clock });
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

const restored = async (dataDir: string): Promise<string | null> => {
  const other = await openStore({ dataDir, role: 'node', clock });
  try {
    return await other.getSetting('mark');
  } finally {
    await other.close();
  }
};

it('is made of a store that takes writes, and holds what was answered before', async () => {
  await store.putSetting('mark', 'before');
  const made = copySqlite(join(folder, 'data'), copy);
  const later = Promise.all(Array.from({ length: 50 }, (_, i) => store.putSetting(`later ${i}`, 'x')));
  await made;
  await later;
  expect(statSync(copy).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder).sort()).toEqual(['copy.db', 'data']);
  const dataDir = join(folder, 'other');
  restoreSqlite({ dataDir, from: copy, aside: 'aside' });
  expect(await restored(dataDir)).toBe('before');
});

it('takes the place of the store, which goes aside with all that belongs to it', async () => {
  await store.putSetting('mark', 'before');
  await copySqlite(join(folder, 'data'), copy);
  await store.putSetting('mark', 'after');
  await store.close();
  const dataDir = join(folder, 'data');
  const had = readdirSync(dataDir).filter((name) => name.startsWith('store.'));
  restoreSqlite({ dataDir, from: copy, aside: 'aside' });
  expect(readdirSync(join(dataDir, 'aside')).sort()).toEqual(had.sort());
  expect(await restored(dataDir)).toBe('before');
});

it('is not put back while a gateway runs, nor when it is no whole store', async () => {
  const dataDir = join(folder, 'data');
  await copySqlite(dataDir, copy);
  await store.putSetting('mark', 'after');
  const garbage = join(folder, 'garbage.db');
  writeFileSync(garbage, 'no store at all '.repeat(1_000));
  for (const from of [garbage, join(folder, 'nowhere.db')]) {
    expect(() => restoreSqlite({ dataDir, from, aside: 'aside' })).toThrow(StoreRefused);
  }
  expect(() => restoreSqlite({ dataDir, from: copy, aside: 'aside' })).toThrow(/Another node runs/);
  expect(existsSync(join(dataDir, 'aside'))).toBe(false);
  expect(await store.getSetting('mark')).toBe('after');
});

it('leaves nothing behind when it cannot be made', async () => {
  mkdirSync(join(folder, 'taken.db'));
  await expect(copySqlite(join(folder, 'nowhere'), copy)).rejects.toThrow();
  await expect(copySqlite(join(folder, 'data'), join(folder, 'taken.db'))).rejects.toThrow();
  expect(readdirSync(folder).sort()).toEqual(['data', 'taken.db']);
});
