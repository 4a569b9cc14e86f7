import { describe, expect, it } from 'vitest';
import { readAddress, readAddressList, readableAddresses, readMailbox } from './address.ts';

describe('an address', () => {
  it.each([
    ['+12025550123/TYPE=PLMN', '12025550123'],
    ['+12025550123/type=plmn@mms.carrier.example', '12025550123'],
    ['+12025550123@mms.carrier.example', '12025550123'],
    ['12025550123@mms.carrier.example', '12025550123'],
    ['72345@mms.carrier.example', '72345'],
    ['72345', '72345'],
    ['+1 (202) 555-0123', '12025550123'],
    ['ann@carrier.example', 'ann@carrier.example'],
    ['1ann@carrier.example', '1ann@carrier.example'],
    ['12@carrier.example', '12@carrier.example'],
    ['+12025550123@', null],
    ['+12025550123@-x.example', null],
    ['+1234567890123456/TYPE=PLMN', null],
    ['+12025550123/TYPE=IPv4', null],
    ['', null],
  ])('%s is %s', (written, address) => {
    expect(readAddress(written)).toBe(address);
  });
});

describe('a list of addresses', () => {
  it.each([
    ['"Doe, Jane" <+12025550123@a.example>, 72345', ['12025550123', '72345']],
    ['"Doe \\"JJ\\", <x> (y); z:" <+12025550123/TYPE=PLMN>', ['12025550123']],
    ['Jane Doe <jane@a.example> (at work, today)', ['jane@a.example']],
    ['+12025550123/TYPE=PLMN (Doe, (nested \\) still) Jane)', ['12025550123']],
    ['(before) +12025550123@a.example (behind), (202) 555-0124/TYPE=PLMN', ['12025550123', '2025550124']],
    ['=?UTF-8?B?SsO8cmdlbg==?= <+12025550123@a.example>', ['12025550123']],
    ['"+12025550123"@a.example', ['12025550123']],
    ['<"+12025550123"@a.example>', ['12025550123']],
    [' , 72345 ,, 12025550123 ', ['72345', '12025550123']],
    ['', []],
  ])('%s', (field, addresses) => {
    expect(readAddressList(field, 10)).toEqual(addresses);
    expect(readableAddresses(field, 10)).toEqual(addresses);
  });

  it('is read as far as it can be', () => {
    expect(readableAddresses('10.0.0.1/TYPE=IPv4, 72345, you, 12025550123', 10)).toEqual(['72345', '12025550123']);
    expect(readableAddresses('Undisclosed recipients:;', 10)).toEqual([]);
    expect(readableAddresses('72345,'.repeat(11), 10)).toBeNull();
  });

  it.each([
    ['a group', 'Friends: +12025550123, 72345;'],
    ['a group of nobody', 'Undisclosed recipients:;'],
    ['quotes without an end', '"Doe, Jane <+12025550123>'],
    ['a comment without an end', '(Doe <+12025550123>'],
    ['a comment without a beginning', 'Doe) <+12025550123>'],
    ['brackets without an end', 'Doe <+12025550123'],
    ['brackets in brackets', '<<+12025550123>>'],
    ['two addresses in one', '<+12025550123> <+12025550124>'],
    ['words behind the brackets', '<+12025550123> Doe'],
    ['a route', '<@a.example:+12025550123@b.example>'],
    ['a name alone', '"+12025550123"'],
  ])('is refused: %s', (_name, field) => {
    expect(readAddressList(field, 10)).toBeNull();
  });

  it('is refused when it is too long, and read in linear time in any form', () => {
    expect(readAddressList('72345,'.repeat(11), 10)).toBeNull();
    for (const field of [
      '"'.repeat(32_001),
      '('.repeat(32_000),
      '<'.repeat(32_000),
      ','.repeat(32_000),
      '"\\'.repeat(16_000),
    ])
      expect([null, []]).toContainEqual(readAddressList(field, 10));
  });
});

describe('a mailbox', () => {
  it.each([
    ['mms-system@mmsc.example', 'mms-system@mmsc.example'],
    ['"Carrier, MMSC" <mms-system@mmsc.example>', 'mms-system@mmsc.example'],
    ['MMSC <mms-system@mmsc.example> (east)', 'mms-system@mmsc.example'],
    ['"mms-system@mmsc.example"', ''],
    ['<+12025550123/TYPE=PLMN@mmsc.example>', '+12025550123/TYPE=PLMN@mmsc.example'],
    ['a@b.example, c@d.example', ''],
    ['MMSC', ''],
    ['', ''],
  ])('%s', (field, address) => {
    expect(readMailbox(field)).toBe(address);
  });
});
