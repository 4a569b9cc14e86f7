/**
 * The journal file: frames of JSON, each on disk when `append` returns. Once its contents are in the database, the file
 * starts over with the next generation, and frames of other generations are ignored.
 *
 * Its first bytes always identify the journal: the head of the first frame of the current or the previous generation,
 * or an empty frame of the previous one, synced before `freeBytes` exceeds 0. That tells a missing, emptied, restored
 * or overwritten file from one whose first frame was never written.
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
import { StoreBroken } from '../faults.ts';
import { StoreDamaged } from '../store-damaged.ts';

/** Magic, checksum of the rest, generation, place in the generation, bytes of the text: each 4 bytes, little-endian. */
export const headBytes = 20;
const magic = 0x314a_4c48;
const magicBytes = Buffer.from('HLJ1', 'latin1');
/** The file is allocated this far ahead of its content, so that a sync need not update the file size. */
export const growBytes = 1 << 20;
/**
 * It grows by so much at a time: Linux may keep what was written at once as one unit of its page cache, and then goes through all of it
 * at each sync of a frame within it.
 */
const pageBytes = 4_096;

/** The fields of a frame's head, not yet verified. */
export interface Head {
  generation: number;
  place: number;
  /** Bytes of the text. */
  length: number;
}

/** A whole frame; `end` is where the next one begins. */
export interface Frame {
  begin: number;
  end: number;
  place: number;
  text: string;
}

export function writeHead(frame: Buffer, { generation, place, length }: Head): void {
  frame.writeUInt32LE(magic, 0);
  frame.writeUInt32LE(generation, 8);
  frame.writeUInt32LE(place, 12);
  frame.writeUInt32LE(length, 16);
  frame.writeUInt32LE(crc32(frame.subarray(8, headBytes + length)), 4);
}

/** Null when no head can begin here. */
export function headAt(bytes: Buffer, at: number): Head | null {
  if (at + headBytes > bytes.length || bytes.readUInt32LE(at) !== magic) return null;
  return {
    generation: bytes.readUInt32LE(at + 8),
    place: bytes.readUInt32LE(at + 12),
    length: bytes.readUInt32LE(at + 16),
  };
}

/** The complete frame of this generation at this byte, or null. */
export function frameAt(bytes: Buffer, at: number, generation: number): Frame | null {
  const head = headAt(bytes, at);
  if (head === null || head.generation !== generation) return null;
  const end = at + headBytes + head.length;
  if (end > bytes.length || crc32(bytes.subarray(at + 8, end)) !== bytes.readUInt32LE(at + 4)) return null;
  return { begin: at, end, place: head.place, text: bytes.toString('utf8', at + headBytes, end) };
}

/** The frames of a generation, in order, up to the first incomplete one. */
export function* framesFrom(bytes: Buffer, generation: number): Generator<Frame> {
  for (let at = 0, place = 0; ; place += 1) {
    const frame = frameAt(bytes, at, generation);
    if (frame === null || frame.place !== place) return;
    yield frame;
    at = frame.end;
  }
}

/** The next complete frame of this generation with at least this place, anywhere from this byte on. */
export function nextFrame(
  bytes: Buffer,
  generation: number,
  { from, place }: { from: number; place: number },
): Frame | null {
  for (let at = bytes.indexOf(magicBytes, from); at !== -1; at = bytes.indexOf(magicBytes, at + 1)) {
    const frame = frameAt(bytes, at, generation);
    if (frame !== null && frame.place >= place) return frame;
  }
  return null;
}

/** The texts of a generation, in order, up to the first incomplete frame. */
export function* readJournal(path: string, generation: number): Generator<string> {
  if (!existsSync(path)) return;
  for (const { text } of framesFrom(readFileSync(path), generation)) yield text;
}

export interface Journal {
  /** Bytes used by this generation. */
  bytes(): number;
  /** Number of frames in this generation. */
  frames(): number;
  /** The largest size of the next frame. 0 while the disk is full. */
  freeBytes(): number;
  /** Throws StoreBroken when the frame may not be on disk. */
  append(text: string): void;
  /** From now on only frames of this generation are valid. */
  restart(generation: number): void;
  /** Overwrites what earlier generations left behind the frames of this one. */
  wipe(): void;
  /** Deletes the file; only when the database has all of its content. */
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
  /** Where the bytes of any generation end. */
  let used = allocated;

  /** False when the disk has too little space: then the journal accepts no further frames. */
  function grow(): boolean {
    if (allocated - end >= growBytes) return true;
    if (!isSpacious(path, end + growBytes)) return false;
    try {
      while (allocated - end < growBytes) allocated += writeSync(file, zeros, 0, pageBytes, allocated);
      return true;
    } catch (error) {
      if (isFull(error)) return false;
      throw new StoreBroken(`the journal cannot grow: ${error}`);
    }
  }

  /** Writes the frame that identifies this journal; false when the disk has no space for it. */
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

  let hasSpace = grow();
  let isMarked = hasSpace && mark();

  function append(text: string): void {
    const length = scratch.write(text, headBytes);
    writeHead(scratch, { generation: current, place, length });
    const bytes = headBytes + length;
    try {
      if (writeSync(file, scratch, 0, bytes, end) !== bytes) throw new Error('it was written in part');
      fdatasyncSync(file);
      // A file system that is shut down during a sync may report success, so one more write must succeed.
      writeSync(file, scratch, 0, 0, 0);
    } catch (error) {
      throw new StoreBroken(`the journal could not be written: ${error}`);
    }
    end += bytes;
    place += 1;
    used = Math.max(used, end);
    hasSpace = grow();
  }

  return {
    bytes: () => end,
    frames: () => place,
    freeBytes() {
      hasSpace ||= grow();
      isMarked ||= hasSpace && mark();
      return hasSpace && isMarked ? growBytes - headBytes : 0;
    },
    append,
    restart(next) {
      current = next;
      place = 0;
      end = 0;
      hasSpace = grow();
    },
    wipe() {
      try {
        // Writes the mark together with what follows it, so that the file is never without its first bytes.
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

/** The database needs space for the journal's rows with their indexes, and again in its log. */
const databaseBytesPerByte = 8;

function isSpacious(path: string, bytes: number): boolean {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize >= bytes * databaseBytesPerByte;
}

function isFull(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOSPC' || code === 'EDQUOT';
}
