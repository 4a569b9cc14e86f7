/** Walks the segments of a JPEG, PNG or GIF by their lengths. An invalid length ends the walk. */

/** One segment, chunk or block: bytes `start` to `end` of the file. */
export interface Part {
  /** JPEG: the marker's second byte. PNG: the chunk's type. GIF: see `GifPart`. */
  readonly name: number | string;
  readonly start: number;
  readonly end: number;
}

/** Yields the parts; returns the position of the regular end, or null when there is none. */
export type Parts<P extends Part = Part> = Generator<P, number | null, void>;

export interface JpegPart extends Part {
  readonly name: number;
}

export const jpegMarker = { soi: 0xd8, eoi: 0xd9, sos: 0xda, com: 0xfe, app0: 0xe0, app15: 0xef } as const;

/** ITU-T T.81 B.1.1. A start of scan (SOS) reaches to the end of its entropy-coded data. */
export function* jpegParts(bytes: Buffer): Parts<JpegPart> {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return null;
  yield { name: jpegMarker.soi, start: 0, end: 2 };
  let start = 2;
  while (start + 4 <= bytes.length || bytes[start + 1] === jpegMarker.eoi) {
    if (bytes[start] !== 0xff) return null;
    const marker = bytes[start + 1]!;
    if (marker === jpegMarker.eoi) {
      yield { name: marker, start, end: start + 2 };
      return start + 2;
    }
    // B.1.1.2: any marker may be preceded by fill bytes.
    if (marker === 0xff) {
      start += 1;
      continue;
    }
    if (marker === 0 || isStandalone(marker)) return null;
    const length = bytes.readUInt16BE(start + 2);
    let end: number | null = start + 2 + length;
    if (length < 2 || end > bytes.length) return null;
    if (marker === jpegMarker.sos) end = scanEnd(bytes, end);
    if (end === null) return null;
    yield { name: marker, start, end };
    start = end;
  }
  return null;
}

/** B.1.1.3: TEM, RSTn and SOI have no length. */
function isStandalone(marker: number): boolean {
  return marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
}

/** The position after `start` of the first marker other than RSTn; null when the file ends first. */
function scanEnd(bytes: Buffer, start: number): number | null {
  for (let at = bytes.indexOf(0xff, start); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1];
    if (next === undefined) return null;
    const data = next === 0 || next === 0xff || (next >= 0xd0 && next <= 0xd7);
    if (!data) return at;
  }
  return null;
}

export interface PngPart extends Part {
  readonly name: string;
}

const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex');

/** W3C PNG (third edition) §5.2, §5.3. The signature belongs to the first chunk. Checksums are not verified. */
export function* pngParts(bytes: Buffer): Parts<PngPart> {
  if (!bytes.subarray(0, 8).equals(pngSignature)) return null;
  let start = 0;
  for (let chunk = 8; chunk + 12 <= bytes.length; chunk = start) {
    const end = chunk + 12 + bytes.readUInt32BE(chunk);
    if (end > bytes.length) return null;
    const name = bytes.toString('latin1', chunk + 4, chunk + 8);
    yield { name, start, end };
    if (name === 'IEND') return end;
    start = end;
  }
  return null;
}

export interface GifPart extends Part {
  readonly name: 'head' | 'image' | 'control' | 'application' | 'other' | 'trailer';
}

/**
 * GIF89a §15, §18 to §27. `head` is header, screen descriptor and global colours; `other` is comments and plain texts.
 */
export function* gifParts(bytes: Buffer): Parts<GifPart> {
  if (bytes.length < 14 || !/^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))) return null;
  let start = 13 + coloursLength(bytes[10]!);
  yield { name: 'head', start: 0, end: Math.min(start, bytes.length) };
  while (start < bytes.length) {
    const introducer = bytes[start];
    if (introducer === 0x3b) {
      yield { name: 'trailer', start, end: start + 1 };
      return start + 1;
    }
    let end: number | null = null;
    let name: GifPart['name'] = 'image';
    if (introducer === 0x2c && start + 10 < bytes.length) {
      end = subBlocksEnd(bytes, start + 10 + coloursLength(bytes[start + 9]!) + 1);
    } else if (introducer === 0x21 && start + 2 < bytes.length) {
      end = subBlocksEnd(bytes, start + 2);
      const label = bytes[start + 1];
      name = label === 0xf9 ? 'control' : label === 0xff ? 'application' : 'other';
    }
    if (end === null) return null;
    yield { name, start, end };
    start = end;
  }
  return null;
}

/** §18, §20: bit 7 marks a colour table, bits 0 to 2 give its size. */
function coloursLength(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

/** §15: length-prefixed sub-blocks, ended by an empty one. */
function subBlocksEnd(bytes: Buffer, start: number): number | null {
  let at = start;
  while (at < bytes.length) {
    const length = bytes[at]!;
    at += 1 + length;
    if (length === 0) return at;
  }
  return null;
}
