/** The frame format of the journal: writes frames, finds intact ones, and finds intact ones behind a damaged one. */
import { existsSync, readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';

/** Magic, checksum of all that follows, generation, place in the generation, bytes of the text: each 4 bytes, little-endian. */
export const headBytes = 20;
const magic = 0x314a_4c48;
const magicBytes = Buffer.from('HLJ1', 'latin1');
/** The file grows by so much ahead of what is written, so that a sync need not write where the file ends. */
export const growBytes = 1 << 20;

/** What the head of a frame says, be it true or not. */
export interface Head {
  generation: number;
  place: number;
  /** Of the text, bytes. */
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

/** Null where no head can be. */
export function headAt(bytes: Buffer, at: number): Head | null {
  if (at + headBytes > bytes.length || bytes.readUInt32LE(at) !== magic) return null;
  return {
    generation: bytes.readUInt32LE(at + 8),
    place: bytes.readUInt32LE(at + 12),
    length: bytes.readUInt32LE(at + 16),
  };
}

/** The frame of that generation that is whole at that byte, if one is. */
export function frameAt(bytes: Buffer, at: number, generation: number): Frame | null {
  const head = headAt(bytes, at);
  if (head === null || head.generation !== generation) return null;
  const end = at + headBytes + head.length;
  if (end > bytes.length || crc32(bytes.subarray(at + 8, end)) !== bytes.readUInt32LE(at + 4)) return null;
  return { begin: at, end, place: head.place, text: bytes.toString('utf8', at + headBytes, end) };
}

/** The frames of a generation, in their order, up to the first one that is not whole. */
export function* framesFrom(bytes: Buffer, generation: number): Generator<Frame> {
  for (let at = 0, place = 0; ; place += 1) {
    const frame = frameAt(bytes, at, generation);
    if (frame === null || frame.place !== place) return;
    yield frame;
    at = frame.end;
  }
}

/** The next whole frame of the generation, with at least that place in it, wherever it begins from that byte on. */
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

/** The texts of a generation, in their order, up to the first frame that is not whole. */
export function* readJournal(path: string, generation: number): Generator<string> {
  if (!existsSync(path)) return;
  for (const { text } of framesFrom(readFileSync(path), generation)) yield text;
}
