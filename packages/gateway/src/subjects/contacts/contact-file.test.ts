import fc from 'fast-check';
import { expect, it } from 'vitest';
import { contactCsv, readContactCsv } from './contact-file.ts';

const written = (name: string, note: string): string =>
  contactCsv([{ contact: '12025550100', name, note, tags: [], updatedAt: 0 }], true);
const read = (name: string, note: string) => readContactCsv(written(name, note));

it.each(["'=A1", "''=A1", "' +1", "'-5", "'@x", "'", "''", "'tis", '=A1', '-5', '+5', '\u{ff1d}A1', "'\u{ff1d}A1"])(
  'an export of %s can be imported again',
  (text) => {
    expect(read(text, text)).toEqual([{ contact: '12025550100', name: text, note: text, tags: [''] }]);
    // A spreadsheet would run it.
    expect(written(text, '')).not.toMatch(/,"?[=+@\uff1d]/);
  },
);

it('an export of any text can be imported again', () => {
  const text = fc.string({ unit: fc.constantFrom("'", '=', '-', '+', '\t', ' ', '1', '"', ',', 'a', '\r', '\n') });
  fc.assert(
    fc.property(text, (one) => {
      expect(read('x', one)).toMatchObject([{ note: one }]);
    }),
  );
});
