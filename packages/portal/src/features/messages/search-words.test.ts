import { describe, expect, it } from 'vitest';
import { completed, fromAddress, isFaulty, searchWords, typedName, withoutWord } from './search-words';

it('knows the words of a search that were not understood', () => {
  const problems = [{ token: 'reason:OPTED_OUTT' }, { token: 'key:my pair' }, { token: '555 01' }];
  const faulty = searchWords('to:12025550100 reason:OPTED_OUTT key:"my pair" 555 01').filter((word) =>
    isFaulty(word, problems),
  );
  expect(faulty).toEqual(['reason:OPTED_OUTT', 'key:"my pair"', '555', '01']);
});

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
