/** Hostile PNG files: bombs, false chunks, metadata with hidden content. W3C PNG, third edition. */
import { crc32, deflateSync } from 'node:zlib';
import { ascii, be, canary, type HostileFile, many } from './hostile-whole-fixture.ts';
import { pngBomb } from './media-fixture.ts';

const signature = Buffer.from('89504e470d0a1a0a', 'hex');

function chunk(
  type: string,
  data: Buffer,
  { length = data.length, crc = crc32(Buffer.concat([ascii(type), data])) } = {},
) {
  return Buffer.concat([be(length, 4), ascii(type), data, be(crc, 4)]);
}

interface Head {
  width?: number;
  height?: number;
  depth?: number;
  colour?: number;
  compression?: number;
  filter?: number;
  interlace?: number;
}

function head({
  width = 16,
  height = 16,
  depth = 8,
  colour = 2,
  compression = 0,
  filter = 0,
  interlace = 0,
}: Head = {}) {
  return chunk(
    'IHDR',
    Buffer.concat([be(width, 4), be(height, 4), Buffer.of(depth, colour, compression, filter, interlace)]),
  );
}

const pixelsOf = (width: number, height: number, bytesPerPixel: number) =>
  chunk('IDAT', deflateSync(Buffer.alloc((width * bytesPerPixel + 1) * height)));
const pixels = pixelsOf(16, 16, 3);
const end = chunk('IEND', Buffer.alloc(0));
const png = (...chunks: Buffer[]) => Buffer.concat([signature, ...chunks]);
/** Inflates to a thousand times its size. */
const bombOf = (megabytes: number) => deflateSync(Buffer.alloc(megabytes * 1_048_576));

export async function pngFiles(): Promise<HostileFile[]> {
  return [
    ...(await bombs()),
    ...lies().map(([name, bytes]): HostileFile => ({ name: `PNG: ${name}`, bytes, may: 'be anything safe' })),
    ...metadata().map(([name, bytes]): HostileFile => ({ name: `PNG: ${name}`, bytes, may: 'be anything safe' })),
  ];
}

async function bombs(): Promise<HostileFile[]> {
  const refused: HostileFile[] = [];
  const sizes = [
    [14_000, 14_000],
    [65_535, 65_535],
    [2 ** 31 - 1, 1],
    [1, 2 ** 31 - 1],
    [2 ** 31 - 1, 2 ** 31 - 1],
    [0xffffffff, 1],
    [5_001, 5_000],
    [25_000_000, 1],
    [1, 65_536],
    [0, 16],
    [16, 0],
  ];
  for (const [width, height] of sizes) {
    refused.push({ name: `PNG: says ${width} × ${height}`, bytes: await pngBomb(width!, height!), may: 'be refused' });
  }
  for (const [depth, colour] of [
    [16, 6],
    [16, 2],
  ]) {
    const bytes = png(head({ width: 5_000, height: 5_000, depth: depth!, colour: colour!, interlace: 1 }), pixels, end);
    refused.push({ name: `PNG: interlaced 25 MP of ${depth} bits, colour ${colour}`, bytes, may: 'be refused' });
  }
  const large = { width: 5_000, height: 5_000 };
  const taken: [string, Buffer][] = [
    ['25 MP of nothing', png(head(large), pixelsOf(5_000, 5_000, 3), end)],
    [
      '25 MP of nothing, interlaced, with alpha',
      png(head({ ...large, colour: 6, interlace: 1 }), pixelsOf(5_000, 5_000, 4), end),
    ],
    [
      '25 MP of 16 bits of grey with alpha, interlaced',
      png(head({ ...large, depth: 16, colour: 4, interlace: 1 }), pixelsOf(5_000, 5_000, 4), end),
    ],
    [
      '25 MP of one bit',
      png(head({ ...large, depth: 1, colour: 0 }), chunk('IDAT', deflateSync(Buffer.alloc(626 * 5_000))), end),
    ],
    ['25 MP and no pixels', png(head(large), pixels, end)],
    ['65,535 × 380', png(head({ width: 65_535, height: 380 }), pixelsOf(65_535, 380, 3), end)],
    ['380 × 65,535', png(head({ width: 380, height: 65_535 }), pixelsOf(380, 65_535, 3), end)],
    ['16 × 16 whose pixels inflate to 60 MB', png(head(), chunk('IDAT', bombOf(60)), end)],
  ];
  return [
    ...refused,
    ...taken.map(([name, bytes]): HostileFile => ({ name: `PNG: ${name}`, bytes, may: 'be anything safe' })),
  ];
}

