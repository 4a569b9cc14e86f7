/** A store whose journal is damaged or missing: every start reports it, and recovers what can be read. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { openStore } from '../app/open-store.ts';
import { copySqlite, restoreSqlite } from '../app/store-backup.ts';
import { lookAtSqlite, recoverSqlite } from '../app/store-repair.ts';
import { journalNote, recoverDamaged } from '../messaging/store/journaled/recover.ts';
import { start } from './contract/fixture.ts';
import { copyFiles, framesOf, journalOf, recovered, statesOf, useCrashing } from './journal/crash-fixture.ts';
import { lookAtJournal } from './journal/look.ts';
import { openSqliteWriter, type SqliteConnection } from './sqlite-connection.ts';
import { StoreDamaged } from './store-damaged.ts';

const world = useCrashing();
const now = start;

const frames = 6;

/** Six texts, each in a separate frame. They stay out of the database until a second passes without requests. */
async function texts(): Promise<string[]> {
  const ids: string[] = [];
  for (let count = 0; count < frames; count += 1) {
    ids.push(...(await world.accept({ text: `text ${count} ${'x'.repeat(600)}` })));
  }
  return ids;
}

/**
 * Then a frame that claims the first and one that records it as sent; the sent one may move to the database at once.
 */
async function story(): Promise<string[]> {
  const ids = await texts();
  const [claim] = await world.claim(1);
  await world.settle(claim!);
  return ids;
}

function edit(folder: string, change: (bytes: Buffer) => unknown): void {
  const bytes = readFileSync(journalOf(folder));
  change(bytes);
  writeFileSync(journalOf(folder), bytes);
}

/** The files by name, except those that SQLite creates by reading. */
function contents(folder: string): Map<string, string> {
  const names = readdirSync(folder).filter((name) => !/-shm$|^node.lock|pulse$/.test(name));
  return new Map(names.map((name) => [name, readFileSync(join(folder, name)).toString('base64')]));
}

/** Expects the start to be refused and the journal to be unchanged. */
async function expectRefused(folder: string, words: RegExp): Promise<void> {
  const before = contents(folder).get('store.journal');
  for (const role of ['node', 'tool'] as const) {
    const opened = openStore({ dataDir: folder, role, clock: world.clock });
    await expect(opened).rejects.toThrow(StoreDamaged);
    await expect(opened).rejects.toThrow(words);
    await expect(opened).rejects.toThrow(/helio verify.*helio recover/s);
  }
  expect(contents(folder).get('store.journal')).toBe(before);
}

/** The number of frames of the current generation that the database has noted. */
function notedIn(folder: string): number {
  const db = new DatabaseSync(join(folder, 'store.db'), { readOnly: true });
  const row = db.prepare(`select value from counters where name = 'journal_frames'`).get();
  db.close();
  return Number(row?.value);
}

describe('one flipped bit in the middle', () => {
  it('is refused, shown without a change, and corrected', async () => {
    const ids = await texts();
    const folder = world.crash();
    edit(folder, (bytes) =>
      bytes.writeUInt8(bytes.readUInt8(framesOf(folder)[2]!.begin + 100) ^ 8, framesOf(folder)[2]!.begin + 100),
    );
    await expectRefused(
      folder,
      /store\.journal is damaged: 1 frame of generation \d+, from number 2 on, is not whole, and 3 whole ones stand behind/,
    );
    const before = contents(folder);
    expect(lookAtSqlite(folder, now).journal).toMatchObject({
      requests: frames,
      messages: frames,
      mended: 1,
      doubtful: 0,
    });
    expect(contents(folder).get('store.journal')).toBe(before.get('store.journal'));
    const damaged = readFileSync(journalOf(folder));
    const done = recoverSqlite({ dataDir: folder, from: null, now });
    expect(done).toMatchObject({ requests: frames, mended: 1, lost: { frames: 0, requests: [], messages: [] } });
    expect(readFileSync(done.kept!).equals(damaged)).toBe(true);
    const store = await world.open(folder);
    expect(await statesOf(store, ids)).toEqual(Array(frames).fill('queued'));
  });
});

