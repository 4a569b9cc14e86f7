/** The words on the screen are the words of the search, and a form writes them. */
import '../../language/english';

import { describe, expect, it } from 'vitest';
import {
  chipText,
  formValuesOf,
  keyValues,
  offeredValues,
  reasonValues,
  searchValues,
  withFormValues,
  withValue,
} from './search-values';

describe('a chip', () => {
  it('says a time of day as it is read, and a day as it was written', () => {
    const moment = (at: string) => `(${at})`;
    expect(chipText('after:2026-11-26T10:04Z', moment)).toBe('From (2026-11-26T10:04Z)');
    expect(chipText('before:2026-11-26T10:05:30Z', moment)).toBe('Until (2026-11-26T10:05:30Z)');
    expect(chipText('after:2026-11-26', moment)).toBe('From day: 2026-11-26');
    expect(chipText('after:2026-11-26Tmidnight-0500', moment)).toBe('From day: 2026-11-26Tmidnight-0500');
  });
});

describe('values of the search', () => {
  it('are the words on the screen, found by either word', () => {
    const found = (query: string) => offeredValues(query).map(({ value }) => value);
    expect(found('to:1 status:no')).toEqual(['not-sent', 'no-receipt']);
    expect(found('status:fai')).toEqual(['not-sent']);
    expect(found('status:')).toHaveLength(searchValues.status!.length);
    expect(found('status:failed')).toEqual([]);
    expect(found('constructor:x')).toEqual([]);
    expect(found('DIRECTION:o')).toEqual(['outbound']);
    expect(found('direction:rec')).toEqual(['inbound']);
    expect(chipText('direction:sent')).toBe('Direction: Outbound');
    expect(withValue('to:1 status:fai', 'not-sent')).toBe('to:1 status:not-sent');
  });

  it('are the keys and reason codes that there are', () => {
    const keys = [
      { keyId: 'key_1', name: 'Shop' },
      { keyId: 'key_2', name: 'Seeded pair' },
      { keyId: 'key_3', name: 'a, b' },
    ];
    const reasons = [
      { code: 'OPTED_OUT', title: 'Opted out' },
      { code: 'NO_RECEIPT', title: 'No receipt' },
    ];
    const more = { key: keyValues(keys), reason: reasonValues(reasons) };
    const found = (query: string) => offeredValues(query, more).map(({ value }) => value);
    expect(found('key:')).toEqual(['Shop', '"Seeded pair"', 'key_3']);
    expect(found('key:see')).toEqual(['"Seeded pair"']);
    expect(found('text:"x" key:"seeded p')).toEqual(['"Seeded pair"']);
    expect(found('key:shop')).toEqual([]);
    expect(found('reason:rec')).toEqual(['NO_RECEIPT']);
    expect(withValue('text:"x" key:"seeded p', '"Seeded pair"')).toBe('text:"x" key:"Seeded pair"');
    expect(withValue('text:"x" reason:op', 'OPTED_OUT')).toBe('text:"x" reason:OPTED_OUT');
  });

  it('are said in words', () => {
    expect(chipText('status:failed')).toBe('Status: Not sent');
    expect(chipText('status:sent,no-receipt,x')).toBe('Status: Sent to carrier, No receipt, x');
    expect(chipText('status:no-receipt')).toBe('Status: No receipt');
    expect(chipText('text:"your code"')).toBe('Text has: your code');
    expect(chipText('staus:x')).toBeNull();
    expect(chipText('12025550100')).toBeNull();
  });
});

describe('the form', () => {
  it('shows what the search says, and changes only that', () => {
    const query = '12025550100 status:failed text:"a b" status:held staus:x';
    expect(formValuesOf(query)).toEqual({ status: 'not-sent', text: 'a b' });
    expect(withFormValues(query, formValuesOf(query))).toBe(
      '12025550100 status:held staus:x status:not-sent text:"a b"',
    );
    expect(withFormValues(query, { key: 'Sandbox key' })).toBe('12025550100 status:held staus:x key:"Sandbox key"');
  });

  it('writes nothing that would be read as something else', () => {
    expect(withFormValues('', { text: ' say "hi" ', to: '  ' })).toBe('text:"say hi"');
    expect(withFormValues('', { to: '+1 (202) 555-0100' })).toBe('to:"+1 (202) 555-0100"');
  });
});
