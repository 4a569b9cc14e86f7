/** The words on the screen are the words of the search, and a form writes them. */
import { describe, expect, it } from 'vitest';
import { chipText, formValuesOf, offeredValues, searchValues, withFormValues, withValue } from './search-values';

describe('values of the search', () => {
  it('are the words on the screen, found by either word', () => {
    const found = (query: string) => offeredValues(query).map(({ value }) => value);
    expect(found('to:1 status:no')).toEqual(['not-sent', 'no-receipt']);
    expect(found('status:fai')).toEqual(['not-sent']);
    expect(found('status:')).toHaveLength(searchValues.status!.length);
    expect(found('status:failed')).toEqual([]);
    expect(found('constructor:x')).toEqual([]);
    expect(found('DIRECTION:r')).toEqual(['received']);
    expect(withValue('to:1 status:fai', 'not-sent')).toBe('to:1 status:not-sent');
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
