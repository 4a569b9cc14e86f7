import sharp, { type Sharp } from 'sharp';
import { describe, expect, it } from 'vitest';
import type { ImageType } from '../model/medium.ts';
import { fitImage } from './fit-image.ts';
import { gifParts } from './image-parts.ts';
import { kindOf } from './kind.ts';
import { animatedGif, phoneJpeg, picture, pngChunk } from './media-fixture.ts';
import { stripped } from './strip.ts';

async function fitted(bytes: Buffer, budgetBytes: number) {
  const kind = kindOf(bytes);
  if (!kind.ok) throw new Error(kind.code);
  const result = await fitImage(bytes, { type: kind.type as ImageType, budgetBytes });
  if (result.kind !== 'fitted') throw new Error(result.kind);
  expect(result.bytes.length).toBeLessThanOrEqual(budgetBytes);
  expect(kindOf(result.bytes)).toEqual({ ok: true, type: result.type });
  return { ...result, seen: await sharp(result.bytes).metadata() };
}

/** Mean of the first channel, on white. */
async function meanColour(bytes: Buffer): Promise<number> {
  const flat = await sharp(bytes).flatten({ background: '#fff' }).toColourspace('srgb').png().toBuffer();
  return (await sharp(flat).stats()).channels[0]!.mean;
}

