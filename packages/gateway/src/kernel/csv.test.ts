import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvCell, plainCell, readCsv } from './csv.ts';

describe('a cell', () => {
  it.each(['=1+1', '+1', '-1+1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', ' =1', '\u200b=1', '＝1', '=cmd|"/c calc"!A1'])(
    'SEC-60: %j stays a text in a spreadsheet',
    (value) => {
      expect(csvCell(value).startsWith(`"'`)).toBe(true);
    },
  );

  it.each(['', 'asked by phone', 'a=b', '12025550100', 'campaign:C1', '-5', '-0.25', "it's"])(
    'leaves %j as it is',
    (value) => {
      expect(csvCell(value)).toBe(value);
    },
  );

  it.each([',', ';'])('can be read again between "%s", whatever it holds', (separator) => {
    const text = fc.oneof(
      fc.string({ maxLength: 30 }),
      fc.constantFrom('=1', "'=1", "''-1", '-5', 'a;b', 'a,b', '"', '\r\n', ' +'),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text), { maxLength: 5 }), (rows) => {
        const quoted = (cell: string) =>
          /[";]/.test(cell) && !cell.startsWith('"') ? `"${cell.replaceAll('"', '""')}"` : cell;
        const lines = rows.map((row) => row.map((one) => quoted(csvCell(one))).join(separator));
        const file = ['one', 'two'].join(separator).concat('\r\n', ...lines.map((line) => `${line}\r\n`));
        const table = readCsv(file) as string[][];
        expect(table.slice(1).map((row) => row.map(plainCell))).toEqual(rows);
      }),
      { numRuns: 300 },
    );
  });
});

describe('a file', () => {
  const rows = [
    ['contact', 'reason'],
    ['12025550100', 'a, b'],
  ];

  it.each([
    ['commas', 'contact,reason\r\n12025550100,"a, b"\r\n'],
    ['semicolons, as where the decimal separator is a comma', 'contact;reason\r\n12025550100;a, b\r\n'],
    ['a byte order mark', '\ufeffcontact;reason\n12025550100;a, b'],
    ['empty lines', 'contact,reason\n\n12025550100,"a, b"\n\n'],
  ])('may have %s', (_, text) => {
    expect(readCsv(text)).toEqual(rows);
  });

  it('with commas in its first line may have semicolons in its cells', () => {
    expect(readCsv('contact,tags\n1,a;b\n')).toEqual([
      ['contact', 'tags'],
      ['1', 'a;b'],
    ]);
    expect(readCsv('contact;tags\n1;"a;b"\n')).toEqual([
      ['contact', 'tags'],
      ['1', 'a;b'],
    ]);
  });

  it('is refused with a sentence where it cannot be read', () => {
    expect(readCsv('a,b\n"c,d')).toBe('row 2: a quote stands where none may');
    expect(readCsv(`a,b\n${'c'.repeat(1_001)},d`)).toBe('row 2: a cell has more than 1000 characters');
  });
});
