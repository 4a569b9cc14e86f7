/**
 * Notes beside a SQLite database how much of its log (WAL) is on disk, and compares the files with that note at each
 * start. SQLite reads a log up to its first bad frame and does not report what follows it. Formats:
 * https://sqlite.org/fileformat2.html#the_write_ahead_log
 */
import {
  closeSync,
  existsSync,
  fdatasync,
  fdatasyncSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
  writeSync,
} from 'node:fs';
import { crc32 } from 'node:zlib';
import { StoreBroken } from './faults.ts';
import { wayOut } from './journal/fault-text.ts';

const notePath = (path: string): string => `${path}.pulse`;
export const logPath = (path: string): string => `${path}-wal`;

/** Magic, checksum of the rest, token, both salts of the log, its frames on disk: each 4 bytes, little-endian. */
const noteBytes = 24;
const noteMagic = 0x314e_4c48;

interface Noted {
  /** Token of the newest start of a node whose commits are in the database; 0 = none yet. */
  token: number;
  /** The log's own number; SQLite adds 1 to its first half at each restart of the log. */
  salts: readonly [number, number];
  /** 0 = unknown. */
  frames: number;
}

const unknown: Noted = { token: 0, salts: [0, 0], frames: 0 };

/** How often the note is written while there are commits: it costs a tenth of a commit, and a sync. */
const noteEveryMs = 100;

/** The note of a database in use. Its functions throw StoreBroken when the file system fails. */
export interface LogNote {
  /**
   * Call after each synced commit. A file system that shuts down during a sync (ext4 after an error, or when its disk
   * is gone) may report success; the write here then fails.
   */
  synced(): void;
  /** Call after each commit that was not synced. */
  unsynced(): void;
  /**
   * Syncs such commits without waiting, and notes them, at most every 100 ms: otherwise the next synced commit would wait
   * for all of them. Call after commits and in idle time. `failed` gets StoreBroken: end the process, as no later sync can
   * be trusted.
   */
  syncBehind(failed: (error: StoreBroken) => void): void;
  /** Syncs such commits now, and notes them. */
  sync(): void;
  /** Updates the note to the newest synced commit: in idle time, and before the database is closed. */
  catchUp(): void;
  /** Call once the database has stored this token. */
  began(token: number): void;
  /** Call once the database is closed. */
  close(): void;
}

/**
 * Keeps the token of an earlier note. The note is not synced: after a power cut it may be old, but it never claims more
 * than was on disk. `frames`: the log's number of frames; null when the log cannot be read.
 */
