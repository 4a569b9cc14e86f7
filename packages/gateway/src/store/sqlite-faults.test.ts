/** Faults that only SQLite has: weak settings, a full disk, another process's lock, a newer schema. */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { movedClock } from '../../../../test/props/clock.ts';
import { catalogue } from '../app/modules.ts';
import { openStore, storeThread } from '../app/open-store.ts';
import type { Store } from '../app/store.ts';
import { acceptItem, start } from './contract/fixture.ts';
import { createStore } from './create-store.ts';
import { StoreBroken, StoreRefused, StoreUnavailable } from './faults.ts';
import { openSqlite } from './sqlite.ts';
import { meaning, type SqliteSettings } from './sqlite-connection.ts';
import { StoreDamaged } from './store-damaged.ts';

const clock = movedClock(start);
let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'heliograph-store-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const open = () => openStore({ dataDir, role: 'node', clock });
const openWith = (settings: SqliteSettings) =>
  openSqlite({ catalogue, thread: storeThread, dataDir, role: 'node', clock, settings });

describe('weak settings', () => {
  it.each([
    ['synchronous', { synchronous: 'normal' }],
    ['synchronous', { synchronous: 'off' }],
    ['journal_mode', { journalMode: 'delete' }],
    ['journal_mode', { journalMode: 'memory' }],
    ['journal_mode', { journalMode: 'off' }],
  ])('of %s are refused by name (%j), and the folder is free again', async (name, settings) => {
    const opened = openWith(settings);
    await expect(opened).rejects.toThrow(StoreRefused);
    await expect(opened).rejects.toThrow(new RegExp(`setting ${name} is`));
    await (await open()).close();
  });
});

describe('the data folder', () => {
  it('is created for its owner alone', async () => {
    dataDir = join(dataDir, 'new', 'folder');
    await (await open()).close();
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    dataDir = join(dataDir, '..', '..');
  });

  it('holds one node, in this process too', async () => {
    const store = await open();
    await expect(open()).rejects.toThrow(StoreRefused);
    await store.close();
    await (await open()).close();
  });

  it('is refused when its schema is newer than this program', async () => {
    await (await open()).close();
    const db = new DatabaseSync(join(dataDir, 'store.db'));
    db.exec('insert into schema_versions (version, applied_at) values (99, 0)');
    db.close();
    await expect(open()).rejects.toThrow(/schema 99/);
  });

  it('is refused when the file is not a database', async () => {
    await (await open()).close();
    const db = new DatabaseSync(join(dataDir, 'store.db'));
    db.exec('pragma journal_mode = delete');
    db.close();
    writeFileSync(join(dataDir, 'store.db'), 'no database '.repeat(1_000));
    await expect(open()).rejects.toThrow(StoreDamaged);
  });

  it('is refused with the name of the file when a page of the database is damaged', async () => {
    await (await open()).close();
    const path = join(dataDir, 'store.db');
    const bytes = readFileSync(path);
    bytes.fill(0xa5, 8 * 4_096, 9 * 4_096);
    writeFileSync(path, bytes);
    const opened = open();
    await expect(opened).rejects.toThrow(StoreDamaged);
    await expect(opened).rejects.toThrow(`The database ${path} is damaged: `);
  });

  it.each(['store.db', 'store.db-wal', 'store.db.pulse', 'store.journal', 'node.lock'])(
    'is refused with the name of the file when a folder is in the place of %s',
    async (name) => {
      mkdirSync(join(dataDir, name));
      const opened = open();
      await expect(opened).rejects.toThrow(StoreDamaged);
      await expect(opened).rejects.toThrow(join(dataDir, name.replace('-wal', '').replace('node.lock', '')));
    },
  );
});

