/** Hostile GIF files: frame bombs, screens that lie, blocks that do not end. GIF89a. */
import { ascii, canary, type HostileFile, le, many } from './hostile-whole-fixture.ts';
import { animatedGif } from './media-fixture.ts';

interface Screen {
  version?: string;
  width?: number;
  height?: number;
  flags?: number;
}

/** Two colours, black and white. */
const colours = Buffer.from('000000ffffff', 'hex');

function screen({ version = 'GIF89a', width = 16, height = 16, flags = 0x80 }: Screen = {}): Buffer {
  return Buffer.concat([
    ascii(version),
    le(width, 2),
    le(height, 2),
    Buffer.of(flags, 0, 0),
    flags & 0x80 ? colours : Buffer.alloc(0),
  ]);
}

/** §22: clear, then end of information. */
const nothing = Buffer.from('02024c0100', 'hex');

function frame({ left = 0, top = 0, width = 16, height = 16, flags = 0, data = nothing } = {}): Buffer {
  return Buffer.concat([Buffer.of(0x2c), le(left, 2), le(top, 2), le(width, 2), le(height, 2), Buffer.of(flags), data]);
}

const control = Buffer.from('21f904000a000000', 'hex');
const trailer = Buffer.of(0x3b);
const gif = (...parts: Buffer[]) => Buffer.concat([...parts, trailer]);
const extension = (label: number, ...blocks: Buffer[]) =>
  Buffer.concat([Buffer.of(0x21, label), ...blocks.flatMap((block) => [Buffer.of(block.length), block]), Buffer.of(0)]);

export async function gifFiles(): Promise<HostileFile[]> {
  const refused = bombs().map(([name, bytes]): HostileFile => ({ name: `GIF: ${name}`, bytes, may: 'be refused' }));
  const others = [...lies(), ...(await scripts())];
  return [
    ...refused,
    ...others.map(([name, bytes]): HostileFile => ({ name: `GIF: ${name}`, bytes, may: 'be anything safe' })),
  ];
}

function bombs(): [string, Buffer][] {
  return [
    ['a screen of 65,535 × 65,535', gif(screen({ width: 65_535, height: 65_535 }), frame())],
    ['a frame of 65,535 × 65,535', gif(screen(), frame({ width: 65_535, height: 65_535 }))],
    ['a second frame of 60,000 × 60,000', gif(screen(), frame(), frame({ width: 60_000, height: 60_000 }))],
    ['a wide and a high frame', gif(screen(), frame({ width: 65_535 }), frame({ height: 65_535 }))],
    ['100,000 frames', gif(screen(), many(100_000, Buffer.concat([control, frame({ width: 1, height: 1 })])))],
    ['200,000 frames of nothing', gif(screen(), many(200_000, frame({ width: 0, height: 0 })))],
    [
      '4,000 frames of 5,000 × 5,000',
      gif(
        screen({ width: 5_000, height: 5_000 }),
        many(4_000, Buffer.concat([control, frame({ width: 5_000, height: 5_000 })])),
      ),
    ],
    ['no frame', gif(screen())],
    ['no screen', gif(screen({ width: 0, height: 0 }), frame({ width: 0, height: 0 }))],
    ['another version', gif(screen({ version: 'GIF88a' }), frame())],
    ['JavaScript', ascii(`GIF89a/*${'\x01'.repeat(20)}*/=1;alert(1)//`)],
  ];
}

function lies(): [string, Buffer][] {
  const pixels = (...bytes: number[]) => Buffer.concat([Buffer.of(2, bytes.length), Buffer.from(bytes), Buffer.of(0)]);
  return [
    ['25 MP and no pixels', gif(screen({ width: 5_000, height: 5_000 }), frame({ width: 5_000, height: 5_000 }))],
    ['a frame outside its screen', gif(screen(), frame({ left: 60_000, top: 60_000 }))],
    ['no colours', gif(screen({ flags: 0 }), frame())],
    ['256 colours that are not there', Buffer.concat([screen({ flags: 0x87 }), frame()])],
    ['local colours that are not there', gif(screen(), frame({ flags: 0x87 }))],
    ['an interlaced frame', gif(screen(), frame({ flags: 0x40 }))],
    ...[0, 1, 9, 12, 13, 255].map((size): [string, Buffer] => [
      `codes of ${size} bits`,
      gif(screen(), frame({ data: Buffer.concat([Buffer.of(size), nothing.subarray(1)]) })),
    ]),
    ['codes that are in no table', gif(screen(), frame({ data: pixels(0x4c, 0xff, 0xff, 0xff, 0xff) }))],
    ['pixels without an end', gif(screen(), frame({ data: Buffer.of(2, 255, 0x4c) }))],
    ['pixels of nothing', gif(screen(), frame({ data: Buffer.of(2, 0) }))],
    [
      'a table that never ends',
      gif(
        screen(),
        frame({
          data: Buffer.concat([
            Buffer.of(8),
            many(4_000, Buffer.concat([Buffer.of(255), Buffer.alloc(255, 0x5a)])),
            Buffer.of(0),
          ]),
        }),
      ),
    ],
    ['no end', Buffer.concat([screen(), frame()])],
    ['rubbish between its blocks', gif(screen(), Buffer.alloc(50), frame())],
    ['a block nobody knows', gif(screen(), extension(0x77, Buffer.alloc(255)), frame())],
    ['a control block too long', gif(screen(), extension(0xf9, Buffer.alloc(200)), frame())],
    ['50,000 control blocks', gif(screen(), many(50_000, control), frame())],
    [
      'an animation that never waits',
      gif(
        screen(),
        extension(0xff, ascii('NETSCAPE2.0'), Buffer.of(1, 0, 0)),
        many(300, Buffer.concat([Buffer.from('21f9040000000000', 'hex'), frame()])),
      ),
    ],
    [
      'a loop count that is too long',
      gif(screen(), extension(0xff, ascii('NETSCAPE2.0'), Buffer.alloc(200, 1)), frame()),
    ],
  ];
}

async function scripts(): Promise<[string, Buffer][]> {
  const whole = await animatedGif(40, 2);
  const start = 13 + 3 * 2 ** ((whole[10]! & 7) + 1);
  const inserted = (block: Buffer) => Buffer.concat([whole.subarray(0, start), block, whole.subarray(start)]);
  return [
    ['a comment with a script', inserted(extension(0xfe, ascii(canary)))],
    ['a text with a script', inserted(extension(0x01, Buffer.alloc(12), ascii(canary)))],
    ['an application with a script', inserted(extension(0xff, ascii('XMP DataXMP'), ascii(canary)))],
    ['a loop count with a script', inserted(extension(0xff, ascii('NETSCAPE2.0'), ascii(canary)))],
    ['10,000 comments', inserted(many(10_000, extension(0xfe, Buffer.alloc(200, 'x'))))],
  ];
}
