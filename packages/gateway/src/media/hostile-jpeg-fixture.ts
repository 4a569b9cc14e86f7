/** Hostile JPEG files: false sizes and tables, segments with hidden content, endless scans. ITU-T T.81. */
import { ascii, be, canary, type HostileFile, many } from './hostile-whole-fixture.ts';
import { phoneJpeg, picture } from './media-fixture.ts';

const segment = (marker: number, data: Buffer, length = data.length + 2) =>
  Buffer.concat([Buffer.of(0xff, marker), be(length, 2), data]);
const soi = Buffer.from('ffd8', 'hex');
const after = (whole: Buffer, ...parts: Buffer[]) => Buffer.concat([soi, ...parts, whole.subarray(2)]);

/** Position of a marker's length. */
function find(bytes: Buffer, marker: number): number {
  return bytes.indexOf(Buffer.of(0xff, marker)) + 2;
}

/** A copy with other octets `offset` bytes after a marker. */
function patched(whole: Buffer, marker: number, offset: number, ...octets: number[]): Buffer {
  const copy = Buffer.from(whole);
  copy.set(octets, find(copy, marker) + offset);
  return copy;
}

function sized(whole: Buffer, marker: number, width: number, height: number): Buffer {
  return patched(whole, marker, 3, height >> 8, height & 255, width >> 8, width & 255);
}

export async function jpegFiles(): Promise<HostileFile[]> {
  const baseline = await picture(64, 48).jpeg().toBuffer();
  const progressive = await picture(64, 48).jpeg({ progressive: true, chromaSubsampling: '4:4:4' }).toBuffer();
  const named =
    (may: HostileFile['may']) =>
    ([name, bytes]: [string, Buffer]): HostileFile => ({ name: `JPEG: ${name}`, bytes, may });
  return [
    ...bombs(baseline, progressive).map(named('be refused')),
    ...lies(baseline, progressive).map(named('be anything safe')),
    ...(await hidden(baseline)).map(named('be anything safe')),
    ...(await manyScans()).map(named('take long')),
  ];
}

function bombs(baseline: Buffer, progressive: Buffer): [string, Buffer][] {
  const frames = [0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf];
  return [
    ['says 65,500 × 65,500', sized(baseline, 0xc0, 65_500, 65_500)],
    ['says 65,535 × 65,535', sized(baseline, 0xc0, 65_535, 65_535)],
    ['says 5,001 × 5,000', sized(baseline, 0xc0, 5_001, 5_000)],
    ['progressive and says 25 MP', sized(progressive, 0xc2, 5_000, 5_000)],
    ['no width', sized(baseline, 0xc0, 0, 48)],
    ['no height, told later', sized(baseline, 0xc0, 64, 0)],
    ['12 bits', patched(baseline, 0xc0, 2, 12)],
    ['16 bits', patched(baseline, 0xc0, 2, 16)],
    ...frames.map((frame): [string, Buffer] => [`frame ${frame.toString(16)}`, patched(baseline, 0xc0, -1, frame)]),
    [
      'no frame',
      Buffer.concat([soi, segment(0xe0, ascii('JFIF\0\x01\x01\0\0\x01\0\x01\0\0')), Buffer.from('ffd9', 'hex')]),
    ],
    ['a scan before its frame', after(baseline, segment(0xda, Buffer.from('0101003f00', 'hex')))],
    ['no component', patched(baseline, 0xc0, 7, 0)],
    ['200 components', patched(baseline, 0xc0, 7, 200)],
    ['components sampled 0 times', patched(baseline, 0xc0, 9, 0x00)],
    ['components sampled 15 times', patched(baseline, 0xc0, 9, 0xff)],
  ];
}

