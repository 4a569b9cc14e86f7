import '../../language/english';

import { describe, expect, it } from 'vitest';
import { digitsOf, importBody, optOutFaults, readScope } from './opt-outs';

describe('a file to import', () => {
  it('is CSV unless it is JSON', () => {
    expect(importBody('list.csv', 'contact,reason\n1,a')).toEqual({ type: 'text/csv', body: 'contact,reason\n1,a' });
    expect(importBody('LIST.JSON', '[{"contact":"1"}]')).toEqual({
      type: 'application/json',
      body: '{"entries":[{"contact":"1"}]}',
    });
    expect(importBody('list.txt', ' {"entries":[]}')?.type).toBe('application/json');
    expect(importBody('list.json', 'contact,reason')).toBeNull();
    expect(importBody('list.json', '')).toBeNull();
  });
});

describe('the form of an opt-out', () => {
  it('shows all faults at once', () => {
    const empty = optOutFaults({ contact: '', number: '', reason: ' ' });
    expect(empty).toEqual({ contact: 'Fill this in.', number: 'Choose one of your numbers.', reason: 'Fill this in.' });
    const wrong = optOutFaults({ contact: '555', number: '12025550100', reason: 'no' });
    expect(Object.keys(wrong)).toEqual(['contact', 'reason']);
    expect(optOutFaults({ contact: '+1 202 555 0199', number: '12025550100', reason: 'asked' })).toEqual({});
  });
});

describe('what is shown', () => {
  it('knows scopes and numbers', () => {
    expect(readScope('campaign:SBX:DEMO')).toEqual({ kind: 'campaign', id: 'SBX:DEMO' });
    expect(readScope('number:18005550100')).toEqual({ kind: 'number', id: '18005550100' });
    expect(digitsOf('+1 (202) 555-0100')).toBe('12025550100');
  });
});
