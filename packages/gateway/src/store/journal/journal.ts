/**
 * The journal file: frames of JSON, one after the other, each on disk when `append` returns. Its bytes are used again and
 * again: each time what it holds stands in the database it begins anew under the next generation, and frames of any other
 * generation are as if they were not there. It knows nothing of what the frames say.
 */
import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fstatSync,
  openSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeSync,
} from 'node:fs';
import { crc32 } from 'node:zlib';
import { StoreBroken } from '../store.ts';

export interface Journal {
  /** Bytes of this generation. */
  bytes(): number;
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

/** Magic, checksum of all that follows, generation, place in the generation, bytes of the text: each 4 bytes, little-endian. */
const headBytes = 20;
const magic = 0x314a_4c48;
/** The file grows by so much ahead of what is written, so that a sync need not write where the file ends. */
const growBytes = 1 << 20;

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

  let hasRoom = grow();

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
    room() {
      hasRoom ||= grow();
      return hasRoom ? growBytes - headBytes : 0;
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
        for (let at = end; at < used; at += growBytes) writeSync(file, zeros, 0, Math.min(growBytes, used - at), at);
        fdatasyncSync(file);
      } catch (error) {
        throw new StoreBroken(`the journal could not be wiped: ${error}`);
      }
      used = end;
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
    throw new StoreBroken(`the journal cannot be opened: ${(error as Error).message}`);
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

function writeHead(
  frame: Buffer,
  { generation, place, length }: { generation: number; place: number; length: number },
) {
  frame.writeUInt32LE(magic, 0);
  frame.writeUInt32LE(generation, 8);
  frame.writeUInt32LE(place, 12);
  frame.writeUInt32LE(length, 16);
  frame.writeUInt32LE(crc32(frame.subarray(8, headBytes + length)), 4);
}

/** The texts of a generation, in their order, up to the first frame that is not whole. */
export function* readJournal(path: string, generation: number): Generator<string> {
  if (!existsSync(path)) return;
  const bytes = readFileSync(path);
  for (let at = 0, place = 0; at + headBytes <= bytes.length; place += 1) {
    const length = bytes.readUInt32LE(at + 16);
    const end = at + headBytes + length;
    const isNext =
      bytes.readUInt32LE(at) === magic &&
      bytes.readUInt32LE(at + 8) === generation &&
      bytes.readUInt32LE(at + 12) === place &&
      end <= bytes.length;
    if (!isNext || crc32(bytes.subarray(at + 8, end)) !== bytes.readUInt32LE(at + 4)) return;
    yield bytes.toString('utf8', at + headBytes, end);
    at = end;
  }
}
