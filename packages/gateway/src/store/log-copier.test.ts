import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLogCopier } from './log-copier.ts';

const thread = new URL('./log-copier-worker.ts', import.meta.url);
const pagesMin = 200;
let folder: string;
let path: string;
let db: DatabaseSync;
const others: DatabaseSync[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'heliograph-log-'));
  path = join(folder, 'store.db');
  db = new DatabaseSync(path);
  db.exec('pragma journal_mode = wal; pragma synchronous = full; pragma wal_autocheckpoint = 0');
  db.exec('create table texts (body)');
  db.exec('pragma wal_checkpoint(truncate)');
});

afterEach(() => {
  for (const one of [...others.splice(0), db]) one.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Frames in the log, and how many of them the database has. */
const log = () => db.prepare('pragma wal_checkpoint(noop)').get() as { log: number; checkpointed: number };

/** Adds a little more than so many pages to the log. */
function append(pages: number): void {
  const insert = db.prepare('insert into texts values (zeroblob(3500))');
  db.exec('begin immediate');
  for (let at = 0; at < pages; at += 1) insert.run();
  db.exec('commit');
}

function copierOf(options: { thread?: URL | null; path?: string } = {}) {
  const work = { path: options.path ?? path, pragmas: 'pragma synchronous = full' };
  return createLogCopier(db, work, options.thread === undefined ? thread : options.thread, pagesMin);
}

/** As often as between two checks of the log's size. */
function lookOften(copier: { look(): void }): void {
  for (let times = 0; times < 16; times += 1) copier.look();
}

/** How many pages the log has from its beginning once something more is written. */
function pagesAfterNextWrite(): number {
  append(1);
  return log().log;
}

describe('the copier of a log', () => {
  it('leaves a short log alone', () => {
    const copier = copierOf();
    append(pagesMin / 2);
    lookOften(copier);
    copier.close();
    expect(log().checkpointed).toBe(0);
  });

  it('copies a long one in a thread, while the writer goes on', async () => {
    const copier = copierOf();
    append(pagesMin);
    lookOften(copier);
    append(10);
    await expect.poll(() => log().checkpointed).toBeGreaterThanOrEqual(pagesMin);
    await expect
      .poll(() => {
        copier.look();
        return pagesAfterNextWrite();
      })
      .toBeLessThan(pagesMin);
    const { rows } = db.prepare('select count(*) as rows from texts').get() as { rows: number };
    expect(rows).toBeGreaterThanOrEqual(pagesMin + 10);
    copier.close();
  });

  it('waits for the thread when it is closed', () => {
    const copier = copierOf();
    append(pagesMin);
    lookOften(copier);
    copier.close();
    expect(log().checkpointed).toBe(log().log);
  });

  it('copies the rest once nobody reads an old state any more', async () => {
    const reader = new DatabaseSync(path, { readOnly: true });
    others.push(reader);
    append(pagesMin);
    reader.exec('begin; select count(*) from texts');
    append(pagesMin / 4);
    const copier = copierOf();
    lookOften(copier);
    await expect.poll(() => log().checkpointed).toBeGreaterThanOrEqual(pagesMin);
    // The thread has ended by then, or copies the rest, too.
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(log().checkpointed).toBeLessThan(log().log);
    reader.exec('commit');
    await expect
      .poll(() => {
        copier.look();
        return log().log - log().checkpointed;
      })
      .toBe(0);
    expect(pagesAfterNextWrite()).toBeLessThan(pagesMin);
    copier.close();
  });

  it('reports an error of the thread with its code', async () => {
    const garbage = join(folder, 'garbage.db');
    writeFileSync(garbage, 'not a database, but long enough to have a header of one hundred bytes'.repeat(3));
    const copier = copierOf({ path: garbage });
    append(pagesMin);
    lookOften(copier);
    const failure = async () => {
      for (;;) {
        copier.look();
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    };
    await expect(failure()).rejects.toMatchObject({ errcode: 26, message: 'file is not a database' });
    append(pagesMin);
    lookOften(copier);
    expect(() => copier.close()).toThrow('file is not a database');
  });

  it('is closed, however long the thread does not start', () => {
    const copier = copierOf({ thread: new URL('./no-such-file.ts', import.meta.url) });
    append(pagesMin);
    lookOften(copier);
    copier.close();
    expect(log().checkpointed).toBe(0);
  });

  it.each([
    ['is none', null],
    ['cannot start', new URL('./no-such-file.ts', import.meta.url)],
  ])('copies by itself where the thread %s', async (_, absent) => {
    const copier = copierOf({ thread: absent });
    append(pagesMin);
    await expect
      .poll(() => {
        lookOften(copier);
        return log();
      })
      .toMatchObject({ checkpointed: log().log });
    append(pagesMin);
    lookOften(copier);
    expect(log().checkpointed).toBe(log().log);
    copier.close();
  });
});
