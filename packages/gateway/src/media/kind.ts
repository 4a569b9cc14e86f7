/**
 * Determines a file's type by content alone, and whether it may be opened. Eight types are accepted and all others
 * refused, so it parses their headers itself instead of giving hostile bytes to a library for two hundred formats.
 */
import type { ImageType, MediumType, StoredMedium } from '../model/medium.ts';
import {
  type ImageHeader,
  type ReadHeader,
  readGifHeader,
  readJpegHeader,
  readPngHeader,
  readWebpHeader,
} from './image-header.ts';
import { passedKindOf } from './passed-kinds.ts';

/** Pixels of one image, or of one frame of an animation. */
export const imagePixelsMax = 25_000_000;
/** Limits of an animation: its frames, and its canvas times its frames, as the whole canvas is drawn for each. */
export const animationFramesMax = 1_000;
export const animationPixelsMax = 10 * imagePixelsMax;
/**
 * Longest edge, as in any JPEG: a decoder works line by line, and 25 million lines of one pixel keep it busy for a
 * minute.
 */
const imageEdgeMax = 65_535;
/**
 * Limit of `ImageHeader.decodedBytes`: the most pixels with 8 bits in each of four channels. Keeps the process below
 * 256 MB.
 */
const imageDecodedBytesMax = 4 * imagePixelsMax;

export type KindRefusal = 'MEDIA_TYPE_NOT_SUPPORTED' | 'MEDIA_TOO_LARGE';

export type Kind =
  | { readonly ok: true; readonly type: MediumType }
  | { readonly ok: false; readonly code: KindRefusal };

const images: readonly (readonly [ImageType, ReadHeader])[] = [
  ['image/jpeg', readJpegHeader],
  ['image/png', readPngHeader],
  ['image/gif', readGifHeader],
  ['image/webp', readWebpHeader],
];

/** `bytes`: the whole file. */
export function kindOf(bytes: Buffer): Kind {
  for (const [type, readHeader] of images) {
    const header = readHeader(bytes);
    if (header !== null) return mayBeDecoded(header) ? { ok: true, type } : { ok: false, code: 'MEDIA_TOO_LARGE' };
  }
  const type = passedKindOf(bytes);
  return type === null ? { ok: false, code: 'MEDIA_TYPE_NOT_SUPPORTED' } : { ok: true, type };
}

/** Width, height and frames from an image's header; an empty object for other media. */
export function imageMeasures(type: MediumType, bytes: Buffer): Pick<StoredMedium, 'width' | 'height' | 'frames'> {
  const header = images.find(([one]) => one === type)?.[1](bytes) ?? null;
  if (header === null) return {};
  const { width, height, frames } = header;
  return { width, height, ...(frames > 1 && { frames }) };
}

function mayBeDecoded({ width, height, frames, decodedBytes }: ImageHeader): boolean {
  return (
    frames <= animationFramesMax &&
    frames * width * height <= animationPixelsMax &&
    Math.max(width, height) <= imageEdgeMax &&
    width * height <= imagePixelsMax &&
    decodedBytes <= imageDecodedBytesMax
  );
}