describe('a lock held by another process', () => {
  it('does not stop texts from being accepted; requests that need the database are `busy` after two seconds', async () => {
    const store = await open();
    const other = new DatabaseSync(join(dataDir, 'store.db'));
    other.exec('begin immediate');
    const item = acceptItem(start, {});
    expect(await store.accept([item])).toEqual([{ kind: 'stored' }]);
    await expect(store.putSetting('name', 'value')).rejects.toMatchObject({ reason: 'busy' });
    // The look-up succeeds, and shows the writer that the database takes no writes.
    expect(await store.queueCounts()).toEqual([]);
    await expect(store.accept([acceptItem(start, {})])).rejects.toMatchObject({ reason: 'busy' });
    other.exec('rollback');
    other.close();
    expect(await store.accept([acceptItem(start, {})])).toEqual([{ kind: 'stored' }]);
    expect(await store.queueCounts()).toMatchObject([{ lane: 'c1', queued: 2 }]);
    expect((await store.message('acc1', item.deliveries[0]!.messageId))?.state).toBe('queued');
    await store.close();
  });
});

describe('a full disk', () => {
  it('is reported as full; nothing acknowledged is lost, and look-ups go on', async () => {
    const store = createStore<Store>(await openWith({ pagesMax: 160 }), catalogue, 'node');
    const large = () => acceptItem(start, { text: 'x'.repeat(20_000) });
    const stored: string[] = [];
    let refusal: unknown;
    for (let tries = 0; tries < 50 && !refusal; tries += 1) {
      const item = large();
      await store.accept([item]).then(
        () => stored.push(item.deliveries[0]!.messageId),
        (error) => {
          refusal = error;
        },
      );
      await store.queueCounts();
    }
    expect(refusal).toBeInstanceOf(StoreUnavailable);
    expect(refusal).toMatchObject({ reason: 'full' });
    expect(stored.length).toBeGreaterThan(2);
    // The last acknowledged text is only in the journal.
    expect(await store.queueCounts()).toEqual([{ lane: 'c1', queued: stored.length - 1, oldestDueAt: start }]);
    expect(await store.healthy()).toBe(false);
    await store.close();

    const roomy = await open();
    expect(await roomy.queueCounts()).toMatchObject([{ queued: stored.length }]);
    expect(await roomy.accept([large()])).toEqual([{ kind: 'stored' }]);
    await roomy.close();
  });
});

describe('a truncated log', () => {
  it('keeps every commit whose bytes are complete', async () => {
    const store = await open();
    const log = join(dataDir, 'store.db-wal');
    const commits: { messageId: string; bytes: number }[] = [];
    for (let count = 0; count < 12; count += 1) {
      // Requests with a key go to the database at once.
      const key = { key: `k${count}`, bodyHash: 'aa' };
      const item = acceptItem(start, { text: 'x'.repeat(500 * count), key });
      await store.accept([item]);
      commits.push({ messageId: item.deliveries[0]!.messageId, bytes: statSync(log).size });
    }
    const copies = [1, 24, 100, 4_095, 4_096, 4_120, 20_000, 60_000].map((cut, index) => {
      const folder = join(dataDir, `copy${index}`);
      mkdirSync(folder);
      for (const name of ['store.db', 'store.journal']) copyFileSync(join(dataDir, name), join(folder, name));
      const bytes = readFileSync(log);
      writeFileSync(join(folder, 'store.db-wal'), bytes.subarray(0, bytes.length - cut));
      return { folder, left: bytes.length - cut };
    });
    await store.close();
    for (const { folder, left } of copies) {
      const copy = await openStore({ dataDir: folder, role: 'node', clock });
      for (const { messageId, bytes } of commits) {
        const view = await copy.message('acc1', messageId);
        expect([messageId, view !== null]).toEqual([messageId, bytes <= left]);
      }
      await copy.close();
    }
  });
});

describe('meaning', () => {
  const error = (errcode: number) => Object.assign(new Error('text'), { errcode });

  it.each([
    ['busy', 5],
    ['busy', 261],
    ['full', 13],
    ['full', 4_874],
    ['down', 14],
  ])('%s for code %i', (reason, code) => {
    expect(meaning(error(code))).toMatchObject({ name: 'StoreUnavailable', reason });
  });

  it.each([10, 1_034, 1_290, 11, 26, 8])('broken for code %i', (code) => {
    expect(meaning(error(code))).toBeInstanceOf(StoreBroken);
  });

  it('unchanged for errors that are no fault of the disk', () => {
    const constraint = error(1_299);
    expect(meaning(constraint)).toBe(constraint);
    const bug = new TypeError('bug');
    expect(meaning(bug)).toBe(bug);
  });
});
