/**
 * Repairs a frame with a single wrong bit: each bit has a distinct CRC-32 remainder, which identifies it. Several wrong
 * bits are not repaired.
 */
import { crc32 } from 'node:zlib';
import { type Frame, growBytes, headAt, headBytes, writeHead } from './journal.ts';

/** The place and position at which the frame is expected. */
export interface Expected {
  at: number;
  generation: number;
  place: number;
}

/** Null when more than one bit is wrong, or when no such frame was written here. */
export function mended(bytes: Buffer, { at, generation, place }: Expected): Frame | null {
  if (at + headBytes > bytes.length) return null;
  const head = headAt(bytes, at);
  const stored = bytes.readUInt32LE(at + 4);
  const written = bytes.readUInt32LE(at + 16);
  const isNamed = head !== null && head.generation === generation && head.place === place;
  const lengths = isNamed ? [written, ...lengthBits.map((bit) => (written ^ bit) >>> 0)] : [written];
  for (const length of lengths) {
    const end = at + headBytes + length;
    if (length === 0 || length > growBytes || end > bytes.length) continue;
    const frame = Buffer.from(bytes.subarray(at, end));
    writeHead(frame, { generation, place, length });
    const remainder = (frame.readUInt32LE(4) ^ stored) >>> 0;
    // If the head is right, the wrong bit is in the text or in the checksum.
    const isWhole = remainder === 0 || (isNamed && length === written && flipWrong(frame, remainder));
    const text = frame.toString('utf8', headBytes);
    if (isWhole && isJson(text)) return { begin: at, end, place, text };
  }
  return null;
}

const lengthBits = Array.from({ length: 32 }, (_, bit) => 1 << bit);

/** The remainder that a byte alone leaves in the checksum. */
const remainders = Array.from({ length: 256 }, (_, byte) => remainderOf(byte));

function remainderOf(byte: number): number {
  return (crc32(Uint8Array.of(byte)) ^ crc32(Uint8Array.of(0))) >>> 0;
}

/**
 * Corrects the bit of the text that leaves this remainder; false when there is none and the checksum is not the cause.
 */
function flipWrong(frame: Buffer, remainder: number): boolean {
  if ((remainder & (remainder - 1)) === 0) return true;
  const left = Array.from({ length: 8 }, (_, bit) => remainders[1 << bit]!);
  for (let at = frame.length - 1; at >= headBytes; at -= 1) {
    for (let bit = 0; bit < 8; bit += 1) {
      const here = left[bit]!;
      if (here === remainder) {
        frame[at]! ^= 1 << bit;
        return true;
      }
      // The remainder as seen one byte earlier.
      left[bit] = ((here >>> 8) ^ remainders[here & 0xff]!) >>> 0;
    }
  }
  return false;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
