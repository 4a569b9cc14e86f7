/**
 * Fits an image into a byte budget: unchanged if small enough, otherwise re-encoded smaller and smaller, without
 * metadata. Runs in the fit process only.
 */
import sharp, { type Sharp, type SharpOptions } from 'sharp';
import type { Altered, ImageType } from '../model/medium.ts';
import { fitAnimation } from './fit-animation.ts';
import { imageMeasures, imagePixelsMax } from './kind.ts';
import { stripped, withShownDelays } from './strip.ts';

export interface FitRequest {
  readonly type: ImageType;
  readonly budgetBytes: number;
}

export type FittedImage =
  | { readonly kind: 'fitted'; readonly type: ImageType; readonly bytes: Buffer; readonly altered?: Altered }
  /** It cannot be decoded completely. */
  | { readonly kind: 'damaged' }
  /** Even the smallest step does not fit. */
  | { readonly kind: 'too-large' };

/** Longest edges to try, in pixels. */
const edges = [2_048, 1_600, 1_280, 1_024, 800, 640, 480, 320] as const;
/** Above this edge, reduce the size before the quality. */
const coarseEdge = 1_280;
const fineQualities = [85, 75] as const;
const jpegQualities = [...fineQualities, 65, 50] as const;
/** PNG is tried at few sizes only: where it does not fit, JPEG does. */
const pngEdges = [2_048, 1_280, 640] as const;
const white = '#ffffff';

/** Enables only the decoders for types that `kindOf` allows. */
export function openOnlyKnownImages(): void {
  sharp.cache(false);
  sharp.concurrency(1);
  sharp.block({ operation: ['VipsForeignLoad'] });
  const loaders = ['Jpeg', 'Png', 'Nsgif', 'Webp'].map((format) => `VipsForeignLoad${format}Buffer`);
  sharp.unblock({ operation: loaders });
}

export async function fitImage(bytes: Buffer, { type, budgetBytes }: FitRequest): Promise<FittedImage> {
  try {
    const moves = imageMeasures(type, bytes).frames !== undefined;
    const kept = await asItIs(bytes, type, budgetBytes);
    // Stripping removed all frames of a PNG but its first.
    if (kept !== null) return moves && type === 'image/png' ? asStill(kept) : kept;
    if (!moves) return await madeSmaller(bytes, type, budgetBytes);
    return (await stillMoving(bytes, type, budgetBytes)) ?? asStill(await madeSmaller(bytes, type, budgetBytes));
  } catch {
    // The library throws for everything that it cannot read; a bug of ours would look the same, and the tests would
    // find it.
    return { kind: 'damaged' };
  }
}

function asStill(made: FittedImage): FittedImage {
  return made.kind === 'fitted' ? { ...made, altered: 'still' } : made;
}

/** The animation as a GIF; null when it does not fit as one or its later frames cannot be decoded. */
async function stillMoving(bytes: Buffer, type: ImageType, budgetBytes: number): Promise<FittedImage | null> {
  if (type === 'image/png') return null;
  try {
    const made = await fitAnimation(bytes, budgetBytes);
    if (made === null) return null;
    return {
      kind: 'fitted',
      type: 'image/gif',
      bytes: made.bytes,
      ...(made.fewerFrames && { altered: 'fewer-frames' }),
    };
  } catch {
    return null;
  }
}

/**
 * The same picture, byte for byte if it holds no metadata; null when it is too large or other viewers show it
 * differently.
 */
async function asItIs(bytes: Buffer, type: ImageType, budgetBytes: number): Promise<FittedImage | null> {
  const whole = stripped(type, bytes);
  if (whole === null || whole.length > budgetBytes) return null;
  const kept = type === 'image/gif' ? withShownDelays(whole) : whole;
  const { orientation = 1, space } = await open(bytes).metadata();
  if (orientation !== 1 || space === 'cmyk') return null;
  // An image that cannot be decoded completely must not be passed on.
  await pixels(open(kept), 16);
  return { kind: 'fitted', type, bytes: kept };
}

async function madeSmaller(bytes: Buffer, type: ImageType, budgetBytes: number): Promise<FittedImage> {
  const { orientation = 1, hasAlpha } = await open(bytes).metadata();
  const decoded = await pixels(open(bytes), edges[0]);
  const image = upright(decoded, orientation);
  const png = type === 'image/png' && hasAlpha;
  const made = (png ? await asPng(image, budgetBytes) : null) ?? (await asJpeg(image, budgetBytes));
  return made ?? { kind: 'too-large' };
}

async function asPng(image: Sharp, budgetBytes: number): Promise<FittedImage | null> {
  for (const edge of pngEdges) {
    const bytes = await within(image.clone(), edge).png({ compressionLevel: 9 }).toBuffer();
    if (bytes.length <= budgetBytes) return { kind: 'fitted', type: 'image/png', bytes };
  }
  return null;
}

async function asJpeg(image: Sharp, budgetBytes: number): Promise<FittedImage | null> {
  for (const edge of edges) {
    const scaled = await raw(within(image.clone().flatten({ background: white }), edge));
    for (const quality of edge > coarseEdge ? fineQualities : jpegQualities) {
      const bytes = await scaled.clone().jpeg({ quality }).toBuffer();
      if (bytes.length <= budgetBytes) return { kind: 'fitted', type: 'image/jpeg', bytes };
    }
  }
  return null;
}

/** Only the first frame. Metadata is never copied: sharp copies it only on request. */
function open(bytes: Buffer): Sharp {
  const options: SharpOptions = { limitInputPixels: imagePixelsMax, sequentialRead: true, failOn: 'error' };
  return sharp(bytes, options);
}

/** Decodes once; all further steps start from these pixels. */
function pixels(image: Sharp, edge: number): Promise<Sharp> {
  return raw(within(image, edge));
}

async function raw(image: Sharp): Promise<Sharp> {
  const { data, info } = await image.toColourspace('srgb').raw().toBuffer({ resolveWithObject: true });
  return sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } });
}

function within(image: Sharp, edge: number): Sharp {
  return image.resize({ width: edge, height: edge, fit: 'inside', withoutEnlargement: true });
}

/**
 * Rotated after scaling: rotating the whole image would hold all of it in memory. EXIF 2.32 §4.6.4, tag Orientation.
 */
function upright(image: Sharp, orientation: number): Sharp {
  const [mirrored, degrees] = orientations[orientation] ?? [false, 0];
  return image.flop(mirrored).rotate(degrees);
}

/** First mirrored left to right, then rotated clockwise. */
const orientations: Readonly<Record<number, readonly [boolean, number]>> = {
  2: [true, 0],
  3: [false, 180],
  4: [true, 180],
  5: [true, 270],
  6: [false, 90],
  7: [true, 90],
  8: [false, 270],
};
