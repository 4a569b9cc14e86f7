import { describe, expect, it } from 'vitest';
import { completed, fromAddress, searchWords, typedName, withoutWord } from './search-words';

describe('words of the search line', () => {
  it('keeps what is in quotes together', () => {
    expect(searchWords('to:12025550100 text:"your code" +1 "x')).toEqual([
      ...['to:12025550100', 'text:"your code"', '+1', '"x'],
    ]);
    expect(searchWords('  ')).toEqual([]);
  });

  it('takes one out', () => {
    expect(withoutWord('to:1 text:"a b" status:failed', 1)).toBe('to:1 status:failed');
  });

  it('knows what is being typed, and completes it', () => {
    expect(typedName('to:1 sta')).toBe('sta');
    expect(typedName('to:1 ')).toBe('');
    expect(typedName('to:1')).toBeNull();
    expect(completed('to:1 sta', 'status')).toBe('to:1 status:');
    expect(completed('', 'to')).toBe('to:');
  });

  it('reads digits that the router has put in quotes', () => {
    expect(fromAddress('"12025550100"')).toBe('12025550100');
    expect(fromAddress('"a b"')).toBe('"a b"');
  });
});