function lies(): [string, Buffer][] {
  const palette = chunk('PLTE', Buffer.alloc(9, 0x55));
  return [
    ['no chunk', png()],
    ['no pixels', png(head(), end)],
    ['no end', png(head(), pixels)],
    ['empty pixels', png(head(), chunk('IDAT', Buffer.alloc(0)), end)],
    ['pixels that are no zlib', png(head(), chunk('IDAT', Buffer.alloc(200, 0x77)), end)],
    ['pixels that end too early', png(head(), chunk('IDAT', deflateSync(Buffer.alloc(100))), end)],
    ['pixels in 20,000 chunks of nothing', png(head(), many(20_000, chunk('IDAT', Buffer.alloc(0))), pixels, end)],
    ['a filter that is none', png(head(), chunk('IDAT', deflateSync(Buffer.alloc(49 * 16, 9))), end)],
    ['two heads', png(head(), head({ width: 14_000, height: 14_000 }), pixels, end)],
    ['the head second', png(chunk('tEXt', ascii('a\0b')), head(), pixels, end)],
    ['a head too short', png(chunk('IHDR', Buffer.alloc(12)), pixels, end)],
    ['a head too long', png(chunk('IHDR', Buffer.alloc(14, 1)), pixels, end)],
    ['a wrong checksum of the head', png(chunk('IHDR', head().subarray(8, 21), { crc: 0 }), pixels, end)],
    ['a wrong checksum of the pixels', png(head(), chunk('IDAT', deflateSync(Buffer.alloc(784)), { crc: 1 }), end)],
    ['a chunk longer than the file', png(head(), chunk('IDAT', Buffer.alloc(10), { length: 0x7fffffff }), end)],
    ['a chunk of 4 GB', png(head(), chunk('IDAT', Buffer.alloc(10), { length: 0xffffffff }), end)],
    ['a chunk shorter than it is', png(head(), chunk('IDAT', deflateSync(Buffer.alloc(784)), { length: 2 }), end)],
    ['a chunk whose name is no name', png(head(), chunk('\0\xff\n<', Buffer.alloc(4)), pixels, end)],
    ['a critical chunk nobody knows', png(head(), chunk('EVIL', Buffer.alloc(4)), pixels, end)],
    ...[3, 0, 5, 32, 255].map((depth): [string, Buffer] => [`${depth} bits`, png(head({ depth }), pixels, end)]),
    ...[1, 5, 7, 255].map((colour): [string, Buffer] => [`colour type ${colour}`, png(head({ colour }), pixels, end)]),
    ['compression 1', png(head({ compression: 1 }), pixels, end)],
    ['filter method 7', png(head({ filter: 7 }), pixels, end)],
    ['interlace 2', png(head({ interlace: 2 }), pixels, end)],
    ['a palette that is missing', png(head({ colour: 3 }), pixelsOf(16, 16, 1), end)],
    ['a palette of 300 colours', png(head({ colour: 3 }), chunk('PLTE', Buffer.alloc(900)), pixelsOf(16, 16, 1), end)],
    [
      'a palette of no whole colours',
      png(head({ colour: 3 }), chunk('PLTE', Buffer.alloc(10)), pixelsOf(16, 16, 1), end),
    ],
    [
      'colours beyond the palette',
      png(head({ colour: 3 }), palette, chunk('IDAT', deflateSync(Buffer.alloc(17 * 16, 0).fill(0xf0, 1, 17))), end),
    ],
    [
      'more transparency than colours',
      png(head({ colour: 3 }), palette, chunk('tRNS', Buffer.alloc(256)), pixelsOf(16, 16, 1), end),
    ],
    ['transparency in the wrong place', png(head(), pixels, chunk('tRNS', Buffer.alloc(6)), end)],
    ['a gamma of nothing', png(head(), chunk('gAMA', be(0, 4)), pixels, end)],
    ['a gamma too short', png(head(), chunk('gAMA', Buffer.alloc(1)), pixels, end)],
    ['colours of no length', png(head(), chunk('cHRM', Buffer.alloc(32)), pixels, end)],
    [
      'a resolution of 4 billion',
      png(head(), chunk('pHYs', Buffer.concat([be(0xffffffff, 4), be(0xffffffff, 4), Buffer.of(1)])), pixels, end),
    ],
    ['more behind its end', png(head(), pixels, end, head({ width: 14_000, height: 14_000 }), ascii(canary))],
    [
      'an animation of a million frames',
      png(head(), chunk('acTL', Buffer.concat([be(1_000_000, 4), be(0, 4)])), pixels, end),
    ],
    [
      'an animation larger than its canvas',
      png(
        head(),
        chunk('acTL', Buffer.concat([be(1, 4), be(0, 4)])),
        chunk('fcTL', Buffer.concat([be(0, 4), be(60_000, 4), be(60_000, 4), Buffer.alloc(14)])),
        pixels,
        end,
      ),
    ],
  ];
}