describe('small enough', () => {
  it.each(['jpeg', 'png', 'gif'] as const)('%s stays byte for byte', async (format) => {
    const bytes = await picture(200, 100).toFormat(format).toBuffer();
    expect(await fitted(bytes, bytes.length)).toMatchObject({ kind: 'fitted', type: `image/${format}`, bytes });
  });

  it('a JPEG loses where it was taken and keeps its pixels', async () => {
    const bytes = await phoneJpeg(200, 100);
    const { bytes: out, seen } = await fitted(bytes, bytes.length);
    expect(seen.exif).toBeUndefined();
    expect(await sharp(out).raw().toBuffer()).toEqual(await sharp(bytes).raw().toBuffer());
  });

  it('an animation stays one', async () => {
    const bytes = await animatedGif(40, 5);
    expect((await fitted(bytes, bytes.length)).seen.pages).toBe(5);
  });

  it('a JPEG in printing colours is made anew', async () => {
    const bytes = await picture(60, 40).toColourspace('cmyk').jpeg().toBuffer();
    expect((await fitted(bytes, 100_000)).seen).toMatchObject({ space: 'srgb', width: 60 });
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('orientation %i ends upright', async (orientation) => {
    const bytes = await phoneJpeg(160, 80, orientation, 0);
    const { bytes: out, seen } = await fitted(bytes, 100_000);
    const wanted = await sharp(bytes).autoOrient().raw().toBuffer({ resolveWithObject: true });
    expect(seen).toMatchObject({ width: wanted.info.width, height: wanted.info.height });
    expect(seen.orientation ?? 1).toBe(1);
    const got = await sharp(out).raw().toBuffer();
    const worst = got.reduce((max, value, at) => Math.max(max, Math.abs(value - wanted.data[at]!)), 0);
    expect(worst).toBeLessThan(24);
  });
});

describe('too large', () => {
  it('first loses quality, then size', async () => {
    const bytes = await picture(1_000, 800, { grain: 120 }).jpeg({ quality: 98 }).toBuffer();
    const sizes: number[] = [];
    for (const budget of [400_000, 200_000, 60_000, 20_000]) sizes.push((await fitted(bytes, budget)).seen.width);
    expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
    expect(sizes[0]).toBe(1_000);
    expect(sizes.at(-1)).toBeLessThan(800);
  });

  it('says so when nothing helps', async () => {
    const bytes = await picture(1_000, 800, { grain: 250 }).jpeg().toBuffer();
    expect(await fitImage(bytes, { type: 'image/jpeg', budgetBytes: 500 })).toEqual({ kind: 'too-large' });
  });

  it('keeps the transparency of a PNG when that fits', async () => {
    const bytes = await picture(1_500, 1_500, { channels: 4, grain: 0 }).png({ compressionLevel: 0 }).toBuffer();
    expect(await fitted(bytes, 600_000)).toMatchObject({ type: 'image/png', seen: { hasAlpha: true } });
  });

  it('puts it on white when it does not', async () => {
    const half = await picture(300, 600, { grain: 250 }).png().toBuffer();
    const clear = {
      create: { width: 600, height: 600, channels: 4 as const, background: { r: 0, g: 0, b: 0, alpha: 0 } },
    };
    const bytes = await sharp(clear)
      .composite([{ input: half, left: 300, top: 0 }])
      .png()
      .toBuffer();
    const { bytes: out, type } = await fitted(bytes, 60_000);
    expect(type).toBe('image/jpeg');
    expect([...(await sharp(out).raw().toBuffer()).subarray(0, 3)].every((value) => value > 250)).toBe(true);
  });

  it.each([
    ['16 bits', (image: Sharp) => image.toColourspace('rgb16')],
    ['grey', (image: Sharp) => image.greyscale()],
    ['16 bits of grey', (image: Sharp) => image.toColourspace('grey16')],
  ])('opens a PNG with %s', async (_name, turned) => {
    for (const channels of [3, 4] as const) {
      const bytes = await turned(picture(700, 500, { channels, grain: 200 }))
        .png()
        .toBuffer();
      const { bytes: out, seen } = await fitted(bytes, 90_000);
      expect(seen).toMatchObject({ format: 'jpeg', depth: 'uchar' });
      const [wanted, got] = await Promise.all([bytes, out].map(meanColour));
      expect(Math.abs(got! - wanted!)).toBeLessThan(6);
    }
  });

  it.each([2_048, 1_600])('keeps a picture of %i px as large as the budget allows', async (edge) => {
    const bytes = await picture(edge + 200, edge, { grain: 0 })
      .png({ compressionLevel: 0 })
      .toBuffer();
    const { seen } = await fitted(bytes, 600_000);
    expect(Math.max(seen.width, seen.height)).toBe(Math.min(2_048, edge + 200));
  });
});

describe('an animation over the budget', () => {
  it.each([
    ['with fewer colours', 0.6, { altered: undefined, width: 120, pages: 8 }],
    ['smaller', 0.4, { altered: undefined, width: 90, pages: 8 }],
    ['with fewer frames', 0.2, { altered: 'fewer-frames', width: 90, pages: 4 }],
  ] as const)('stays one: %s', async (_name, share, { altered, ...seen }) => {
    const bytes = await animatedGif(120, 8, 20);
    const made = await fitted(bytes, Math.floor(bytes.length * share));
    expect(made).toMatchObject({ type: 'image/gif', seen: { ...seen, loop: 0 } });
    expect(made.altered).toBe(altered);
    // Dropping frames does not shorten the animation.
    expect(made.seen.delay!.reduce((sum, ms) => sum + ms, 0)).toBe(800);
  });

  it('becomes a still picture where nothing else fits, and says so', async () => {
    const bytes = await animatedGif(120, 8, 100);
    const { type, altered, seen } = await fitted(bytes, 3_000);
    expect([type, altered, seen.pages]).toEqual(['image/jpeg', 'still', undefined]);
  });

  it('that ends within a frame keeps those before it', async () => {
    const bytes = await animatedGif(120, 8, 100);
    const { start, end } = [...gifParts(bytes)].filter(({ name }) => name === 'image')[5]!;
    const made = await fitted(bytes.subarray(0, Math.floor((start + end) / 2)), 60_000);
    expect(made).toMatchObject({ type: 'image/gif', seen: { pages: 6 } });
  });

  it('of a PNG is a still picture, whatever its size', async () => {
    const still = await picture(60, 40).png().toBuffer();
    const control = pngChunk('acTL', Buffer.from('0000000300000000', 'hex'));
    const bytes = Buffer.concat([still.subarray(0, 33), control, still.subarray(33)]);
    expect(await fitted(bytes, 100_000)).toMatchObject({ type: 'image/png', altered: 'still' });
  });

  it('never runs faster than browsers show it', async () => {
    const bytes = await animatedGif(30, 3);
    for (const { name, start } of gifParts(bytes)) if (name === 'control') bytes.writeUInt16LE(0, start + 4);
    expect((await fitted(bytes, bytes.length)).seen.delay).toEqual([100, 100, 100]);
    const large = await animatedGif(120, 4, 100);
    for (const { name, start } of gifParts(large)) if (name === 'control') large.writeUInt16LE(0, start + 4);
    const made = await fitted(large, Math.floor(large.length * 0.7));
    expect([made.type, made.seen.delay]).toEqual(['image/gif', [100, 100, 100, 100]]);
  });
});

describe('WebP', () => {
  it('becomes a JPEG, or a GIF when it moves', async () => {
    const still = await picture(90, 60).webp().toBuffer();
    const moving = await sharp(await animatedGif(60, 3), { animated: true })
      .webp()
      .toBuffer();
    expect(await fitted(still, 100_000)).toMatchObject({ type: 'image/jpeg', seen: { height: 60 } });
    const made = await fitted(moving, 100_000);
    expect(made).toMatchObject({ type: 'image/gif', seen: { width: 60, pages: 3 } });
    expect(made.altered).toBeUndefined();
  });
});

describe('damage', () => {
  it.each(['jpeg', 'png', 'webp'] as const)('%s cut short is not handed on', async (format) => {
    const whole = await picture(300, 200).toFormat(format).toBuffer();
    const cut = whole.subarray(0, Math.floor(whole.length * 0.6));
    expect(await fitImage(cut, { type: `image/${format}`, budgetBytes: 600_000 })).toEqual({ kind: 'damaged' });
  });

  it.each([
    ['jpeg', 'ffc4', 5],
    ['png', '49444154', 40],
  ] as const)('%s of whole form with nonsense inside is not handed on', async (format, mark, distance) => {
    const bytes = await picture(300, 200).toFormat(format).toBuffer();
    const start = bytes.indexOf(Buffer.from(mark, 'hex')) + distance;
    bytes.fill(0x77, start, start + 10);
    const type = `image/${format}` as const;
    expect(stripped(type, bytes)).toBe(bytes);
    expect(await fitImage(bytes, { type, budgetBytes: 600_000 })).toEqual({ kind: 'damaged' });
  });

  it('a GIF without its end shows what is there', async () => {
    const whole = await picture(100, 80).gif().toBuffer();
    expect(await fitted(whole.subarray(0, -1), 100_000)).toMatchObject({ kind: 'fitted', type: 'image/jpeg' });
  });
});
