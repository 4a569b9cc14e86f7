import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { dice } from '../../../../test/props/chance.ts';
import { animatedGif, phoneJpeg, picture } from './media-fixture.ts';
import { stripped } from './strip.ts';

const pixelsOf = (bytes: Buffer) => sharp(bytes, { pages: -1 }).raw().toBuffer();
const zip = Buffer.from('PK\x03\x04 a file of another kind PK\x05\x06', 'latin1');

function pngChunk(name: string, content: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  return Buffer.concat([length, Buffer.from(name + content, 'latin1'), Buffer.alloc(4)]);
}

describe('JPEG', () => {
  it('loses EXIF, GPS, comments, previews and what hangs on behind, and no pixel', async () => {
    const clean = await phoneJpeg(60, 40);
    const comment = Buffer.from('fffe0009secret1', 'latin1');
    const made = Buffer.concat([
      clean.subarray(0, 2),
      Buffer.from([0xff, 0xfe, 0, 9]),
      Buffer.from('secret1'),
      Buffer.from([0xff, 0xe1, 0, 9]),
      Buffer.from('secret2'),
      clean.subarray(2),
      comment,
      zip,
    ]);
    const out = stripped('image/jpeg', made)!;
    expect(out.toString('latin1')).not.toMatch(/secret|Exif|PK/);
    expect((await sharp(out).metadata()).exif).toBeUndefined();
    expect(await pixelsOf(out)).toEqual(await pixelsOf(clean));
    expect(stripped('image/jpeg', out)).toBe(out);
  });

  it('keeps the colour profile', async () => {
    const bytes = await picture(60, 40).jpeg().withIccProfile('p3').toBuffer();
    expect((await sharp(stripped('image/jpeg', bytes)!).metadata()).icc).toBeDefined();
  });

  it.each([true, false])('goes through all scans (progressive: %s)', async (progressive) => {
    const bytes = await picture(90, 70).jpeg({ progressive }).toBuffer();
    expect(stripped('image/jpeg', Buffer.concat([bytes, zip]))).toEqual(bytes);
  });
});

describe('PNG', () => {
  it('loses texts, time, EXIF and what hangs on behind, and no pixel', async () => {
    const clean = await picture(60, 40, { channels: 4 }).png().toBuffer();
    const secrets = ['tEXt', 'iTXt', 'zTXt', 'tIME', 'eXIf', 'zzZz'].map((name) => pngChunk(name, 'secret'));
    const made = Buffer.concat([clean.subarray(0, 33), ...secrets, clean.subarray(33), zip]);
    expect(stripped('image/png', made)!.toString('latin1')).not.toMatch(/secret|PK/);
    expect(await pixelsOf(stripped('image/png', made)!)).toEqual(await pixelsOf(clean));
  });
});

describe('GIF', () => {
  it('loses comments, foreign extensions and what hangs on behind; keeps frames and their loop', async () => {
    const clean = await animatedGif(20, 3);
    const comment = Buffer.from('\x21\xfe\x06secret\0', 'latin1');
    const xmp = Buffer.from('\x21\xff\x0bXMP DataXMP\x06secret\0', 'latin1');
    const out = stripped('image/gif', Buffer.concat([clean.subarray(0, -1), comment, xmp, Buffer.of(0x3b), zip]))!;
    expect(out.toString('latin1')).not.toMatch(/secret|PK/);
    expect(await sharp(out).metadata()).toMatchObject({ pages: 3, loop: 0 });
    expect(await pixelsOf(out)).toEqual(await pixelsOf(clean));
  });
});

describe('what is not whole', () => {
  it.each(['jpeg', 'png', 'gif'] as const)('%s cut short anywhere is not handed on', async (format) => {
    const whole = await picture(40, 30).toFormat(format).toBuffer();
    for (let length = 0; length < whole.length; length++) {
      expect(stripped(`image/${format}`, whole.subarray(0, length))).toBeNull();
    }
    expect(stripped(`image/${format}`, whole)).not.toBeNull();
  });

  it('survives anything', async () => {
    const chance = dice(3);
    for (const format of ['jpeg', 'png', 'gif'] as const) {
      const whole = await picture(40, 30).toFormat(format).toBuffer();
      for (let round = 0; round < 300; round++) {
        const bytes = Buffer.from(whole);
        for (let i = 0; i < 6; i++) bytes[Math.floor(chance() * bytes.length)] = Math.floor(chance() * 256);
        const out = stripped(`image/${format}`, bytes);
        expect(out === null || out.length <= bytes.length).toBe(true);
      }
    }
  });

  it('WebP is always made anew', async () => {
    expect(stripped('image/webp', await picture(9, 9).webp().toBuffer())).toBeNull();
  });
});
