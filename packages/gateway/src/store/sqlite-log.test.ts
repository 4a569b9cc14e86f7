/**
 * The log (WAL) of a SQLite store, damaged or missing, and a database replaced by an older one: every start reports it.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, vi } from 'vitest';
import { openStore } from '../app/open-store.ts';
import { lookAtSqlite, recoverSqlite } from '../app/store-repair.ts';
import { selectNothing } from '../messaging/store/statements/deliveries.ts';
import { start } from './contract/fixture.ts';
import { copyFiles, useCrashing } from './journal/crash-fixture.ts';
import { databaseFault } from './log-note.ts';
import { run } from './query.ts';
import { openSqliteWriter } from './sqlite-connection.ts';
import { StoreDamaged } from './store-damaged.ts';
import { noteJournalFrames } from './system/operations.ts';

const world = useCrashing();
const now = start;
const settings = 12;

/** Each setting is written in a separate transaction that bypasses the journal. */
async function write(letter = 'x'): Promise<void> {
  for (let count = 0; count < settings; count += 1) await world.store.putSetting(`name ${count}`, letter.repeat(3_000));
}

async function known(folder: string): Promise<number> {
  const store = await world.open(folder);
  let found = 0;
  for (let count = 0; count < settings; count += 1) found += (await store.getSetting(`name ${count}`)) === null ? 0 : 1;
  return found;
}

/** A folder as kill -9 leaves it after the last note, with the note beside the log. */
async function killed(): Promise<string> {
  const other = new DatabaseSync(databaseOf(world.folder));
  const { log } = other.prepare('pragma wal_checkpoint(noop)').get() as { log: number };
  other.close();
  await vi.waitUntil(() => readFileSync(noteOf(world.folder)).readUInt32LE(20) === log);
  // Read first: the log may grow before it is copied, and a note of frames that the copy lacks would be damage.
  const note = readFileSync(noteOf(world.folder));
  const folder = world.crash();
  writeFileSync(noteOf(folder), note);
  return folder;
}

const databaseOf = (folder: string): string => join(folder, 'store.db');
const logOf = (folder: string): string => join(folder, 'store.db-wal');
const noteOf = (folder: string): string => join(folder, 'store.db.pulse');

function edit(path: string, change: (bytes: Buffer) => unknown): void {
  const bytes = readFileSync(path);
  change(bytes);
  writeFileSync(path, bytes);
}

/** The next commit overwrites the log. */
function beginAnew(folder: string): void {
  const other = new DatabaseSync(databaseOf(folder));
  other.exec('pragma wal_checkpoint(restart)');
  other.close();
}

/** File modes do not stop root. The returned function undoes the change. */
function makeUnwritable(path: string): () => void {
  if (process.getuid?.() === 0) {
    execFileSync('chattr', ['+i', path]);
    return () => execFileSync('chattr', ['-i', path]);
  }
  chmodSync(path, 0o400);
  return () => chmodSync(path, 0o600);
}

async function expectRefused(folder: string, words: RegExp): Promise<void> {
  for (const role of ['node', 'tool'] as const) {
    const opened = openStore({ dataDir: folder, role, clock: world.clock });
    await expect(opened).rejects.toThrow(StoreDamaged);
    await expect(opened).rejects.toThrow(words);
  }
}

