/**
 * Shrinks an animation step by step: fewer colours, smaller picture, fewer frames. Runs in the fit process only, and
 * bounds its work by encoded pixels.
 */
import sharp from 'sharp';
import { animationPixelsMax } from './kind.ts';

export interface FittedAnimation {
  readonly bytes: Buffer;
  readonly fewerFrames: boolean;
}

/** One way to make the animation smaller. */
interface Step {
  /** Bits of each colour channel; fewer bits give fewer colours and longer runs of the same colour. */
  readonly bits: 8 | 5 | 4 | 3;
  /** Factor for each edge. */
  readonly scale: number;
  /** 2 keeps every second frame. */
  readonly every: number;
}

/** From the best quality down. */
const steps: readonly Step[] = [
  { bits: 8, scale: 1, every: 1 },
  { bits: 5, scale: 1, every: 1 },
  { bits: 4, scale: 1, every: 1 },
  { bits: 4, scale: 0.75, every: 1 },
  { bits: 4, scale: 0.75, every: 2 },
  { bits: 4, scale: 0.5, every: 2 },
  { bits: 3, scale: 0.5, every: 2 },
  { bits: 3, scale: 0.5, every: 3 },
  { bits: 3, scale: 0.35, every: 3 },
  { bits: 3, scale: 0.25, every: 4 },
];
/** Share of bytes that usually remains with so many bits, compared with 8. */
const shareOfBits: Readonly<Record<Step['bits'], number>> = { 8: 1, 5: 0.8, 4: 0.65, 3: 0.4 };

/** Longest edge at the start; a larger GIF never fits an MMS. */
const edgeMax = 1_280;
/** Below this longest edge, people cannot see what moves. */
const edgeMin = 48;
/** Decoded pixels in memory, over all frames: 32 MB. */
const heldPixelsMax = 8_000_000;
/** Pixels encoded over all steps: a few seconds of work. */
const encodedPixelsMax = 20_000_000;
/** Pixels encoded with full colours, which takes ten times as long. */
const fullColourPixelsMax = 1_500_000;
/** A step is skipped when it would probably miss the budget by more than this factor. */
const hope = 1.4;
/** Browsers show frames of less than 20 ms for 100 ms; frames written here get 100 ms too. */
const shortestDelayMs = 20;
const usualDelayMs = 100;
const channels = 4;

interface Frames {
  readonly data: Buffer;
  readonly width: number;
  /** Height of one frame. */
  readonly height: number;
  readonly count: number;
  readonly delays: readonly number[];
  readonly loop: number;
  /** Their edges as a share of the file's. */
  readonly shrink: number;
}

/** Null when it cannot stay animated within `budgetBytes`. Throws when its frames cannot be decoded. */
export async function fitAnimation(bytes: Buffer, budgetBytes: number): Promise<FittedAnimation | null> {
  const frames = await decoded(bytes);
  if (frames.count < 2) return null;
  let known = { bytes: bytes.length * frames.shrink ** 2, weight: 1 };
  let workLeft = encodedPixelsMax;
  for (const step of steps) {
    const weight = weightOf(step, frames);
    const size = scaled(frames, step.scale);
    const expected = (known.bytes * weight) / known.weight;
    if (expected > hope * budgetBytes || (step.scale < 1 && Math.max(size.width, size.height) < edgeMin)) continue;
    const work = (frames.width * frames.height * frames.count) / everyOf(step, frames);
    if (work > workLeft || (step.bits === 8 && work > fullColourPixelsMax)) continue;
    workLeft -= work;
    const made = await encoded(frames, step);
    if (made.length <= budgetBytes) return { bytes: made, fewerFrames: everyOf(step, frames) > 1 };
    known = { bytes: made.length, weight };
  }
  return null;
}

/** All frames as pixels, reduced to fit into memory. */
async function decoded(bytes: Buffer): Promise<Frames> {
  const open = () =>
    sharp(bytes, { pages: -1, limitInputPixels: animationPixelsMax, sequentialRead: true, failOn: 'error' });
  const { width, height, pageHeight = height, pages = 1, delay = [], loop = 0 } = await open().metadata();
  const shrink = Math.min(
    1,
    edgeMax / Math.max(width, pageHeight),
    Math.sqrt(heldPixelsMax / (width * pageHeight * pages)),
  );
  const edges = scaled({ width, height: pageHeight }, shrink);
  const { data, info } = await open()
    .resize({ ...edges, fit: 'fill' })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const delays = Array.from({ length: pages }, (_, at) => shownDelay(delay[at] ?? 0));
  return { data, width: info.width, height: info.height / pages, count: pages, delays, loop, shrink };
}

function shownDelay(ms: number): number {
  return ms < shortestDelayMs ? usualDelayMs : ms;
}

async function encoded(frames: Frames, step: Step): Promise<Buffer> {
  const every = everyOf(step, frames);
  const size = scaled(frames, step.scale);
  const frameBytes = frames.width * frames.height * channels;
  const kept: Buffer[] = [];
  const delay: number[] = [];
  for (let at = 0; at < frames.count; at++) {
    if (at % every === 0) {
      const frame = frames.data.subarray(at * frameBytes, (at + 1) * frameBytes);
      kept.push(step.scale === 1 ? frame : await resized(frame, frames, size));
      delay.push(0);
    }
    delay[delay.length - 1]! += frames.delays[at]!;
  }
  const data = coarser(Buffer.concat(kept), step.bits);
  const raw = { width: size.width, height: size.height * kept.length, channels, pageHeight: size.height } as const;
  return sharp(data, { raw, limitInputPixels: animationPixelsMax })
    .gif({ delay, loop: frames.loop, effort: 2, dither: 0, interFrameMaxError: 4 })
    .toBuffer();
}

/** Frame by frame: when scaling, sharp takes several frames of raw pixels for one picture. */
function resized(frame: Buffer, { width, height }: Frames, size: { width: number; height: number }): Promise<Buffer> {
  return sharp(frame, { raw: { width, height, channels } })
    .resize({ ...size, fit: 'fill' })
    .raw()
    .toBuffer();
}

/** Rounds the colours, in place, to the middle of `2 ** bits` steps; keeps transparency. */
function coarser(data: Buffer, bits: Step['bits']): Buffer {
  if (bits === 8) return data;
  const width = 2 ** (8 - bits);
  const table = Uint8Array.from({ length: 256 }, (_, value) => Math.floor(value / width) * width + width / 2);
  for (let at = 0; at < data.length; at++) if (at % channels !== 3) data[at] = table[data[at]!]!;
  return data;
}

/** At least two frames stay. */
function everyOf({ every }: Step, { count }: Pick<Frames, 'count'>): number {
  return Math.max(1, Math.min(every, Math.floor(count / 2)));
}

/** Expected size after a step, as a share of the original's bytes. */
function weightOf(step: Step, frames: Frames): number {
  return (shareOfBits[step.bits] * step.scale ** 2) / everyOf(step, frames);
}

function scaled({ width, height }: { width: number; height: number }, scale: number) {
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
