import { sandboxBehaviour, testNumbers } from '@heliograph/sandbox';
import { describe, expect, it } from 'vitest';
import { isE164Digits } from './number.ts';
import {
  sandboxNumbers,
  sandboxPinnedHandsets,
  sandboxReceiptErrors,
  sandboxReceiptWaitMs,
  sandboxTestNumbers,
} from './sandbox.ts';

const isFictional = (number: string): boolean => /^1202555010[0-9]$|^120255501[1-9][0-9]$/.test(number);

describe('the sandbox as data', () => {
  it('has each number once, all of them valid and fictional', () => {
    const numbers = [...sandboxTestNumbers.map(({ number }) => number), ...Object.values(sandboxNumbers)];
    expect(new Set(numbers).size).toBe(numbers.length);
    for (const number of numbers)
      expect([number, isE164Digits(number), isFictional(number)]).toEqual([number, true, true]);
  });

  it('has every test number from 0100 to 0125', () => {
    const wanted = Array.from({ length: 26 }, (_, i) => `120255501${String(i).padStart(2, '0')}`);
    expect(sandboxTestNumbers.map(({ number }) => number)).toEqual(wanted);
  });

  it('pins ordinary handsets', () => {
    for (const number of sandboxPinnedHandsets) expect(sandboxBehaviour(number)).toBe(sandboxBehaviour('any other'));
  });

  it('has a sentence for each test number of the simulated carrier, and for no other', () => {
    expect(sandboxTestNumbers.map(({ number }) => number)).toEqual(testNumbers.map(({ number }) => number));
  });

  it('gives every failing number an err the gateway knows, or the plain one', () => {
    for (const { behaviour } of testNumbers) {
      for (const { stat, err } of behaviour.receipts) {
        if (stat === 'UNDELIV') expect(sandboxReceiptErrors.has(err) || err === '027').toBe(true);
        else expect(err).toBe('000');
      }
    }
    const used = testNumbers.flatMap(({ behaviour }) => behaviour.receipts.map(({ err }) => err));
    for (const err of sandboxReceiptErrors.keys()) expect(used).toContain(err);
  });

  it('waits less for the receipt that never comes, and only for that one', () => {
    expect(sandboxReceiptWaitMs('12025550115')).toBe(120_000);
    expect(sandboxBehaviour('12025550115').receipts).toEqual([]);
    expect(sandboxReceiptWaitMs('12025550100')).toBeNull();
    expect(sandboxReceiptWaitMs('4915112345678')).toBeNull();
  });
});
