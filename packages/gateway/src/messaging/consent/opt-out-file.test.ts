import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OptOut } from '../store/items.ts';
import { entriesMax, optOutCsv, readOptOutCsv } from './opt-out-file.ts';

const row: OptOut = {
  accountId: 'acc1',
  scope: 'campaign:C1',
  contact: '12025550100',
  at: 1_700_000_000_000,
  how: 'keyword',
  reason: '',
  evidenceMessageId: 'msg_1',
};

describe('export', () => {
  it('has a header and a line per entry, in pages if need be', () => {
    expect(optOutCsv([row, { ...row, reason: 'by "phone", twice', evidenceMessageId: null }])).toBe(
      'contact,scope,how,at,reason,evidenceMessageId\r\n' +
        '12025550100,campaign:C1,keyword,2023-11-14T22:13:20.000Z,,msg_1\r\n' +
        '12025550100,campaign:C1,keyword,2023-11-14T22:13:20.000Z,"by ""phone"", twice",\r\n',
    );
    expect(optOutCsv([row], false).split('\r\n')).toHaveLength(2);
    expect(optOutCsv([])).toBe('contact,scope,how,at,reason,evidenceMessageId\r\n');
  });

  it('for a spreadsheet can be read again: its numbers stand in groups, other columns are left out', () => {
    const table =
      '\ufeffcontact,contact_digits,scope,at_local,reason\r\n1 202 555 0100,12025550100,campaign:C1,x,asked\r\n';
    expect(readOptOutCsv(table)).toEqual({
      kind: 'entries',
      entries: [{ contact: row.contact, scope: row.scope, reason: 'asked' }],
    });
  });

  it('of a keyword can be read again with how and when for a reason', () => {
    expect(readOptOutCsv(optOutCsv([row]))).toEqual({
      kind: 'entries',
      entries: [{ contact: row.contact, scope: row.scope, reason: 'keyword, 2023-11-14T22:13:20.000Z' }],
    });
  });

  it('can be read again', () => {
    const text = fc.string({ maxLength: 30 });
    fc.assert(
      fc.property(fc.array(text, { maxLength: 5 }), (reasons) => {
        const read = readOptOutCsv(optOutCsv(reasons.map((reason) => ({ ...row, reason }))));
        expect(read.kind === 'entries' && read.entries.map((one) => one.contact)).toEqual(
          reasons.map(() => row.contact),
        );
        expect(read.kind === 'entries' && read.entries.every(({ scope }) => scope === row.scope)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});

describe('import', () => {
  const entries = (text: string) => {
    const read = readOptOutCsv(text);
    return read.kind === 'entries' ? read.entries : read.detail;
  };

  it.each(['\r\n', '\n', '\r'])('reads lines that end in %j, quotes, blanks and a byte order mark', (end) => {
    const lines = ['\ufeffContact, reason ,campaign', '12025550100,"said ""no"", firmly",C1', '', '12025550101,moved,'];
    expect(entries(lines.join(end))).toEqual([
      { contact: '12025550100', reason: 'said "no", firmly', campaign: 'C1' },
      { contact: '12025550101', reason: 'moved' },
    ]);
    expect(entries(lines.join(end) + end)).toHaveLength(2);
  });

  it.each([
    ['', 'first line'],
    ['contact\n12025550100', 'first line'],
    ['contact,reason,contact\n1,2,3', 'same name'],
    ['contact,reason\n12025550100', 'entry 1 has 1 cells'],
    ['contact,reason\na,b\nc,d,e', 'entry 2 has 3 cells'],
    ['contact,reason\na,"b', 'a quote'],
    ['contact,reason\na,"b"c', 'a quote'],
    ['contact,reason\na,b"c', 'a quote'],
    [`contact,reason\na,${'b'.repeat(1_001)}`, 'more than 1000'],
    [`contact,reason\n${'a,b\n'.repeat(entriesMax + 1)}`, 'more than 10000'],
  ])('says what is wrong with %j', (text, why) => {
    expect(entries(text)).toContain(why);
  });

  it('takes as many entries as it says, and no key of the language for a column', () => {
    expect(entries(`contact,reason\n${'a,b\n'.repeat(entriesMax)}`)).toHaveLength(entriesMax);
    expect(entries('contact,reason,__proto__\na,b,c')).toEqual([{ contact: 'a', reason: 'b' }]);
  });

  it('takes any text, in linear time', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', '\r', ' '), maxLength: 80 }), (text) => {
        expect(['entries', 'unreadable']).toContain(readOptOutCsv(`contact,reason\n${text}`).kind);
      }),
      { numRuns: 1_000 },
    );
    expect(entries(`contact,reason\na,"${'""'.repeat(500_000)}`)).toContain('a quote');
    expect(entries(`contact,reason\na,${','.repeat(500_000)}`)).toContain('entry 1 has');
  });
});