describe('a log that is damaged', () => {
  it.each([
    [
      'one bit in the middle',
      (bytes: Buffer) => bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 4, bytes.length >> 1),
    ],
    [
      'one bit of its last frame',
      (bytes: Buffer) => bytes.writeUInt8(bytes.readUInt8(bytes.length - 9) ^ 1, bytes.length - 9),
    ],
    ['a frame of zeros', (bytes: Buffer) => bytes.fill(0, 32 + 8 * 4_120, 32 + 9 * 4_120)],
  ])(
    'is refused and left as it is: %s; helio recover keeps it and goes on with what can be read',
    async (_, damage) => {
      await write();
      const folder = await killed();
      edit(logOf(folder), damage);
      const damaged = readFileSync(logOf(folder));
      await expectRefused(
        folder,
        /The log \S+store\.db-wal of the database is damaged: frame \d+ of \d+ that were on disk.*\n.*helio verify.*helio recover/,
      );
      expect(lookAtSqlite(folder, now).database.missing).toMatch(/is damaged: frame/);
      expect(readFileSync(logOf(folder)).equals(damaged)).toBe(true);
      const done = recoverSqlite({ dataDir: folder, from: null, now });
      expect(done.database!.missing).toMatch(/is damaged: frame/);
      expect(readFileSync(done.database!.kept!).equals(damaged)).toBe(true);
      expect(await known(folder)).toBeLessThan(settings);
      expect(recoverSqlite({ dataDir: await killed(), from: null, now }).database).toBeNull();
    },
  );

  it.each([
    ['cut off', (path: string) => truncateSync(path, statSync(path).size - 5_000), /is damaged: frame/],
    ['garbage', (path: string) => writeFileSync(path, 'garbage '.repeat(8_000)), /its first bytes are those of no log/],
    ['emptied', (path: string) => truncateSync(path, 0), /is older than what was on disk/],
    ['missing', (path: string) => rmSync(path), /is older than what was on disk/],
  ])('is refused: %s; after helio recover the start goes on', async (_, damage, words) => {
    await world.store.close();
    await world.goOn(world.folder);
    await write();
    const folder = await killed();
    damage(logOf(folder));
    await expectRefused(folder, words);
    expect(recoverSqlite({ dataDir: folder, from: null, now }).database!.missing).toMatch(words);
    expect(await known(folder)).toBeLessThan(settings);
  });

  it('is refused: one from before its restart', async () => {
    await write();
    const older = readFileSync(logOf(world.folder));
    beginAnew(world.folder);
    await write('y');
    const folder = await killed();
    expect(readFileSync(logOf(folder)).readUInt32BE(16)).not.toBe(older.readUInt32BE(16));
    writeFileSync(logOf(folder), older);
    await expectRefused(folder, /store\.db-wal of the database is an older one than the one in use/);
  });
});

describe('a replaced database', () => {
  it.each([
    ['emptied', (path: string) => truncateSync(path, 0)],
    ['deleted', (path: string) => rmSync(path)],
  ])('is refused after a clean stop: %s', async (_, damage) => {
    await write();
    await world.store.close();
    damage(databaseOf(world.folder));
    await expectRefused(
      world.folder,
      /The database \S+store\.db is not there or empty, although a gateway has used it/,
    );
    expect(statSync(databaseOf(world.folder)).size).toBe(0);
    expect(() => lookAtSqlite(world.folder, now)).toThrow(/is not there or empty/);
  });

  it('is refused: an older copy, put in its place by hand', async () => {
    await world.store.close();
    const older = readFileSync(databaseOf(world.folder));
    await world.goOn(world.folder);
    await write();
    await world.store.close();
    writeFileSync(databaseOf(world.folder), older);
    await expectRefused(world.folder, /is older than what was on disk: .* or an older copy took its place/);
    expect(lookAtSqlite(world.folder, now).database.missing).toMatch(/is older/);
    expect(recoverSqlite({ dataDir: world.folder, from: null, now }).database).toMatchObject({ kept: null });
    expect(await known(world.folder)).toBe(0);
  });
});

