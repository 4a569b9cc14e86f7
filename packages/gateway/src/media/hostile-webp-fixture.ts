/** Hostile WebP files: false sizes and chunks. RFC 9649, RFC 6386. */
import sharp from 'sharp';
import { ascii, canary, type HostileFile, le, many } from './hostile-whole-fixture.ts';
import { animatedGif, picture } from './media-fixture.ts';

const chunk = (name: string, data: Buffer, length = data.length) =>
  Buffer.concat([ascii(name), le(length, 4), data, Buffer.alloc(data.length % 2)]);
const riff = (chunks: Buffer[], length?: number) => {
  const body = Buffer.concat([ascii('WEBP'), ...chunks]);
  return Buffer.concat([ascii('RIFF'), le(length ?? body.length, 4), body]);
};
const extended = (flags: number, width: number, height: number) =>
  chunk('VP8X', Buffer.concat([Buffer.of(flags, 0, 0, 0), le(width - 1, 3), le(height - 1, 3)]));
const frame = (image: Buffer, { left = 0, top = 0, width = 64, height = 48 } = {}) =>
  chunk(
    'ANMF',
    Buffer.concat([le(left, 3), le(top, 3), le(width - 1, 3), le(height - 1, 3), le(0, 3), Buffer.of(0), image]),
  );
const animation = chunk('ANIM', Buffer.alloc(6));

export async function webpFiles(): Promise<HostileFile[]> {
  const lossy = await picture(64, 48).webp().toBuffer();
  const lossless = await picture(64, 48).webp({ lossless: true }).toBuffer();
  const moving = await sharp(await animatedGif(60, 3), { animated: true })
    .webp()
    .toBuffer();
  const named =
    (may: HostileFile['may']) =>
    ([name, bytes]: [string, Buffer]): HostileFile => ({ name: `WebP: ${name}`, bytes, may });
  return [
    ...bombs(lossy, lossless).map(named('be refused')),
    ...lies(lossy, lossless, moving).map(named('be anything safe')),
  ];
}

function patched(whole: Buffer, offset: number, ...octets: number[]): Buffer {
  const copy = Buffer.from(whole);
  copy.set(octets, offset);
  return copy;
}

function bombs(lossy: Buffer, lossless: Buffer): [string, Buffer][] {
  const image = lossy.subarray(12);
  return [
    ['says 16,383 × 16,383', patched(lossy, 26, 0xff, 0x3f, 0xff, 0x3f)],
    ['lossless and says 16,384 × 16,384', patched(lossless, 21, 0xff, 0xff, 0xff, 0x0f)],
    ['a canvas of 16,777,216 × 16,777,216', riff([extended(0, 2 ** 24, 2 ** 24), image])],
    ['a canvas of 16,777,216 × 2', riff([extended(2, 2 ** 24, 2), animation, frame(image)])],
    ['no width', patched(lossy, 26, 0, 0)],
    ['another start code', patched(lossy, 23, 0, 0, 0)],
    ['another mark of lossless', patched(lossless, 20, 0)],
    ['a first chunk nobody knows', riff([chunk('EVIL', Buffer.alloc(20)), image])],
    ['not WebP but sound', Buffer.concat([ascii('RIFF'), le(36, 4), ascii('WAVEfmt '), Buffer.alloc(24)])],
    ['not WebP but a film', Buffer.concat([ascii('RIFF'), le(36, 4), ascii('AVI LIST'), Buffer.alloc(24)])],
    ['shorter than its head', lossy.subarray(0, 29)],
  ];
}

function lies(lossy: Buffer, lossless: Buffer, moving: Buffer): [string, Buffer][] {
  const image = lossy.subarray(12);
  const still = lossless.subarray(12);
  return [
    ['a length of 4 GB', patched(lossy, 4, 0xff, 0xff, 0xff, 0xff)],
    ['a length of nothing', patched(lossy, 4, 0, 0, 0, 0)],
    ['a chunk of 4 GB', patched(lossy, 16, 0xff, 0xff, 0xff, 0xff)],
    ['a chunk of nothing', patched(lossy, 16, 0, 0, 0, 0)],
    ['a first partition of 512 KB', patched(lossy, 20, 0xf0, 0xff, 0xff)],
    ['a version nobody knows', patched(lossy, 20, lossy[20]! | 0x0e)],
    ['25 MP and pixels of 64 × 48', riff([extended(0, 5_000, 5_000), image])],
    ['a canvas smaller than its image', riff([extended(0, 1, 1), image])],
    [
      'a frame of 25 MP in an animation',
      riff([extended(2, 5_000, 5_000), animation, frame(image, { width: 5_000, height: 5_000 })]),
    ],
    [
      'a frame outside its canvas',
      riff([extended(2, 64, 48), animation, frame(image, { left: 2 ** 23, top: 2 ** 23 })]),
    ],
    ['20,000 frames', riff([extended(2, 64, 48), animation, many(20_000, frame(image.subarray(0, 60)))])],
    ['an animation without a frame', riff([extended(2, 64, 48), animation])],
    ['an animation that says it is a still', riff([extended(0, 60, 60), ...[moving.subarray(30)]])],
    ['transparency that lies', riff([extended(0x10, 64, 48), chunk('ALPH', Buffer.alloc(40, 0xff)), image])],
    ['transparency in front of lossless', riff([extended(0x10, 64, 48), chunk('ALPH', Buffer.alloc(40)), still])],
    ['a colour profile of HTML', riff([extended(0x20, 64, 48), chunk('ICCP', ascii(canary)), image])],
    [
      'EXIF that points at itself',
      riff([
        extended(0x08, 64, 48),
        image,
        chunk('EXIF', ascii('II*\0\x08\0\0\0\x01\0\x69\x87\x04\0\x01\0\0\0\x08\0\0\0\x08\0\0\0')),
      ]),
    ],
    ['XMP with a script', riff([extended(0x04, 64, 48), image, chunk('XMP ', ascii(canary))])],
    ['100,000 chunks nobody knows', riff([extended(0, 64, 48), many(100_000, chunk('EVIL', Buffer.alloc(2))), image])],
    ['two images', riff([extended(0, 64, 48), image, still])],
    ['lossless codes of nothing', Buffer.concat([lossless.subarray(0, 25), Buffer.alloc(lossless.length - 25)])],
    ['lossless codes of ones', Buffer.concat([lossless.subarray(0, 25), Buffer.alloc(lossless.length - 25, 255)])],
    [
      'lossless, 16 MP, codes of nothing',
      Buffer.concat([patched(lossless, 21, 0x9f, 0xcf, 0xe7, 0x03).subarray(0, 25), Buffer.alloc(4_000)]),
    ],
  ];
}
