/**
 * The journal file: frames of JSON, each on disk when `append` returns. The file is reused: once its contents are in
 * the database it starts over with the next generation, and frames of other generations are ignored.
 *
 * Its first bytes always identify the journal: the head of the first frame of the current or the previous generation,
 * or an empty frame of the previous one, synced before `room` exceeds 0. That tells a missing, emptied, restored or
 * overwritten file from one whose first frame was never written.
 */
import { closeSync, existsSync, fdatasyncSync, fstatSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { StoreBroken } from '../faults.ts';
import { StoreDamaged } from '../store-damaged.ts';
import { growBytes, headBytes, writeHead } from './frames.ts';

export interface Journal {
  /** Bytes of this generation. */
  bytes(): number;
  /** Frames of this generation. */
  frames(): number;
  /** Bytes that a next frame may have. 0 while the disk gives no more. */
  room(): number;
  /** Throws StoreBroken when it may not be on disk. */
  append(text: string): void;
  /** From now on frames count for this generation only. */
  restart(generation: number): void;
  /** Overwrites what earlier generations left behind the frames of this one. */
  wipe(): void;
  /** The file goes with it: only when all it holds stands in the database. */
  remove(): void;
  close(): void;
}

export function openJournal(path: string, generation: number): Journal {
  const file = open(path);
  const zeros = Buffer.alloc(growBytes);
  const scratch = Buffer.allocUnsafe(growBytes);
  let allocated = fstatSync(file).size;
  let current = generation;
  let place = 0;
  let end = 0;
  /** Where bytes of any generation end. */
  let used = allocated;

  /** False when the disk has not room enough: then the journal takes nothing more. */
  function grow(): boolean {
    while (allocated - end < growBytes) {
      if (!isSpacious(path, end + growBytes)) return false;
      try {
        allocated += writeSync(file, zeros, 0, growBytes, allocated);
      } catch (error) {
        if (isFull(error)) return false;
        throw new StoreBroken(`the journal cannot grow: ${error}`);
      }
    }
    return true;
  }

  /** Says which journal this is; false when the disk has no room for it. */
  function mark(): boolean {
    try {
      writeHead(scratch, { generation: current - 1, place: 0, length: 0 });
      if (writeSync(file, scratch, 0, headBytes, 0) !== headBytes) return false;
      fdatasyncSync(file);
      return true;
    } catch (error) {
      if (isFull(error)) return false;
      throw new StoreBroken(`the journal could not be marked: ${error}`);
    }
  }

  let hasRoom = grow();
  let isMarked = hasRoom && mark();

  function append(text: string): void {
    const length = scratch.write(text, headBytes);
    writeHead(scratch, { generation: current, place, length });
    const bytes = headBytes + length;
    try {
      if (writeSync(file, scratch, 0, bytes, end) !== bytes) throw new Error('it was written in part');
      fdatasyncSync(file);
      // A file system that is shut down meanwhile may report a sync as done: it must take one write more.
      writeSync(file, scratch, 0, 0, 0);
    } catch (error) {
      throw new StoreBroken(`the journal could not be written: ${error}`);
    }
    end += bytes;
    place += 1;
    used = Math.max(used, end);
    hasRoom = grow();
  }

  return {
    bytes: () => end,
    frames: () => place,
    room() {
      hasRoom ||= grow();
      isMarked ||= hasRoom && mark();
      return hasRoom && isMarked ? growBytes - headBytes : 0;
    },
    append,
    restart(next) {
      current = next;
      place = 0;
      end = 0;
      hasRoom = grow();
    },
    wipe() {
      try {
        // The mark in the same write as what follows it: the file is never without its first bytes.
        const first = end > 0 ? zeros : Buffer.alloc(growBytes);
        if (end === 0) writeHead(first, { generation: current - 1, place: 0, length: 0 });
        let from = first;
        for (let at = end; at < used; at += growBytes, from = zeros) {
          writeSync(file, from, 0, Math.min(growBytes, used - at), at);
        }
        fdatasyncSync(file);
      } catch (error) {
        throw new StoreBroken(`the journal could not be wiped: ${error}`);
      }
      used = Math.max(end, headBytes);
    },
    remove() {
      closeSync(file);
      rmSync(path);
    },
    close: () => closeSync(file),
  };
}

function open(path: string): number {
  try {
    return openSync(path, existsSync(path) ? 'r+' : 'w+', 0o600);
  } catch (error) {
    throw new StoreDamaged(`The journal ${path} cannot be used: ${(error as Error).message}.`);
  }
}

/** What the journal holds the database must find room for, with its indexes, and once more in its log. */
const databaseBytesPerByte = 8;

function isSpacious(path: string, bytes: number): boolean {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize >= bytes * databaseBytesPerByte;
}

function isFull(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOSPC' || code === 'EDQUOT';
}
