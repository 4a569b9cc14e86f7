/** The whole files from which the hostile ones are made, and the type of a hostile file. */
import sharp from 'sharp';
import { amr, animatedGif, movie, mp3, phoneJpeg, picture, vcard } from './media-fixture.ts';

/** A script that a browser would run. No image passed on may contain it. */
export const canary = '<script>canary()</script>';

export interface HostileFile {
  readonly name: string;
  readonly bytes: Buffer;
  /**
   * `be refused`: not an accepted type, or a bomb. `be anything safe`: refused, damaged, too large, or passed on with
   * the type that a second detector sees. `take long`: may also time out its process and fail the message.
   */
  readonly may: 'be refused' | 'be anything safe' | 'take long';
}

/** One small, whole file of every accepted form. */
export async function wholeFiles(): Promise<Map<string, Buffer>> {
  const small = () => picture(160, 120);
  const moving = sharp(await animatedGif(60, 3), { animated: true });
  return new Map([
    ['JPEG', await phoneJpeg(160, 120, 6)],
    ['progressive JPEG', await small().jpeg({ progressive: true }).toBuffer()],
    ['grey JPEG', await small().greyscale().jpeg().toBuffer()],
    ['CMYK JPEG', await small().toColourspace('cmyk').jpeg().toBuffer()],
    ['PNG', await small().png().toBuffer()],
    ['PNG with alpha', await picture(160, 120, { channels: 4 }).png().toBuffer()],
    ['PNG with a palette', await small().png({ palette: true }).toBuffer()],
    ['interlaced PNG', await small().png({ progressive: true }).toBuffer()],
    ['GIF', await small().gif().toBuffer()],
    ['animated GIF', await animatedGif(60, 4)],
    ['WebP', await small().webp().toBuffer()],
    ['lossless WebP', await small().webp({ lossless: true }).toBuffer()],
    ['WebP with alpha', await picture(160, 120, { channels: 4 }).webp().toBuffer()],
    ['animated WebP', await moving.webp().toBuffer()],
    ['MP4', movie('mp42')],
    ['3GP', movie('3gp5', ['3gp5', 'isom'])],
    ['AMR', amr(40)],
    ['MP3', mp3(12)],
    ['vCard', vcard],
  ]);
}

/** Number, in big-endian octets. */
export function be(value: number, octets: number): Buffer {
  const out = Buffer.alloc(octets);
  out.writeUIntBE(value, 0, octets);
  return out;
}

/** Number, in little-endian octets. */
export function le(value: number, octets: number): Buffer {
  const out = Buffer.alloc(octets);
  out.writeUIntLE(value, 0, octets);
  return out;
}

export const ascii = (text: string): Buffer => Buffer.from(text, 'latin1');

/** `part`, repeated `count` times. */
export const many = (count: number, part: Buffer): Buffer => Buffer.alloc(count * part.length, part);
