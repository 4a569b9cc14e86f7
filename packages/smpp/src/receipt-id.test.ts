/** Ids in one spelling in the answer and in another in the receipt. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type IdMatch, idForms, normalReceiptId, receiptIdCandidates, receiptIdMatch } from './receipt-id.ts';

const pairs: [receipt: string, answered: string, match: IdMatch][] = [
  ['abc', 'abc', 'exact'],
  ['ABC', 'abc', 'case'],
  ['1102c1-FF', '1102C1-ff', 'case'],
  ['0000123', '123', 'zeros'],
  ['123', '00123', 'zeros'],
  ['B8BE19', '00b8be19', 'zeros'],
  ['0972660181', '39f99dd5', 'dec_to_hex'],
  ['281605133', '10C8F40D', 'dec_to_hex'],
  ['18446744073709551615', 'FFFFFFFFFFFFFFFF', 'dec_to_hex'],
  ['39F99DD5', '972660181', 'hex_to_dec'],
  ['039f99dd5', '0972660181', 'hex_to_dec'],
  ['-1', 'ffffffff', 'signed'],
  ['-1', '4294967295', 'signed'],
  ['4294967295', '-1', 'signed'],
  ['ffffffff', '-1', 'signed'],
  ['-1', 'ffffffffffffffff', 'signed'],
  ['-1322307115', 'B12F31D5', 'signed'],
  ['C87C22737EDB4bc78d3a7f57f21b625e', 'c87c2273-7edb-4bc7-8d3a-7f57f21b625e', 'hyphens'],
  ['c87c2273-7edb-4bc7-8d3a-7f57f21b625e', 'C87C22737EDB4BC78D3A7F57F21B625E', 'hyphens'],
  ['E999F21-81EF-4974-A414-3DE98174E3C7', '0e999f21-81ef-4974-a414-3de98174e3c7', 'zeros'],
  ['e999f2181ef4974a4143de98174e3c7', '0e999f21-81ef-4974-a414-3de98174e3c7', 'hyphens'],
  ['0x1A2B3C4D', '1a2b3c4d', 'prefix'],
  ['166157226230786151566598729', '897129485DA9D1EB9CE249', 'dec_to_hex'],
];

describe('ids', () => {
  it.each(pairs)('receipt %s belongs to answer %s: %s', (receipt, answered, match) => {
    expect(receiptIdMatch(receipt, answered, idForms)).toBe(match);
    const [exact, ...others] = receiptIdCandidates(receipt, idForms);
    expect(exact).toBe(receipt);
    expect(exact === answered || others.includes(normalReceiptId(answered))).toBe(true);
  });

  it('are not converted to another base unless the carrier is known for it', () => {
    expect(receiptIdMatch('0972660181', '39f99dd5')).toBeUndefined();
    expect(receiptIdCandidates('0972660181')).toEqual(['0972660181', '972660181']);
    expect(receiptIdMatch('281605133', '10C8F40D', ['hex_to_dec'])).toBeUndefined();
  });

  it('that differ do not match in any form', () => {
    for (const [a, b] of [
      ['abc', 'abd'],
      ['123', '1230'],
      ['', '0'],
      ['0', '00x'],
      ['x1', 'x01'],
    ] as const) {
      expect(receiptIdMatch(a, b, idForms)).toBeUndefined();
    }
  });

  it('of any characters never throw, and long ones are only compared', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 100 }), (id) => {
        expect(receiptIdCandidates(id, idForms)[0]).toBe(id);
        expect(receiptIdMatch(id, id, idForms)).toBe('exact');
      }),
    );
    expect(receiptIdCandidates('1'.repeat(65), idForms)).toEqual(['1'.repeat(65), '1'.repeat(65)]);
  });

  it('keep their value: equal numbers match, others do not', () => {
    const two = fc.tuple(fc.bigInt({ min: 1n, max: 2n ** 80n }), fc.bigInt({ min: 1n, max: 2n ** 80n }));
    fc.assert(
      fc.property(two, ([a, b]) => {
        expect(receiptIdMatch(String(a), a.toString(16), ['dec_to_hex'])).toBeDefined();
        if (a !== b && String(a) !== b.toString(16)) {
          expect(receiptIdMatch(String(a), b.toString(16), ['dec_to_hex'])).toBeUndefined();
        }
      }),
    );
  });
});