function lies(baseline: Buffer, progressive: Buffer): [string, Buffer][] {
  const zeroes = Buffer.alloc(64);
  return [
    ['25 MP and pixels of 64 × 48', sized(baseline, 0xc0, 5_000, 5_000)],
    ['65,535 wide and 380 high', sized(baseline, 0xc0, 65_535, 380)],
    ['380 wide and 65,535 high', sized(baseline, 0xc0, 380, 65_535)],
    ['progressive and says 8 MP', sized(progressive, 0xc2, 4_000, 2_000)],
    ['components sampled 4 × 1 times', patched(baseline, 0xc0, 9, 0x41)],
    ['a quantisation table that is missing', patched(baseline, 0xc0, 10, 3)],
    ['a quantisation table of number 15', after(baseline, segment(0xdb, Buffer.concat([Buffer.of(0x0f), zeroes])))],
    ['quantisation by nothing', after(baseline, segment(0xdb, Buffer.concat([Buffer.of(0), zeroes])))],
    ['a quantisation table cut short', after(baseline, segment(0xdb, Buffer.of(0, 1, 2)))],
    ['a Huffman table with 255 codes of each length', after(baseline, segment(0xc4, Buffer.alloc(400, 255)))],
    [
      'a Huffman table with more codes than there are',
      after(baseline, segment(0xc4, Buffer.concat([Buffer.of(0, 3), zeroes]))),
    ],
    ['a Huffman table of number 255', after(baseline, segment(0xc4, Buffer.concat([Buffer.of(255), zeroes])))],
    ['a Huffman table of nothing', after(baseline, segment(0xc4, Buffer.alloc(17)))],
    ['Huffman tables that all stand for nothing', patched(baseline, 0xc4, 3, ...Buffer.alloc(16))],
    ['a scan of 5 components', patched(baseline, 0xda, 2, 5)],
    ['a scan of a component that is not there', patched(baseline, 0xda, 3, 77)],
    ['a scan of the same component thrice', patched(baseline, 0xda, 3, 1, 0, 1, 0x11, 1, 0x11)],
    ['a scan with tables that are not there', patched(baseline, 0xda, 4, 0x33)],
    ['a scan from the end to the beginning', patched(progressive, 0xda, 9, 63, 0)],
    ['a scan with 255 bits of refinement', patched(progressive, 0xda, 11, 0xff)],
    ['restarts after every block, without a mark', after(baseline, segment(0xdd, be(1, 2)))],
    ['a restart interval too long', after(baseline, segment(0xdd, Buffer.alloc(40)))],
    [
      'restart marks all over',
      Buffer.concat([
        baseline.subarray(0, -2),
        Buffer.alloc(40_000, Buffer.from('ffd0ffd3', 'hex')),
        baseline.subarray(-2),
      ]),
    ],
    ['a second image inside', Buffer.concat([baseline.subarray(0, -2), baseline])],
    ['two frames', after(baseline, baseline.subarray(find(baseline, 0xc0) - 2, find(baseline, 0xc0) + 17))],
    ['a segment longer than the file', after(baseline, segment(0xe5, Buffer.alloc(10), 65_535))],
    ['a segment of length 0', after(baseline, segment(0xe5, Buffer.alloc(10), 0))],
    ['a segment of length 1', after(baseline, segment(0xe5, Buffer.alloc(10), 1))],
    ['100,000 fill bytes', after(baseline, Buffer.alloc(100_000, 255))],
    ['100,000 empty segments', after(baseline, Buffer.alloc(400_000, Buffer.from('ffe50002', 'hex')))],
    ['a height told later', after(baseline, segment(0xdc, be(60_000, 2)))],
    ['markers that nobody knows', after(baseline, segment(0xf0, Buffer.alloc(9)), segment(0x02, Buffer.alloc(9)))],
    ['Adobe’s transform 255', after(baseline, segment(0xee, ascii('Adobe\0\x64\0\0\0\0\xff')))],
  ];
}

async function hidden(baseline: Buffer): Promise<[string, Buffer][]> {
  const exif = (body: Buffer) => segment(0xe1, Buffer.concat([ascii('Exif\0\0'), body]));
  const profile = (body: Buffer) => segment(0xe2, Buffer.concat([ascii('ICC_PROFILE\0\x01\x01'), body]));
  const orientation = (value: number) =>
    exif(Buffer.concat([ascii('MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01'), be(value, 2), Buffer.alloc(6)]));
  return [
    ['a comment with a script', after(baseline, segment(0xfe, ascii(canary)))],
    ['a comment with PHP', after(baseline, segment(0xfe, ascii(`<?php phpinfo(); ?>${canary}`)))],
    [
      'JavaScript in front of its tables',
      Buffer.concat([
        soi,
        Buffer.from('ffe02f2a', 'hex'),
        Buffer.alloc(0x2f28),
        ascii(`*/=1;${canary}/*`),
        baseline.subarray(2),
      ]),
    ],
    ['XMP with a script', after(baseline, segment(0xe1, ascii(`http://ns.adobe.com/xap/1.0/\0${canary}`)))],
    [
      'XMP with an external entity',
      after(
        baseline,
        segment(
          0xe1,
          ascii(
            `http://ns.adobe.com/xap/1.0/\0<!DOCTYPE x [<!ENTITY e SYSTEM "http://127.0.0.1:9/">]><x>&e;${canary}</x>`,
          ),
        ),
      ),
    ],
    [
      'EXIF that points at itself',
      after(baseline, exif(ascii('II*\0\x08\0\0\0\x01\0\x69\x87\x04\0\x01\0\0\0\x08\0\0\0\x08\0\0\0'))),
    ],
    ['EXIF that points beyond its end', after(baseline, exif(ascii('II*\0\xff\xff\xff\x7f')))],
    [
      'EXIF with 65,535 entries',
      after(baseline, exif(Buffer.concat([ascii('II*\0\x08\0\0\0\xff\xff'), Buffer.alloc(60_000, 0x41)]))),
    ],
    [
      'EXIF with values of 4 GB',
      after(baseline, exif(ascii('II*\0\x08\0\0\0\x01\0\x0e\x01\x02\0\xff\xff\xff\xff\x08\0\0\0\0\0\0\0'))),
    ],
    [
      'EXIF with a preview that is HTML',
      after(baseline, exif(Buffer.concat([ascii('II*\0\x08\0\0\0\0\0\0\0\0\0'), ascii(canary)]))),
    ],
    ['EXIF of nothing', after(baseline, exif(Buffer.alloc(0)))],
    ...[0, 9, 65_535].map((value): [string, Buffer] => [`orientation ${value}`, after(baseline, orientation(value))]),
    ['two orientations', after(baseline, orientation(6), orientation(3))],
    ['IPTC with a script', after(baseline, segment(0xed, ascii(`Photoshop 3.0\x008BIM\x04\x04\0\0\0\0${canary}`)))],
    ['a colour profile that is none', after(baseline, profile(Buffer.alloc(500, 0x41)))],
    [
      'a colour profile that lies about its length',
      after(baseline, profile(Buffer.concat([be(0x7fffffff, 4), Buffer.alloc(500)]))),
    ],
    ['part 9 of 3 of a colour profile', after(baseline, segment(0xe2, ascii('ICC_PROFILE\0\x09\x03xx')))],
    [
      'a JFIF preview larger than its segment',
      Buffer.concat([soi, segment(0xe0, ascii('JFIF\0\x01\x01\0\0\x01\0\x01\xff\xff')), baseline.subarray(2)]),
    ],
    ['a depth map behind its end', Buffer.concat([await phoneJpeg(64, 48), baseline, ascii(canary)])],
    ['1,000 comments of 4 KB', after(baseline, many(1_000, segment(0xfe, Buffer.alloc(4_000, 'x'))))],
  ];
}