describe('a lost frame', () => {
  it('is reported as far as it can be read, and messages that may have been sent become uncertain', async () => {
    const ids = await story();
    const folder = world.crash();
    const { begin, end, text } = framesOf(folder)[2]!;
    const { requestId, accountId } = JSON.parse(text).accepted[0].message;
    edit(folder, (bytes) => bytes.fill('?', end - 300, end));
    expect(text.indexOf(requestId) + begin).toBeLessThan(end - 300);
    await expectRefused(folder, /is not whole/);
    const done = recoverSqlite({ dataDir: folder, from: null, now });
    expect(done.lost).toEqual({ frames: 1, requests: [{ requestId, accountId }], messages: [] });
    expect(done.doubtful).toBe(1);
    const store = await world.open(folder);
    // A later frame claimed and settled the first text; the second was waiting when the lost frame was written.
    expect(await statesOf(store, ids)).toEqual(['sent', 'sending', null, 'queued', 'queued', 'queued']);
    expect(await recovered(store)).toEqual([ids[1]]);
  });

  it('is reported by the message ids in later frames', async () => {
    const ids = await story();
    const folder = world.crash();
    const { begin, end } = framesOf(folder)[0]!;
    edit(folder, (bytes) => bytes.fill(0, begin, end));
    const { lost } = recoverSqlite({ dataDir: folder, from: null, now });
    expect(lost).toEqual({ frames: 1, requests: [], messages: [{ messageId: ids[0], sent: true }] });
    expect(await statesOf(await world.open(folder), ids)).toEqual([null, ...Array(frames - 1).fill('queued')]);
  });
});

describe('a journal other than the one in use', () => {
  it.each([
    ['missing', (path: string) => rmSync(path), /is not there, although/],
    ['emptied', (path: string) => truncateSync(path, 0), /is not the one in use/],
    ['garbage', (path: string) => writeFileSync(path, 'garbage '.repeat(1_000)), /is not the one in use/],
    ['zeros', (path: string) => writeFileSync(path, Buffer.alloc(1 << 20)), /is not the one in use/],
    ['cut off', (path: string) => truncateSync(path, 3_000), /is shorter than it was/],
    [
      'a folder',
      (path: string) => {
        rmSync(path);
        mkdirSync(path);
      },
      /cannot be read \(EISDIR\)/,
    ],
  ])('is refused: %s; after helio recover the start goes on', async (what, damage, words) => {
    const ids = await story();
    const folder = world.crash();
    damage(journalOf(folder));
    if (what === 'a folder')
      await expect(openStore({ dataDir: folder, role: 'node', clock: world.clock })).rejects.toThrow(words);
    else await expectRefused(folder, words);
    const done = recoverSqlite({ dataDir: folder, from: null, now });
    expect(done.lost.frames).not.toBe(0);
    expect(done.kept === null).toBe(what === 'missing');
    const store = await world.open(folder);
    expect((await statesOf(store, ids)).filter((state) => state !== null)).toHaveLength(what === 'cut off' ? 2 : 0);
    await store.close();
    expect(recoverSqlite({ dataDir: folder, from: null, now }).fault).toBeNull();
  });

  it('is refused: an older one, once the database has noted a newer one', async () => {
    await world.accept();
    const older = readFileSync(journalOf(world.folder));
    // Flushes to the database, which restarts the journal.
    await world.store.queueCounts();
    await world.accept();
    await expect.poll(() => notedIn(world.folder)).toBe(1);
    const folder = world.crash();
    writeFileSync(journalOf(folder), older);
    await expectRefused(folder, /is shorter than it was: 1 frame at its end that the database noted is missing/);
    await world.store.queueCounts();
    await world.accept();
    const later = world.crash();
    writeFileSync(journalOf(later), older);
    await expectRefused(later, /is an older one/);
  });

  it('is refused: one that a restored database has not noted', async () => {
    const old = world.crash();
    for (let count = 0; count < 3; count += 1) {
      await world.accept();
      await world.store.queueCounts();
    }
    await world.accept();
    copyFileSync(journalOf(world.folder), journalOf(old));
    await expectRefused(old, /is newer than the database/);
  });

  it('is refused: a missing end that the database has noted', async () => {
    await story();
    await expect.poll(() => notedIn(world.folder)).toBe(8);
    const folder = world.crash();
    edit(folder, (bytes) => bytes.fill(0, framesOf(folder)[4]!.end));
    await expectRefused(folder, /is shorter than it was: 3 frames at its end that the database noted are missing/);
    const done = recoverSqlite({ dataDir: folder, from: null, now });
    expect(done.lost).toEqual({ frames: 3, requests: [], messages: [] });
  });
});

