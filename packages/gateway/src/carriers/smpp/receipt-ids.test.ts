/** Ids written one way in answers and another in receipts: matched, and never to another message. */
import { normalReceiptId } from '@heliograph/smpp';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createReceiptIds } from './receipt-ids.ts';

type Spelling = (value: bigint) => string;

const dec: Spelling = (value) => value.toString(10);
const hex: Spelling = (value) => value.toString(16);
const upper: Spelling = (value) => hex(value).toUpperCase();
const decPadded: Spelling = (value) => dec(value).padStart(10, '0');
const hexPadded: Spelling = (value) => upper(value).padStart(8, '0');
const signed: Spelling = (value) => BigInt.asIntN(32, value).toString(10);
const uuid: Spelling = (value) => {
  const digits = hex(value * 0x9e3779b97f4a7c15f39cc0605cedc835n)
    .padStart(32, '0')
    .slice(-32);
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
};
const uuidBare: Spelling = (value) => uuid(value).replaceAll('-', '');
const long: Spelling = (value) => dec(value + 2n ** 70n);
const longHex: Spelling = (value) => hex(value + 2n ** 70n);
const named: Spelling = (value) => `MSG-${value}-F`;

const formats: [name: string, answer: Spelling, receipt: Spelling][] = [
  ['decimal in both', dec, dec],
  ['hexadecimal in both', hex, hex],
  ['lower and upper case', hex, upper],
  ['padded in the answer', decPadded, dec],
  ['padded in the receipt', upper, hexPadded],
  ['hexadecimal, then decimal', upper, dec],
  ['hexadecimal with zeros, then decimal with zeros', hexPadded, decPadded],
  ['decimal, then hexadecimal', dec, hex],
  ['decimal with zeros, then hexadecimal with zeros', decPadded, hexPadded],
  ['UUID', uuid, (value) => uuid(value).toUpperCase()],
  ['UUID, then without hyphens', uuid, uuidBare],
  ['without hyphens, then UUID', uuidBare, uuid],
  ['unsigned, then signed', dec, signed],
  ['signed, then unsigned', signed, dec],
  ['hexadecimal, then signed', hexPadded, signed],
  ['over 64 bits', long, long],
  ['over 64 bits, hexadecimal, then decimal', longHex, long],
  ['0x in the receipt', hex, (value) => `0x${upper(value)}`],
  ['letters and digits', named, (value) => named(value).toLowerCase()],
];

/** Does what the store does: takes the most likely key on record, if it belongs to one message only. */
function createRecord() {
  const values = new Map<string, Set<bigint>>();
  return {
    put: (id: string, value: bigint): void => {
      const key = normalReceiptId(id);
      values.set(key, (values.get(key) ?? new Set()).add(value));
    },
    find: (keys: string[]): bigint | null => {
      const found = keys.map((key) => values.get(key)).find((set) => set !== undefined);
      return found?.size === 1 ? [...found][0]! : null;
    },
  };
}

/** All to one handset, the worst case. Undecided receipts are tried again at the end. */
function play(values: bigint[], order: bigint[], [, answer, receipt]: (typeof formats)[number]) {
  const ids = createReceiptIds('auto');
  const record = createRecord();
  for (const value of values) {
    ids.answered(answer(value), '1');
    record.put(answer(value), value);
  }
  const found = new Map<bigint, bigint | null>();
  const ask = (value: bigint): void => {
    const keys = ids.keysOf([receipt(value)], '1');
    if (keys !== null) found.set(value, record.find(keys));
  };
  for (const value of order) {
    ids.received([receipt(value)], '1');
    ask(value);
  }
  for (const value of order) if (!found.has(value)) ask(value);
  const matches = [...found].filter(([, match]) => match !== null);
  const right = matches.filter(([value, match]) => value === match).length;
  return { right, wrong: matches.length - right };
}

const from = (first: bigint, count: number) => Array.from({ length: count }, (_, i) => first + BigInt(i));
const everySeventh = <T>(items: T[]): T[] => items.map((_, i) => items[(i * 7919) % items.length]!);