describe('no damage', () => {
  it('is an unsynced end, wherever it is torn', async () => {
    await write();
    const noted = readFileSync(noteOf(await killed()));
    await world.store.putSetting('later', 'x'.repeat(9_000));
    const folder = await killed();
    const { size } = statSync(logOf(folder));
    for (const cut of [1, 4_119, 4_121]) {
      const own = copyFiles(folder, `${folder}-${cut}`);
      writeFileSync(noteOf(own), noted);
      truncateSync(logOf(own), size - cut);
      expect(await known(own)).toBe(settings);
    }
  });

  it('is a note that is missing, incomplete, of the previous version, or of a log that restarted since', async () => {
    await write();
    const noted = readFileSync(noteOf(await killed()));
    const notes = [null, Buffer.alloc(0), noted.subarray(0, 10), Buffer.alloc(24)];
    for (const [index, note] of notes.entries()) {
      const own = copyFiles(await killed(), `${world.folder}-note${index}`);
      if (note !== null) writeFileSync(noteOf(own), note);
      expect(await known(own)).toBe(settings);
    }
    beginAnew(world.folder);
    await world.store.putSetting('later', 'x');
    const folder = world.crash();
    expect(readFileSync(logOf(folder)).readUInt32BE(16)).not.toBe(noted.readUInt32LE(12));
    writeFileSync(noteOf(folder), noted);
    expect(await known(folder)).toBe(settings);
  });

  it('is a log that another program copied into the database, and a tool after a killed node', async () => {
    await write();
    const folder = await killed();
    const other = new DatabaseSync(databaseOf(folder));
    other.exec('pragma wal_checkpoint(truncate)');
    other.close();
    expect(existsSync(logOf(folder))).toBe(false);
    expect(readFileSync(noteOf(folder)).readUInt32LE(20)).toBeGreaterThan(0);
    openSqliteWriter(databaseOf(folder));
    expect(readFileSync(noteOf(folder)).readUInt32LE(20)).toBe(0);
    const tool = await world.open(folder, 'tool');
    await tool.putSetting('by a tool', 'x');
    expect(await known(folder)).toBe(settings);
  });

  it('is written, and the log synced, only after a transaction that has written something', async () => {
    const folder = await killed();
    const connection = openSqliteWriter(databaseOf(folder));
    connection.write(noteJournalFrames(1));
    connection.catchUp();
    writeFileSync(noteOf(folder), '');
    connection.write(run(selectNothing, [{}]));
    connection.catchUp();
    expect(readFileSync(noteOf(folder))).toHaveLength(0);
    connection.write(noteJournalFrames(2));
    connection.catchUp();
    expect(readFileSync(noteOf(folder))).not.toHaveLength(0);
    connection.close();
  });

  it('is anything after the last synced commit', async () => {
    const folder = await killed();
    const connection = openSqliteWriter(databaseOf(folder));
    connection.write(noteJournalFrames(1));
    connection.catchUp();
    const noted = readFileSync(noteOf(folder));
    connection.writeBehind(noteJournalFrames(2));
    connection.catchUp();
    expect(readFileSync(noteOf(folder)).equals(noted)).toBe(true);
    connection.write(noteJournalFrames(3));
    connection.catchUp();
    expect(readFileSync(noteOf(folder)).equals(noted)).toBe(false);
    connection.close();
  });
});

describe('commits that were not synced', () => {
  const openKilled = async () => {
    const folder = await killed();
    const connection = openSqliteWriter(databaseOf(folder));
    connection.write(noteJournalFrames(1));
    connection.catchUp();
    return { folder, connection, noted: () => readFileSync(noteOf(folder)).readUInt32LE(20) };
  };

  it('are synced and noted in the background, and nothing is done while there are none', async () => {
    const { connection, noted } = await openKilled();
    const failed = vi.fn();
    const before = noted();
    await new Promise((done) => setTimeout(done, 120));
    connection.syncBehind(failed);
    connection.writeBehind(noteJournalFrames(2));
    expect(noted()).toBe(before);
    await vi.waitUntil(() => {
      connection.syncBehind(failed);
      return noted() > before;
    });
    connection.writeBehind(noteJournalFrames(3));
    connection.sync();
    expect(noted()).toBe(before + 2);
    connection.close();
    expect(failed).not.toHaveBeenCalled();
  });

  it('may be under way when the database is closed', async () => {
    const { folder, connection } = await openKilled();
    await new Promise((done) => setTimeout(done, 120));
    connection.writeBehind(noteJournalFrames(2));
    connection.syncBehind(() => expect.unreachable());
    connection.close();
    await new Promise((done) => setTimeout(done, 50));
    expect(databaseFault(databaseOf(folder))).toBeNull();
  });
});

describe('an unusable file', () => {
  it.each(['store.db-shm', 'store.db.pulse'])(
    'is refused with its name when a folder is in the place of %s',
    async (name) => {
      await write();
      const folder = await killed();
      rmSync(join(folder, name), { force: true });
      mkdirSync(join(folder, name));
      const sentence = new RegExp(`The file of the database \\S+${name} cannot be used: it is a folder`);
      await expectRefused(folder, sentence);
      expect(lookAtSqlite(folder, now).database.fault).toMatch(sentence);
    },
  );

  it('is refused with its name when it cannot be written', async () => {
    await world.store.close();
    const path = databaseOf(world.folder);
    const makeWritable = makeUnwritable(path);
    try {
      await expectRefused(
        world.folder,
        /The database \S+store\.db cannot be used: it cannot be read and written (by this user )?\(E/,
      );
    } finally {
      makeWritable();
    }
  });

  it('is refused with its name when it is a lock file that cannot be locked', async () => {
    await world.store.close();
    writeFileSync(join(world.folder, 'node.lock'), 'garbage '.repeat(1_000));
    await expectRefused(world.folder, /The lock \S+node\.lock cannot be used: .* remove it/);
    expect(() => lookAtSqlite(world.folder, now)).toThrow(/The lock \S+node\.lock cannot be used/);
  });
});