describe('no damage', () => {
  it('is a journal of the previous version, present or missing', async () => {
    const ids = await story();
    const folder = world.crash();
    const forget = (own: string) => {
      const db = new DatabaseSync(join(own, 'store.db'));
      db.exec(`delete from counters where name = 'journal_frames'`);
      db.close();
    };
    const without = copyFiles(folder, `${folder}-without`);
    for (const own of [folder, without]) forget(own);
    rmSync(journalOf(without));
    expect(await statesOf(await world.open(folder), ids)).toEqual(['sent', ...Array(frames - 1).fill('queued')]);
    expect((await statesOf(await world.open(without), ids)).slice(1)).toEqual(Array(frames - 1).fill(null));
  });

  it('is a folder without a journal after a clean stop, a start that was killed at once, and one after the other', async () => {
    await story();
    await world.store.close();
    expect(existsSync(journalOf(world.folder))).toBe(false);
    await world.goOn(world.folder);
    for (let round = 0; round < 3; round += 1) await world.goOn(world.crash());
    expect(lookAtSqlite(world.crash(), now).journal).toMatchObject({ fault: null, frames: 0, requests: 0 });
  });

  it('is a recovery, which the start reports once', async () => {
    await texts();
    const folder = world.crash();
    const recovered: unknown[] = [];
    const recover = (found: unknown) => void recovered.push(found);
    for (let round = 0; round < 2; round += 1) {
      await (await openStore({ dataDir: folder, role: 'node', clock: world.clock, recovered: recover })).close();
    }
    expect(recovered).toEqual([{ frames, requests: frames, messages: frames, torn: false }]);
  });
});

describe('helio recover', () => {
  it('that is killed at any write starts over, with the same result', async () => {
    const ids = await story();
    const folder = world.crash();
    edit(folder, (bytes) => bytes.fill(0, framesOf(folder)[2]!.begin, framesOf(folder)[2]!.end));
    const once = copyFiles(folder, `${folder}-once`);
    recoverSqlite({ dataDir: once, from: null, now });
    const wanted = await statesOf(await world.open(once), ids);
    for (const writes of [0, 1]) {
      const own = copyFiles(folder, `${folder}-${writes}`);
      const connection = openSqliteWriter(join(own, 'store.db'));
      const look = lookAtJournal(journalOf(own), connection.read(journalNote()));
      expect(() => recoverDamaged(dyingAfter(connection, writes), look, now)).toThrow('killed');
      connection.close();
      recoverSqlite({ dataDir: own, from: null, now });
      expect(await statesOf(await world.open(own), ids)).toEqual(wanted);
    }
  });

  it('that was killed after it set the file aside continues with it', async () => {
    const ids = await texts();
    const folder = world.crash();
    const { generation, begin, end } = framesOf(folder)[2]!;
    edit(folder, (bytes) => bytes.fill(0, begin, end));
    const aside = `${journalOf(folder)}.damaged-${generation}`;
    copyFileSync(journalOf(folder), aside);
    rmSync(journalOf(folder));
    await expectRefused(folder, /is not there/);
    expect(recoverSqlite({ dataDir: folder, from: null, now })).toMatchObject({ kept: aside, requests: frames - 1 });
    expect((await statesOf(await world.open(folder), ids))[3]).toBe('queued');
  });

  it('applies the journal of a lost database to a restored backup', async () => {
    const before = await world.accept();
    const backup = join(world.folder, 'copy.db');
    await copySqlite(world.folder, backup);
    await world.store.queueCounts();
    const ids = await story();
    const folder = world.crash();
    restoreSqlite({ dataDir: folder, from: backup, aside: 'aside', waiting: 'send', now });
    const own = recoverSqlite({ dataDir: folder, from: join(folder, 'aside', 'store.journal'), now });
    expect(own).toMatchObject({ requests: frames, lost: { frames: null } });
    const store = await world.open(folder);
    // The next journal is lost, so waiting messages may have been sent.
    expect(await statesOf(store, [...before, ...ids])).toEqual(['queued', ...Array(frames).fill('sending')]);
  });

  it('is refused while a gateway runs', async () => {
    expect(() => recoverSqlite({ dataDir: world.folder, from: null, now })).toThrow(/Another node/);
    expect(lookAtSqlite(world.folder, now)).toMatchObject({
      isRunning: true,
      journal: null,
      database: { fault: null },
    });
  });
});

/** Simulates a kill inside that transaction, before its commit. */
function dyingAfter(connection: SqliteConnection, writes: number): SqliteConnection {
  let left = writes;
  return {
    ...connection,
    write(operation) {
      left -= 1;
      if (left < 0) throw new Error('killed');
      return connection.write(operation);
    },
  };
}