export function openLogNote(path: string, frames: () => number | null): LogNote {
  const before = readNote(path);
  let noted: Noted = { ...unknown, token: before?.token ?? 0 };
  const file = openSync(notePath(path), existsSync(notePath(path)) ? 'r+' : 'w+', 0o600);
  const bytes = Buffer.alloc(noteBytes);
  let log: number | null = null;
  let isBehind = false;
  let hasUnsynced = false;
  let isSyncing = false;
  let isClosed = false;
  let notedAt = Number.NEGATIVE_INFINITY;

  function put(next: Noted): void {
    noted = next;
    bytes.writeUInt32LE(noteMagic, 0);
    [next.token, ...next.salts, next.frames].forEach((value, index) => {
      bytes.writeUInt32LE(value, 8 + 4 * index);
    });
    bytes.writeUInt32LE(crc32(bytes.subarray(8)), 4);
    try {
      writeSync(file, bytes, 0, noteBytes, 0);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // A full disk may lack space for the first note: then there is none, and the commit still counts.
      if (code !== 'ENOSPC' && code !== 'EDQUOT') throw error;
    }
  }

  /** Fails when the file system has shut down. */
  const touch = (): number => writeSync(file, bytes, 0, 0, 0);

  /** The log as the next sync finds it. */
  function present() {
    log ??= openSync(logPath(path), 'r');
    return { file: log, count: frames(), salts: logHead(log)?.salts ?? null };
  }

  /** Also syncs commits that were not synced: otherwise it is unknown which frames are on disk. */
  function note(): void {
    isBehind = false;
    hasUnsynced = false;
    const { file: synced, count, salts } = present();
    if (count === noted.frames && salts?.every((salt, index) => salt === noted.salts[index])) {
      // A transaction that found nothing to do, as the looks of an idle gateway.
      touch();
      return;
    }
    fdatasyncSync(synced);
    isOnDisk(salts, count);
  }

  function isOnDisk(salts: Noted['salts'] | null, count: number | null): void {
    if (count === null || salts === null) return;
    notedAt = performance.now();
    put({ ...noted, salts, frames: count });
  }

  const isDue = (): boolean => performance.now() - notedAt >= noteEveryMs;

  function orBroken(work: () => void): void {
    try {
      work();
    } catch (error) {
      throw asBroken(error);
    }
  }

  function asBroken(error: unknown): StoreBroken {
    return new StoreBroken(`the file system failed during a commit: ${(error as Error).message}`);
  }

  // Another program copied the noted log into the database and removed it. The salts of the next log are random, so that
  // it could look older than the noted one.
  if (before !== null && before.frames > 0 && sizeOf(logPath(path)) === 0) {
    put(noted);
    fdatasyncSync(file);
  }

  return {
    synced() {
      isBehind = true;
      hasUnsynced = false;
      orBroken(() => {
        if (isDue()) note();
        else touch();
      });
    },
    unsynced() {
      hasUnsynced = true;
    },
    syncBehind(failed) {
      if (!hasUnsynced || isSyncing || !isDue()) return;
      const before = notedAt;
      const { file: synced, count, salts } = present();
      hasUnsynced = false;
      isSyncing = true;
      fdatasync(synced, (error) => {
        isSyncing = false;
        if (isClosed) {
          closeSync(synced);
          return;
        }
        try {
          if (error !== null) throw error;
          // A later note knows more.
          if (notedAt === before) isOnDisk(salts, count);
          touch();
        } catch (fault) {
          failed(asBroken(fault));
        }
      });
    },
    sync: () => orBroken(note),
    catchUp() {
      if (isBehind) orBroken(note);
    },
    began: (token) => put({ ...noted, token }),
    close() {
      isClosed = true;
      if (log !== null && !isSyncing) closeSync(log);
      // SQLite removes the log once all of it is in the database.
      if (!existsSync(logPath(path))) put({ ...unknown, token: noted.token });
      closeSync(file);
    },
  };
}

/** Null when there is no note, or only part of one. */
function readNote(path: string): Noted | null {
  if (!existsSync(notePath(path))) return null;
  const bytes = readFileSync(notePath(path));
  if (bytes.length < noteBytes || bytes.readUInt32LE(0) !== noteMagic) return null;
  if (bytes.readUInt32LE(4) !== crc32(bytes.subarray(8, noteBytes))) return null;
  const at = (index: number): number => bytes.readUInt32LE(8 + 4 * index);
  return { token: at(0), salts: [at(1), at(2)], frames: at(3) };
}

export interface DatabaseFault {
  /**
   * `gone`: missing or empty. `log`: SQLite can read only the first frames of its log; `foreign log`: it can read none.
   * `older`: commits that were on disk are missing.
   */
  kind: 'gone' | 'log' | 'foreign log' | 'older';
  /** A sentence. */
  text: string;
}

/** The refusal of a start: that sentence and the next step. */
export function refusalOf({ kind, text }: DatabaseFault): string {
  return kind === 'gone'
    ? `${text} Nothing was started. To begin with an empty store, choose another data folder (HELIO_DATA).`
    : `${text} Acknowledged messages and records may be missing, so ${wayOut}`;
}

/**
 * Compares the files with the state that a node left; null when they agree. Changes nothing. Must not run beside a
 * node, whose writes would look like damage.
 */