describe('ids of a carrier about which nothing is known', () => {
  it.each(formats)('%s: all found, none wrong', (...format) => {
    for (const first of [0x10c8f40dn, 972_660_181n, 3_000_000_000n]) {
      const values = from(first, 307);
      for (const order of [values, values.toReversed(), everySeventh(values)]) {
        expect(play(values, order, format)).toEqual({ right: values.length, wrong: 0 });
      }
    }
  });

  it.each(formats)('%s: all found, none wrong, although every id may be another in another base', (...format) => {
    const values = from(1n, 709);
    for (const order of [values, values.toReversed(), everySeventh(values)]) {
      expect(play(values, order, format)).toEqual({ right: values.length, wrong: 0 });
    }
  });

  it('any population in any format: none wrong', () => {
    const population = fc.uniqueArray(fc.bigInt({ min: 1n, max: 2n ** 32n - 1n }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(population, fc.constantFrom(...formats), (values, format) => {
        expect(play(values, values, format).wrong).toBe(0);
      }),
      { numRuns: 200 },
    );
  });
});

const receiptOf = (ids: ReturnType<typeof createReceiptIds>, id: string, handset: string | null = '1') => {
  ids.received([id], handset);
  return ids.keysOf([id], handset);
};

describe('what is learnt', () => {
  it('is nothing without answers: all readings of a long id, a short one as it is', () => {
    const ids = createReceiptIds('auto');
    expect(receiptOf(ids, '0972660181')).toEqual(['972660181', '39f99dd5', '40573993345']);
    expect(receiptOf(ids, '16')).toEqual(['16']);
    expect(receiptOf(ids, 'MSG-1')).toEqual(['msg-1']);
    expect(receiptOf(ids, '')).toEqual([]);
  });

  it('is nothing without answers: for a named handset six hexadecimal digits are enough, which are seven in decimal', () => {
    const ids = createReceiptIds('auto');
    expect(receiptOf(ids, '0012107289')).toEqual(['12107289', 'b8be19', '303067785']);
    expect(receiptOf(ids, '00B8BE19')).toEqual(['b8be19', '12107289']);
    expect(receiptOf(ids, '0012107289', null)).toEqual(['12107289', '303067785']);
    expect(receiptOf(ids, '0000041459')).toEqual(['41459']);
  });

  it('from four receipts: from then on no other reading is tried', () => {
    const ids = createReceiptIds('auto');
    for (const value of from(0x39f99dd5n, 4)) {
      ids.answered(upper(value), '1');
      expect(receiptOf(ids, decPadded(value))).toEqual([hex(value)]);
    }
    expect(receiptOf(ids, '5000000000')).toEqual(['12a05f200']);
    expect(receiptOf(ids, 'ABCDEF12')).toEqual(['abcdef12', '-1412567278']);
  });

  it('of answers that no receipt has looked up yet: from the newest five to ten thousand', () => {
    const first = 0x39f99dd5n;
    const idsOf = (value: bigint): string[] | null => {
      const ids = createReceiptIds('auto');
      for (const answered of from(first, 16_000)) ids.answered(upper(answered), '1');
      return receiptOf(ids, decPadded(value));
    };
    for (const place of [15_999n, 15_000n, 11_000n, 10_000n]) {
      expect(idsOf(first + place)).toEqual([hex(first + place)]);
    }
    // Too long ago: all readings are returned.
    expect(idsOf(first + 9_999n)).toHaveLength(3);
  });

  it('does not hide what was answered in so many words', () => {
    const ids = createReceiptIds('auto');
    for (const value of from(0x39f99dd5n, 9)) {
      ids.answered(upper(value), '1');
      receiptOf(ids, decPadded(value));
    }
    ids.answered('12345678', '1');
    expect(receiptOf(ids, '12345678')).toEqual(['bc614e', '12345678']);
  });

  it('not from the receipts of another handset', () => {
    const ids = createReceiptIds('auto');
    for (const value of from(0x39f99dd5n, 9)) ids.answered(upper(value), '1');
    for (const value of from(0x39f99dd5n, 9)) expect(receiptOf(ids, decPadded(value), '2')).toHaveLength(3);
  });

  it('anew when the carrier changes its ways', () => {
    const ids = createReceiptIds('auto');
    const values = from(0x39f99dd5n, 200);
    for (const value of values) {
      ids.answered(upper(value), '1');
      receiptOf(ids, dec(value));
    }
    for (const value of values) receiptOf(ids, upper(value));
    expect(receiptOf(ids, '39999999')).toEqual(['39999999']);
  });

  it('for the TLV and for the text apart', () => {
    const ids = createReceiptIds('auto');
    for (const value of from(0x39f99dd5n, 9)) {
      ids.answered(upper(value), '1');
      ids.received([upper(value), decPadded(value)], '1');
    }
    expect(ids.keysOf(['39999999', '0966367641'], '1')).toEqual(['39999999']);
  });

  it('is not needed where the profile says it', () => {
    expect(createReceiptIds('string').keysOf(['16'], '1')).toEqual(['16']);
    expect(createReceiptIds('resp-hex').keysOf(['0972660181'], '1')).toEqual(['39f99dd5']);
    expect(createReceiptIds('receipt-hex').keysOf(['39F99DD5'], '1')).toEqual(['972660181']);
    expect(createReceiptIds('resp-hex').keysOf(['MSG-1'], '1')).toEqual(['msg-1']);
    expect(createReceiptIds('resp-hex').keysOf(['10', '0000000016'], '1')).toEqual(['10']);
  });
});

describe('the handset', () => {
  it('is the source, until answers show that the carrier does not turn the addresses around', () => {
    const ids = createReceiptIds('auto');
    expect(ids.handsetOf(['a'], 'handset', 'sender')).toBe('handset');
    for (const id of ['a', 'b', 'c', 'd']) {
      ids.answered(id, 'handset');
      expect(ids.handsetOf([id], 'sender', 'handset')).toBe('handset');
    }
    expect(ids.handsetOf(['unknown'], 'sender', 'another')).toBe('another');
    expect(ids.handsetOf(['a'], 'handset', 'sender')).toBe('handset');
  });
});
