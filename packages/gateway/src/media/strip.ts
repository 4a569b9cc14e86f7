/**
 * Removes metadata from a JPEG, PNG or GIF without touching a pixel: place and time, author, comments, previews, and
 * anything after the end. It decodes nothing and keeps only parts that are known to be harmless.
 */
import type { ImageType } from '../model/medium.ts';
import { gifParts, type JpegPart, jpegMarker, jpegParts, type Part, type Parts, pngParts } from './image-parts.ts';

/**
 * The file without metadata, or `bytes` itself when there is none; null when its structure is broken or unknown here.
 */
export function stripped(type: ImageType, bytes: Buffer): Buffer | null {
  switch (type) {
    case 'image/jpeg':
      return only(bytes, jpegParts(bytes), (part) => keepsJpeg(bytes, part));
    case 'image/png':
      return only(bytes, pngParts(bytes), ({ name }) => pngKept.has(name));
    case 'image/gif':
      return only(bytes, gifParts(bytes), ({ name, start, end }) =>
        name === 'application' ? isLoopCount(bytes.subarray(start, end)) : name !== 'other',
      );
    case 'image/webp':
      return null;
  }
}

function only<P extends Part>(bytes: Buffer, parts: Parts<P>, keeps: (part: P) => boolean): Buffer | null {
  const out = Buffer.alloc(bytes.length);
  let length = 0;
  let step = parts.next();
  for (; !step.done; step = parts.next()) {
    const { start, end } = step.value;
    if (keeps(step.value)) length += bytes.copy(out, length, start, end);
  }
  if (step.value === null) return null;
  return length === bytes.length ? bytes : out.subarray(0, length);
}

/**
 * JFIF, the colour profile and Adobe's colour transform affect how the picture looks; other APPn segments and COM do
 * not.
 */
function keepsJpeg(bytes: Buffer, { name, start }: JpegPart): boolean {
  const id = (text: string) => bytes.toString('latin1', start + 4, start + 4 + text.length) === text;
  if (name === jpegMarker.app0) return id('JFIF\0');
  if (name === 0xe2) return id('ICC_PROFILE\0');
  if (name === 0xee) return id('Adobe');
  return name !== jpegMarker.com && !(name > jpegMarker.app0 && name <= jpegMarker.app15);
}

/** W3C PNG §11: the chunks needed to show the picture unchanged. Drops animation chunks. */
const pngKept = new Set([
  ...['IHDR', 'PLTE', 'IDAT', 'IEND'],
  ...['tRNS', 'cHRM', 'gAMA', 'iCCP', 'sBIT', 'sRGB', 'bKGD', 'pHYs'],
]);

/** The Netscape extension: how often an animation repeats. One sub-block of three octets. */
function isLoopCount(block: Buffer): boolean {
  return block.length === 19 && /^(NETSCAPE2\.0|ANIMEXTS1\.0)$/.test(block.toString('latin1', 3, 14));
}

/**
 * Hundredths of a second. Browsers show shorter frames for `usualDelay`; some handsets show them as fast as they can.
 */
const shortestDelay = 2;
const usualDelay = 10;

/** A GIF whose frame times are those that browsers use; `bytes` itself when nothing needs changing. GIF89a §23. */
export function withShownDelays(bytes: Buffer): Buffer {
  const starts = [...gifParts(bytes)].filter(({ name }) => name === 'control').map(({ start }) => start + 4);
  const short = starts.filter((at) => at + 2 <= bytes.length && bytes.readUInt16LE(at) < shortestDelay);
  const isAnimation = starts.length > 1;
  if (!isAnimation || short.length === 0) return bytes;
  const out = Buffer.from(bytes);
  for (const at of short) out.writeUInt16LE(usualDelay, at);
  return out;
}
