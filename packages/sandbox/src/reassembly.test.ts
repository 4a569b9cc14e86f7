import type { SmContent } from '@heliograph/smpp';
import { describe, expect, it } from 'vitest';
import { createReassembly } from './reassembly.ts';

function part(text: string | null, sequence: number, total: number, reference = 1, bits: 8 | 16 = 8): SmContent {
  return { text, octets: null, encoding: 'GSM-7', concat: { reference, bits, total, sequence } };
}

describe('reassembly', () => {
  it('passes a text in one part through', () => {
    const whole = createReassembly().add('1', '2', { text: 'hi', octets: null, encoding: 'GSM-7', concat: null }, 0);
    expect(whole).toEqual({ text: 'hi', encoding: 'GSM-7', parts: 1 });
  });

  it('accepts parts in any order, repeated ones too', () => {
    const parts = createReassembly();
    expect(parts.add('1', '2', part('c', 3, 3), 0)).toBeNull();
    expect(parts.add('1', '2', part('a', 1, 3), 0)).toBeNull();
    expect(parts.add('1', '2', part('a', 1, 3), 0)).toBeNull();
    expect(parts.add('1', '2', part('b', 2, 3), 0)).toEqual({ text: 'abc', encoding: 'GSM-7', parts: 3 });
    expect(parts.add('1', '2', part('b', 2, 3), 0)).toBeNull();
  });

  it('keeps senders, handsets, references and totals apart', () => {
    const parts = createReassembly();
    expect(parts.add('1', '2', part('a', 1, 2), 0)).toBeNull();
    expect(parts.add('9', '2', part('b', 2, 2), 0)).toBeNull();
    expect(parts.add('1', '9', part('b', 2, 2), 0)).toBeNull();
    expect(parts.add('1', '2', part('b', 2, 2, 7), 0)).toBeNull();
    expect(parts.add('1', '2', part('b', 2, 2, 1, 16), 0)).toBeNull();
    expect(parts.add('1', '2', part('b', 2, 3), 0)).toBeNull();
    expect(parts.add('1', '2', part('b', 2, 2), 0)?.text).toBe('ab');
  });

  it('yields no text when one part is not text', () => {
    const parts = createReassembly();
    parts.add('1', '2', part('a', 1, 2), 0);
    expect(parts.add('1', '2', part(null, 2, 2), 0)).toMatchObject({ text: null, parts: 2 });
  });

  it('drops the oldest of too many, and texts ten minutes old', () => {
    const parts = createReassembly();
    parts.add('old', '2', part('a', 1, 2), 0);
    for (let i = 0; i < 1_000; i++) parts.add(`${i}`, '2', part('a', 1, 2), 1);
    expect(parts.add('old', '2', part('b', 2, 2), 1)).toBeNull();
    expect(parts.add('999', '2', part('b', 2, 2), 2)?.text).toBe('ab');
    expect(parts.add('998', '2', part('b', 2, 2), 600_002)).toBeNull();
  });
});
