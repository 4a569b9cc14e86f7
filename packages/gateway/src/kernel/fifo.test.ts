import { describe, expect, it } from 'vitest';
import { createFifo } from './fifo.ts';

describe('fifo', () => {
  it('keeps the order over many compactions', () => {
    const fifo = createFifo<number>();
    let pushed = 0;
    let taken = 0;
    for (let round = 0; round < 200; round++) {
      for (let i = 0; i < 100; i++) fifo.push(pushed++);
      for (let i = 0; i < 90; i++) expect(fifo.shift()).toBe(taken++);
    }
    expect(fifo.size).toBe(pushed - taken);
    while (fifo.size > 0) expect(fifo.shift()).toBe(taken++);
    expect(taken).toBe(pushed);
    expect(fifo.shift()).toBeUndefined();
  });

  it('puts back what was taken, also right after a compaction', () => {
    const fifo = createFifo<number>();
    for (let i = 0; i < 2_048; i++) fifo.push(i);
    for (let i = 0; i < 2_048; i++) {
      const item = fifo.shift()!;
      fifo.putBack(item);
      expect(fifo.size).toBe(2_048 - i);
      expect(fifo.shift()).toBe(i);
    }
  });
});
