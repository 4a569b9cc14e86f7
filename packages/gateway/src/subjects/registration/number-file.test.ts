import { describe, expect, it } from 'vitest';
import { numberEntriesMax, readNumberCsv } from './number-file.ts';

describe('a table of numbers', () => {
  it('keeps a name that sends as it is', () => {
    expect(readNumberCsv('number,name\nAcme-Shop 1,Main\n')).toMatchObject([{ number: 'Acme-Shop 1', fault: null }]);
  });

  it('says what each is to be, and nothing it does not name', () => {
    const text =
      '\ufeffNumber,name,sms,mms,campaign,why_not\r\n1 (202) 555-0142,"Shop, Austin",on,no,C1,x\r\n12025550143,\'=A,0,true,,\r\n';
    expect(readNumberCsv(text)).toEqual([
      {
        entry: 1,
        number: '12025550142',
        fault: null,
        change: { name: 'Shop, Austin', smsEnabled: true, mmsEnabled: false, campaignId: 'C1' },
      },
      { entry: 2, number: '12025550143', fault: null, change: { name: '=A', smsEnabled: false, campaignId: null } },
    ]);
    expect(readNumberCsv('number\n12025550142\n')).toEqual([
      { entry: 1, number: '12025550142', change: {}, fault: null },
    ]);
  });

  it('reports each unreadable cell', () => {
    const text = `number,sms,messages_per_second,name\n,maybe,-1,${'n'.repeat(65)}\n`;
    const [entry] = readNumberCsv(text) as { fault: string }[];
    for (const word of ['number', 'sms', 'messages_per_second', 'name']) expect(entry!.fault).toContain(word);
  });

  it.each([
    ['', 'number'],
    ['name\nx\n', 'number'],
    ['number,number\n1,2\n', 'same name'],
    ['number,sms\n12025550142\n', '1 cells'],
    ['number\n"1', 'quote'],
    [`number\n${'1\n'.repeat(numberEntriesMax + 1)}`, 'more than'],
  ])('%j is none', (text, words) => {
    expect(readNumberCsv(text)).toContain(words);
  });
});
