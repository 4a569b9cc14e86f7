import { fileTypeFromBuffer } from 'file-type';
import { describe, expect, it } from 'vitest';
import { dice } from '../../../../test/props/chance.ts';
import { imageMeasures, kindOf } from './kind.ts';
import {
  amr,
  animatedGif,
  box,
  movie,
  mp3,
  phoneJpeg,
  picture,
  pngBomb,
  pngChunk,
  sameType,
  vcard,
} from './media-fixture.ts';

const unsupported = { ok: false, code: 'MEDIA_TYPE_NOT_SUPPORTED' };
const tooLarge = { ok: false, code: 'MEDIA_TOO_LARGE' };
const zip = Buffer.concat([Buffer.from('PK\x05\x06', 'latin1'), Buffer.alloc(18)]);
const id3 = Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\0\x20', 'latin1'), Buffer.alloc(32)]);
const small = () => picture(40, 30);

const accepted: [string, string, () => Promise<Buffer> | Buffer][] = [
  ['JPEG', 'image/jpeg', () => phoneJpeg(40, 30, 6)],
  ['progressive JPEG', 'image/jpeg', () => small().jpeg({ progressive: true }).toBuffer()],
  ['grey JPEG', 'image/jpeg', () => small().greyscale().jpeg().toBuffer()],
  ['PNG', 'image/png', () => small().png().toBuffer()],
  ['PNG with a palette', 'image/png', () => small().png({ palette: true }).toBuffer()],
  ['GIF', 'image/gif', () => small().gif().toBuffer()],
  ['animated GIF', 'image/gif', () => animatedGif(20, 4)],
  ['WebP', 'image/webp', () => small().webp().toBuffer()],
  ['lossless WebP', 'image/webp', () => small().webp({ lossless: true }).toBuffer()],
  ['WebP with alpha', 'image/webp', () => picture(40, 30, { channels: 4 }).webp().toBuffer()],
  ['MP4', 'video/mp4', () => movie('mp42')],
  ['3GP', 'video/3gpp', () => movie('3gp5', ['3gp5', 'isom'])],
  ['AMR', 'audio/amr', () => amr(5)],
  ['MP3', 'audio/mpeg', () => mp3(4)],
  ['MP3 with a tag', 'audio/mpeg', () => Buffer.concat([id3, mp3(4)])],
  ['vCard', 'text/vcard', () => vcard],
];

describe('what is accepted', () => {
  it.each(accepted)('%s', async (_name, type, make) => {
    expect(kindOf(await make())).toEqual({ ok: true, type });
  });
});

describe('an animation', () => {
  const frames = (count: number, width: number, height: number): Buffer => {
    const screen = Buffer.from('47494638396100000000800000000000ffffff', 'hex');
    screen.writeUInt16LE(width, 6);
    screen.writeUInt16LE(height, 8);
    const frame = Buffer.from('21f90400000000002c0000000001000100000202440100', 'hex');
    return Buffer.concat([screen, ...Array.from({ length: count }, () => frame), Buffer.of(0x3b)]);
  };
  const webp = (count: number, width: number, height: number): Buffer => {
    const head = Buffer.from('524946460000000057454250565038580a000000020000000000000000000000', 'hex').subarray(0, 30);
    head.writeUIntLE(width - 1, 24, 3);
    head.writeUIntLE(height - 1, 27, 3);
    const frame = Buffer.concat([Buffer.from('ANMF'), Buffer.from('10000000', 'hex'), Buffer.alloc(16)]);
    return Buffer.concat([head, ...Array.from({ length: count }, () => frame)]);
  };

  it.each<[string, (count: number, width: number, height: number) => Buffer]>([
    ['GIF', frames],
    ['WebP', webp],
  ])('%s is judged by all its frames together, from its headers', (_name, make) => {
    expect(kindOf(make(1_000, 500, 500))).toMatchObject({ ok: true });
    expect(kindOf(make(10, 5_000, 5_000))).toMatchObject({ ok: true });
    expect(kindOf(make(1_001, 1, 1))).toEqual(tooLarge);
    expect(kindOf(make(1_000, 501, 500))).toEqual(tooLarge);
    expect(kindOf(make(11, 5_000, 5_000))).toEqual(tooLarge);
  });

  it('of a PNG is judged by what its header says', async () => {
    const still = await small().png().toBuffer();
    const withFrames = (count: number) => {
      const control = Buffer.alloc(8);
      control.writeUInt32BE(count, 0);
      return Buffer.concat([still.subarray(0, 33), pngChunk('acTL', control), still.subarray(33)]);
    };
    expect(kindOf(withFrames(1_000))).toMatchObject({ ok: true });
    expect(kindOf(withFrames(1_001))).toEqual(tooLarge);
    expect(imageMeasures('image/png', withFrames(7))).toEqual({ width: 40, height: 30, frames: 7 });
    expect(imageMeasures('image/png', still)).toEqual({ width: 40, height: 30 });
  });
});

