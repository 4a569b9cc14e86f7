import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { createFifo, PassingMap } from './passing.ts';

const step = fc.record({ kind: fc.constantFrom('set', 'set', 'set', 'delete', 'clear'), key: fc.nat(40) });

test('it is a Map, in its order too, whatever comes and goes', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
      const passing = new PassingMap<number, number>();
      const plain = new Map<number, number>();
      steps.forEach(({ kind, key }, place) => {
        if (kind === 'clear' && place % 50 === 0) {
          passing.clear();
          plain.clear();
        } else if (kind === 'delete') {
          expect(passing.delete(key)).toBe(plain.delete(key));
        } else {
          passing.set(key, place);
          plain.set(key, place);
        }
        expect(passing.size).toBe(plain.size);
        expect(passing.get(key)).toBe(plain.get(key));
      });
      expect([...passing.values()]).toEqual([...plain.values()]);
    }),
  );
});

describe('fifo', () => {
  it('keeps the order over many compactions', () => {
    const fifo = createFifo<number>();
    let pushed = 0;
    let taken = 0;
    for (let round = 0; round < 200; round++) {
      for (let i = 0; i < 100; i++) fifo.push(pushed++);
      for (let i = 0; i < 90; i++) {
        expect(fifo.first()).toBe(taken);
        expect(fifo.shift()).toBe(taken++);
      }
    }
    expect(fifo.size).toBe(pushed - taken);
    while (fifo.size > 0) expect(fifo.shift()).toBe(taken++);
    expect(taken).toBe(pushed);
    expect(fifo.first()).toBeUndefined();
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
