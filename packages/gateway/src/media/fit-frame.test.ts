import { describe, expect, it } from 'vitest';
import { createFrameReader, encodeFrame } from './fit-frame.ts';

const first = encodeFrame({ kind: 'a' }, Buffer.from('one'));
const second = encodeFrame({ kind: 'b' }, Buffer.alloc(0));

describe('frames', () => {
  it.each([1, 2, 7, 8, 9, 1_000])('arrive whole in pieces of %i bytes', (size) => {
    const reader = createFrameReader(100);
    const bytes = Buffer.concat([first, second, first]);
    const got = [];
    for (let at = 0; at < bytes.length; at += size) got.push(...reader.read(bytes.subarray(at, at + size))!);
    expect(got.map(({ head, body }) => [head, body.toString()])).toEqual([
      [{ kind: 'a' }, 'one'],
      [{ kind: 'b' }, ''],
      [{ kind: 'a' }, 'one'],
    ]);
  });

  it('larger than allowed are refused before they are there', () => {
    expect(createFrameReader(2).read(first.subarray(0, 8))).toBeNull();
    expect(createFrameReader(3).read(first)).toHaveLength(1);
    const longHead = Buffer.from('0000040100000000', 'hex');
    expect(createFrameReader(100).read(longHead)).toBeNull();
  });

  it('that hold no JSON are refused', () => {
    expect(createFrameReader(100).read(Buffer.from('000000010000000078', 'hex'))).toBeNull();
  });
});
