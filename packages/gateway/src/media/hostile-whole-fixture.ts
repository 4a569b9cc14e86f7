/** The files that the hostile ones are made from, and what a hostile file is. */
import sharp from 'sharp';
import { amr, animatedGif, movie, mp3, phoneJpeg, picture, vcard } from './media-fixture.ts';

/** What a browser would run. It must be gone from every image that is handed on. */
export const canary = '<script>canary()</script>';

export interface HostileFile {
  readonly name: string;
  readonly bytes: Buffer;
  /**
   * `be refused`: it is none of the listed types, or a bomb, and must not be taken. `be anything safe`: refused, damaged,
   * too large, or handed on as what another reader, too, takes it for. `take long`: it may also cost its process, and the
   * message its chance.
   */
  readonly may: 'be refused' | 'be anything safe' | 'take long';
}

/** One small, whole file of every form that is taken. */
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

/** `part` so many times. */
export const many = (count: number, part: Buffer): Buffer => Buffer.alloc(count * part.length, part);