function metadata(): [string, Buffer][] {
  const withChunk = (type: string, data: Buffer) => png(head(), chunk(type, data), pixels, end);
  const bomb = bombOf(60);
  return [
    ['a text bomb', withChunk('zTXt', Buffer.concat([ascii('Comment\0\0'), bomb]))],
    ['an international text bomb', withChunk('iTXt', Buffer.concat([ascii('XML:com.adobe.xmp\0\x01\0\0\0'), bomb]))],
    ['a colour profile bomb', withChunk('iCCP', Buffer.concat([ascii('p\0\0'), bomb]))],
    ['a colour profile of HTML', withChunk('iCCP', Buffer.concat([ascii('p\0\0'), deflateSync(ascii(canary))]))],
    [
      'a colour profile that lies about its length',
      withChunk(
        'iCCP',
        Buffer.concat([ascii('p\0\0'), deflateSync(Buffer.concat([be(0x7fffffff, 4), Buffer.alloc(200)]))]),
      ),
    ],
    ['a colour profile without a name', withChunk('iCCP', Buffer.alloc(3))],
    ['a script as text', withChunk('tEXt', ascii(`Comment\0${canary}`))],
    ['a script as XMP', withChunk('iTXt', ascii(`XML:com.adobe.xmp\0\0\0\0\0<x:xmpmeta>${canary}</x:xmpmeta>`))],
    [
      'EXIF with a place',
      withChunk('eXIf', Buffer.concat([ascii('II*\0\x08\0\0\0'), Buffer.alloc(64, 1), ascii(canary)])),
    ],
    [
      'EXIF that points at itself',
      withChunk('eXIf', ascii('II*\0\x08\0\0\0\x01\0\x69\x87\x04\0\x01\0\0\0\x08\0\0\0\x08\0\0\0')),
    ],
    ['50,000 texts', png(head(), many(50_000, chunk('tEXt', ascii('a\0b'))), pixels, end)],
    ['a text of 4 MB', withChunk('tEXt', Buffer.concat([ascii('a\0'), Buffer.alloc(4_000_000, 'x')]))],
    ['a text without a keyword', withChunk('tEXt', ascii(canary))],
  ];
}