const text = (content: string) => Buffer.from(content, 'utf8');
const refused: [string, () => Promise<Buffer> | Buffer][] = [
  ['nothing', () => text('')],
  ['one byte', () => text('\xff')],
  ['SVG', () => text('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
  ['HTML', () => text('<!doctype html><html><body>hello</body></html>')],
  ['PDF', () => text('%PDF-1.7\n%âãÏÓ\n1 0 obj\n<<>>\nendobj\n')],
  ['TIFF', () => small().tiff().toBuffer()],
  ['AVIF', () => picture(64, 64).avif({ effort: 0 }).toBuffer()],
  ['BMP', () => Buffer.concat([text('BM'), Buffer.alloc(80)])],
  ['HEIC', () => movie('heic', ['mif1', 'heic'])],
  ['HEIC that calls itself MP4', () => movie('mp42', ['heic'])],
  ['MOV', () => movie('qt  ', ['qt  '])],
  ['M4A', () => movie('M4A ')],
  ['ZIP', () => zip],
  ['an executable', () => Buffer.concat([text('\x7fELF'), Buffer.alloc(100)])],
  ['MP4 without moov', () => movie('mp42').subarray(0, 20)],
  ['MP4 cut short', () => movie('mp42').subarray(0, -1)],
  ['MP4 with a ZIP behind it', () => Buffer.concat([movie('mp42'), zip])],
  ['MP4 with a ZIP in a box', () => Buffer.concat([movie('mp42'), box('free', zip)])],
  ['MP4 with a box of no length', () => Buffer.concat([movie('mp42'), Buffer.from('0000000466726565', 'hex')])],
  ['AMR cut short', () => amr(3).subarray(0, -1)],
  ['AMR with more behind it', () => Buffer.concat([amr(3), text('<html>')])],
  ['AMR without a frame', () => amr(0)],
  ['AMR with padding that is not zero', () => Buffer.concat([amr(3), Buffer.of(0xff)])],
  ['MP3 of two frames', () => mp3(2)],
  ['MP3 of free bitrate', () => mp3(4).fill(0, 2, 3)],
  ['an ID3 tag and HTML', () => Buffer.concat([id3, text('<html>')])],
  ['MP3 with a PDF in its tag', () => Buffer.concat([id3.fill('%PDF-1.4', 12, 20), mp3(4)])],
  ['vCard with NUL', () => text('BEGIN:VCARD\r\nFN:\0\r\nEND:VCARD\r\n')],
  ['vCard without end', () => text('BEGIN:VCARD\r\nFN:x\r\n')],
  ['vCard in no UTF-8', () => Buffer.concat([text('BEGIN:VCARD\r\nFN:'), Buffer.of(0xff), text('\r\nEND:VCARD')])],
  ['GIF without an image', () => text('GIF89a/*\x01\x01\x00\x00\x00*/=1;alert(1)')],
  ['JPEG without a frame', () => Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex')],
];

describe('what is refused', () => {
  it.each(refused)('%s', async (_name, make) => {
    expect(kindOf(await make())).toEqual(unsupported);
  });

  it('lossless and arithmetic JPEG', async () => {
    const bytes = await small().jpeg().toBuffer();
    const frame = bytes.indexOf(Buffer.of(0xff, 0xc0));
    for (const marker of [0xc3, 0xc9, 0xca, 0xcb]) {
      bytes[frame + 1] = marker;
      expect(kindOf(bytes)).toEqual(unsupported);
    }
  });
});

describe('bombs', () => {
  it.each([
    [14_000, 14_000],
    [5_001, 5_000],
    [2 ** 31 - 1, 1],
    [65_536, 1],
    [1, 65_536],
    [0xffffffff, 0xffffffff],
  ])('a PNG of %i × %i', async (width, height) => {
    expect(kindOf(await pngBomb(width, height))).toEqual(tooLarge);
  });

  it('25 megapixels are allowed, none is not', async () => {
    for (const [width, height] of [
      [5_000, 5_000],
      [65_535, 381],
      [381, 65_535],
    ] as const) {
      expect(kindOf(await pngBomb(width, height))).toMatchObject({ ok: true });
    }
    expect(kindOf(await pngBomb(0, 5_000))).toEqual(unsupported);
  });

  it('an interlaced PNG with 16 bits, which must be held whole', async () => {
    const bytes = await pngBomb(5_000, 5_000);
    bytes.set([16, 6, 0, 0, 1], 24);
    expect(kindOf(bytes)).toEqual(tooLarge);
  });

  it('a progressive JPEG that must be held whole, unless its colours are coarse', async () => {
    const make = async (chromaSubsampling: string) => {
      const bytes = await small().jpeg({ progressive: true, chromaSubsampling }).toBuffer();
      const frame = bytes.indexOf(Buffer.of(0xff, 0xc2));
      bytes.writeUInt16BE(5_000, frame + 5);
      bytes.writeUInt16BE(4_999, frame + 7);
      return bytes;
    };
    expect(kindOf(await make('4:4:4'))).toEqual(tooLarge);
    expect(kindOf(await make('4:2:0'))).toMatchObject({ ok: true });
  });

  it('a GIF whose second frame is larger than its screen, and a huge WebP', async () => {
    const gif = await animatedGif(20, 2);
    const frame = gif.lastIndexOf(Buffer.from('2c000000001400140', 'hex'));
    gif.writeUInt16LE(60_000, frame + 5);
    gif.writeUInt16LE(60_000, frame + 7);
    expect(kindOf(gif)).toEqual(tooLarge);
    const webp = await picture(8, 8, { channels: 4 }).webp().toBuffer();
    webp.writeUIntLE(16_000, 24, 3);
    webp.writeUIntLE(16_000, 27, 3);
    expect(kindOf(webp)).toEqual(tooLarge);
  });
});

describe('files that were damaged on purpose', () => {
  it('what is accepted after damage is still what another reader takes it for', async () => {
    const chance = dice(7);
    let stillAccepted = 0;
    const whole = await Promise.all(accepted.map(([, , make]) => make()));
    for (let round = 0; round < 100; round++) {
      for (const original of whole) {
        const bytes = Buffer.from(original);
        const cut = bytes.subarray(0, Math.ceil(bytes.length * (round % 4 === 0 ? chance() : 1)));
        for (let i = 0; i < 4; i++) cut[Math.floor(chance() * Math.min(64, cut.length))] = Math.floor(chance() * 256);
        const kind = kindOf(cut);
        if (!kind.ok) continue;
        stillAccepted += 1;
        const other = await fileTypeFromBuffer(cut);
        if (other !== undefined) expect(sameType(other.mime, kind.type), `${other.mime} ${kind.type}`).toBe(true);
      }
    }
    expect(stillAccepted).toBeGreaterThan(20);
  });
});