/** Each scan has a few bytes but covers all blocks again. */
async function manyScans(): Promise<[string, Buffer][]> {
  const files: [string, Buffer][] = [['896 scans of 25 MP, all of them right', everyScan(5_000)]];
  for (const [edge, scans] of [
    [1_000, 500],
    [3_500, 5_000],
  ] as const) {
    const whole = await picture(16, 16).resize(edge, edge).greyscale().jpeg({ progressive: true }).toBuffer();
    // Repeats the last scan, without the end mark.
    const again = whole.subarray(whole.lastIndexOf(Buffer.of(0xff, 0xda)), -2);
    const count = Math.min(scans, Math.floor((5_000_000 - whole.length) / again.length));
    const bytes = Buffer.concat([whole.subarray(0, -2), many(count, again), whole.subarray(-2)]);
    files.push([`${count} times the same scan of ${edge} × ${edge}`, bytes]);
  }
  return files;
}

/** G.1: one scan for each bit of each coefficient, in the correct order. All are zero, in the longest possible runs. */
function everyScan(edge: number): Buffer {
  const blocks = Math.ceil(edge / 8) ** 2;
  const oneCode = (table: number, symbol: number) =>
    segment(0xc4, Buffer.concat([Buffer.of(table, 1), Buffer.alloc(15), Buffer.of(symbol)]));
  const scan = (coefficient: number, before: number, bit: number, data: Buffer) => [
    segment(0xda, Buffer.of(1, 1, 0, coefficient, coefficient, (before << 4) | bit)),
    data,
  ];
  const noDc = Buffer.alloc(Math.ceil(blocks / 8));
  // Code 0 means "the next 32,767 blocks are empty"; 14 bits give that number.
  const noAc = bits(`0${'1'.repeat(14)}`.repeat(Math.ceil(blocks / 32_767)));
  const scans: Buffer[] = [];
  for (let coefficient = 0; coefficient < 64; coefficient++) {
    for (let bit = 13; bit >= 0; bit--) {
      scans.push(...scan(coefficient, bit === 13 ? 0 : bit + 1, bit, coefficient === 0 ? noDc : noAc));
    }
  }
  return Buffer.concat([
    soi,
    segment(0xdb, Buffer.alloc(65, 1).fill(0, 0, 1)),
    segment(0xc2, Buffer.concat([Buffer.of(8), be(edge, 2), be(edge, 2), Buffer.of(1, 1, 0x11, 0)])),
    oneCode(0x00, 0),
    oneCode(0x10, 0xe0),
    ...scans,
    Buffer.from('ffd9', 'hex'),
  ]);
}

/** B.1.1.5: padded with ones, and a zero byte after each byte of eight ones. */
function bits(text: string): Buffer {
  const octets = text.match(/.{1,8}/g)!.map((eight) => Number.parseInt(eight.padEnd(8, '1'), 2));
  return Buffer.from(octets.flatMap((octet) => (octet === 255 ? [255, 0] : [octet])));
}
