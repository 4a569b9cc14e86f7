/** The data folder and our files in it are closed to other users at each start; other files stay as they are. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StoreRefused } from '../store/faults.ts';
import { closeDataFolder } from './data-folder.ts';

let root: string;
let dataDir: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'heliograph-folder-'));
  dataDir = join(root, 'data');
});
afterEach(() => rmSync(root, { recursive: true }));

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

function open(path: string, isFolder = false): void {
  if (isFolder) mkdirSync(path, { recursive: true });
  else writeFileSync(path, '');
  chmodSync(path, isFolder ? 0o755 : 0o644);
}

describe('the data folder', () => {
  it('is made for its owner alone', () => {
    expect(closeDataFolder(dataDir)).toEqual({ mended: [], open: [] });
    expect(modeOf(dataDir)).toBe('700');
  });

  it('that was there is closed, with what is ours in it, and is logged once', () => {
    open(dataDir, true);
    const files = ['store.db', 'store.db-wal', 'store.db-shm', 'store.journal', 'store.journal.damaged-4', 'node.lock'];
    for (const name of [...files, 'first-steps.json']) open(join(dataDir, name));
    for (const name of ['backups', 'evidence', 'before-restore-2026', 'media']) open(join(dataDir, name), true);
    const inner = [join('backups', 'heliograph.db'), join('before-restore-2026', 'store.db'), join('evidence', 'file')];
    for (const name of inner) open(join(dataDir, name));
    const { mended } = closeDataFolder(dataDir);
    expect(mended).toHaveLength(1 + files.length + 1 + 4 + inner.length);
    expect(mended[0]).toEqual({ path: dataDir, mode: '0755' });
    expect(modeOf(dataDir)).toBe('700');
    for (const name of [...files, 'first-steps.json', ...inner])
      expect([name, modeOf(join(dataDir, name))]).toEqual([name, '600']);
    for (const name of ['backups', 'media']) expect(modeOf(join(dataDir, name))).toBe('700');
    expect(closeDataFolder(dataDir)).toEqual({ mended: [], open: [] });
  });

  it('may hold what is not ours, which stays as it is', () => {
    open(dataDir, true);
    open(join(dataDir, 'notes.txt'));
    open(join(root, 'elsewhere'));
    symlinkSync(join(root, 'elsewhere'), join(dataDir, 'store.db'));
    closeDataFolder(dataDir);
    expect([modeOf(join(dataDir, 'notes.txt')), modeOf(join(root, 'elsewhere'))]).toEqual(['644', '644']);
  });

  it('is refused when it is one for everybody', () => {
    open(dataDir, true);
    chmodSync(dataDir, 0o1777);
    for (const path of ['/', dataDir]) {
      const before = modeOf(path);
      expect(() => closeDataFolder(path)).toThrow(StoreRefused);
      expect(modeOf(path)).toBe(before);
    }
  });
});
