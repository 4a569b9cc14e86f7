import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PassingMap } from './passing-map.ts';

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