export function databaseFault(path: string): DatabaseFault | null {
  const note = readNote(path);
  if (note === null) return null;
  if (note.token > 0 && sizeOf(path) === 0) {
    return { kind: 'gone', text: `The database ${path} is not there or empty, although a gateway has used it.` };
  }
  if (note.frames === 0 || sizeOf(logPath(path)) === 0) return null;
  const file = openSync(logPath(path), 'r');
  try {
    return logFault(path, file, note);
  } finally {
    closeSync(file);
  }
}

/** Null unless the database's token is older than the noted one. */
export function olderThanNoted(path: string, token: number): DatabaseFault | null {
  if (token >= (readNote(path)?.token ?? 0)) return null;
  const why = `its log ${logPath(path)} is missing, or an older copy took its place`;
  return { kind: 'older', text: `The database ${path} is older than what was on disk: ${why}.` };
}

function logFault(path: string, file: number, note: Noted): DatabaseFault | null {
  const fault = (kind: DatabaseFault['kind'], what: string): DatabaseFault => ({
    kind,
    text: `The log ${logPath(path)} of the database ${what}.`,
  });
  const head = logHead(file);
  if (head === null) return fault('foreign log', 'is damaged: its first bytes are those of no log');
  const newer = (head.salts[0] - note.salts[0]) | 0;
  if (newer < 0) return fault('foreign log', 'is an older one than the one in use');
  if (newer > 0 || head.salts[1] !== note.salts[1]) return null;
  const whole = wholeFrames(file, head, note.frames);
  if (whole === note.frames) return null;
  return fault('log', `is damaged: frame ${whole + 1} of ${note.frames} that were on disk is not whole`);
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

const headBytes = 32;
const frameHeadBytes = 24;
/** The last bit is set when the checksums use big-endian words. */
const logMagic = 0x377f_0682;

interface LogHead {
  pageBytes: number;
  isBig: boolean;
  salts: readonly [number, number];
  sums: Sums;
}

type Sums = readonly [number, number];

/** Null when the bytes are no log head. */
function logHead(file: number): LogHead | null {
  const bytes = Buffer.alloc(headBytes);
  if (readSync(file, bytes, 0, headBytes, 0) !== headBytes) return null;
  if (bytes.readUInt32BE(0) >>> 1 !== logMagic >>> 1) return null;
  const isBig = (bytes.readUInt8(3) & 1) === 1;
  const sums = summed([0, 0], bytes.subarray(0, headBytes - 8), isBig);
  if (sums[0] !== bytes.readUInt32BE(24) || sums[1] !== bytes.readUInt32BE(28)) return null;
  return { pageBytes: bytes.readUInt32BE(8), isBig, salts: [bytes.readUInt32BE(16), bytes.readUInt32BE(20)], sums };
}

/**
 * The number of complete frames from the first one on, at most `max`. Each checksum continues from the previous one.
 */
function wholeFrames(file: number, { pageBytes, isBig, salts, sums }: LogHead, max: number): number {
  const frame = Buffer.alloc(frameHeadBytes + pageBytes);
  let before = sums;
  for (let count = 0; count < max; count += 1) {
    const at = headBytes + count * frame.length;
    if (readSync(file, frame, 0, frame.length, at) !== frame.length) return count;
    if (frame.readUInt32BE(8) !== salts[0] || frame.readUInt32BE(12) !== salts[1]) return count;
    before = summed(summed(before, frame.subarray(0, 8), isBig), frame.subarray(frameHeadBytes), isBig);
    if (frame.readUInt32BE(16) !== before[0] || frame.readUInt32BE(20) !== before[1]) return count;
  }
  return max;
}

function summed(before: Sums, bytes: Buffer, isBig: boolean): Sums {
  let [first, second] = before;
  for (let at = 0; at < bytes.length; at += 8) {
    first = (first + (isBig ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at)) + second) >>> 0;
    second = (second + (isBig ? bytes.readUInt32BE(at + 4) : bytes.readUInt32LE(at + 4)) + first) >>> 0;
  }
  return [first, second];
}
