/** Reads size and decoding cost from an image's header, without decoding, to detect decompression bombs. */
import { gifParts, jpegParts, pngParts } from './image-parts.ts';

export interface ImageHeader {
  readonly width: number;
  readonly height: number;
  /** Number of pictures in sequence; 1 for a still image. */
  readonly frames: number;
  /** Bytes that a decoder must hold at once beyond a few lines; an upper estimate. */
  readonly decodedBytes: number;
}

/** Null: not such an image, or a kind that no handset shows. */
export type ReadHeader = (bytes: Buffer) => ImageHeader | null;

/** ITU-T T.81 B.2.2: baseline, extended and progressive with Huffman coding, 8 bits. */
export function readJpegHeader(bytes: Buffer): ImageHeader | null {
  for (const { name, start, end } of jpegParts(bytes)) {
    const isFrame = name >= 0xc0 && name <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(name);
    if (name === 0xda || (isFrame && name > 0xc2)) return null;
    if (!isFrame) continue;
    if (end - start < 10 || bytes[start + 4] !== 8) return null;
    const height = bytes.readUInt16BE(start + 5);
    const width = bytes.readUInt16BE(start + 7);
    const perPixel = coefficientsPerPixel(bytes.subarray(start + 10, end), bytes[start + 9]!);
    if (perPixel === null) return null;
    // A progressive image is complete only after its last scan: until then each coefficient takes 2 bytes.
    const decodedBytes = name === 0xc2 ? width * height * perPixel * 2 : 0;
    return sized({ width, height, frames: 1, decodedBytes });
  }
  return null;
}

/** B.2.2: three octets for each component; the second holds its horizontal and vertical sampling factors, 1 to 4. */
function coefficientsPerPixel(components: Buffer, count: number): number | null {
  if (![1, 3, 4].includes(count) || components.length !== 3 * count) return null;
  const factors = Array.from({ length: count }, (_, i) => components[3 * i + 1]!);
  const [across, down] = [factors.map((f) => f >> 4), factors.map((f) => f & 15)];
  if ([...across, ...down].some((factor) => factor < 1 || factor > 4)) return null;
  const samples = across.reduce((sum, factor, i) => sum + factor * down[i]!, 0);
  return samples / (Math.max(...across) * Math.max(...down));
}

/** W3C PNG §11.2.1, §11.3.2.1 for acTL. Of an animated PNG only the first picture is ever decoded. */
export function readPngHeader(bytes: Buffer): ImageHeader | null {
  const first = pngParts(bytes).next().value;
  if (first === null || typeof first === 'number' || first.name !== 'IHDR' || first.end !== 33) return null;
  const width = bytes.readUInt32BE(16);
  const height = bytes.readUInt32BE(20);
  const [bitDepth, colourType, , , interlaced] = bytes.subarray(24, 29);
  const channels = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }[colourType!];
  if (channels === undefined) return null;
  // Palettes and low bit depths are expanded to whole bytes.
  const pixelBytes = colourType === 3 ? 4 : (channels * Math.max(8, bitDepth!)) / 8;
  const frames = pngFrames(bytes);
  return sized({ width, height, frames, decodedBytes: interlaced === 0 ? 0 : width * height * pixelBytes });
}

/** acTL comes before the image data and begins with the number of frames. */
function pngFrames(bytes: Buffer): number {
  for (const { name, start, end } of pngParts(bytes)) {
    if (name === 'IDAT') break;
    if (name === 'acTL' && end - start >= 16) return Math.max(1, bytes.readUInt32BE(start + 8));
  }
  return 1;
}

/** GIF89a §18, §20. A frame larger than the screen counts as the screen. */
export function readGifHeader(bytes: Buffer): ImageHeader | null {
  let width = 0;
  let height = 0;
  let frames = 0;
  for (const { name, start } of gifParts(bytes)) {
    if (name !== 'head' && name !== 'image') continue;
    const size = name === 'head' ? 6 : start + 5;
    width = Math.max(width, bytes.readUInt16LE(size));
    height = Math.max(height, bytes.readUInt16LE(size + 2));
    if (name === 'image') frames += 1;
  }
  return frames === 0 ? null : sized({ width, height, frames, decodedBytes: width * height * 4 });
}

/** RFC 9649 §2.5 to §2.7; RFC 6386 §9.1 for VP8. */
export function readWebpHeader(bytes: Buffer): ImageHeader | null {
  if (bytes.length < 30 || ascii(bytes, 0) !== 'RIFF' || ascii(bytes, 8) !== 'WEBP') return null;
  switch (ascii(bytes, 12)) {
    case 'VP8 ':
      if (bytes.readUIntBE(23, 3) !== 0x9d012a) return null;
      return still(bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff);
    case 'VP8L': {
      if (bytes[20] !== 0x2f) return null;
      const packed = bytes.readUInt32LE(21);
      return still((packed & 0x3fff) + 1, ((packed >>> 14) & 0x3fff) + 1);
    }
    case 'VP8X': {
      const width = bytes.readUIntLE(24, 3) + 1;
      const height = bytes.readUIntLE(27, 3) + 1;
      const animated = (bytes[20]! & 0x02) !== 0;
      const frames = animated ? webpFrames(bytes) : 1;
      return sized({ width, height, frames, decodedBytes: width * height * 4 });
    }
    default:
      return null;
  }
}

/** RFC 9649 §2.3, §2.7.1.1: chunks of even length, one ANMF for each frame. */
function webpFrames(bytes: Buffer): number {
  let frames = 0;
  for (let at = 12; at + 8 <= bytes.length; ) {
    if (ascii(bytes, at) === 'ANMF') frames += 1;
    const length = bytes.readUInt32LE(at + 4);
    at += 8 + length + (length % 2);
  }
  return Math.max(1, frames);
}

function still(width: number, height: number): ImageHeader | null {
  return sized({ width, height, frames: 1, decodedBytes: width * height * 4 });
}

function sized(header: ImageHeader): ImageHeader | null {
  return header.width > 0 && header.height > 0 ? header : null;
}

function ascii(bytes: Buffer, at: number): string {
  return bytes.toString('latin1', at, at + 4);
}
