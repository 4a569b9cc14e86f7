import { describe, expect, it } from 'vitest';
import { partOf, withPart } from './url';

const names = ['q', 'state'];

describe('a part of the address', () => {
  it('is what is set under its names, in their order', () => {
    expect(partOf('?state=open&tab=x&q=a+b%26c', names)).toBe('q=a+b%26c&state=open');
    expect(partOf('?state=&tab=x', names)).toBe('');
    expect(partOf('', names)).toBe('');
  });

  it('takes the place of what was there; what else is said stays, but not where in the list one was', () => {
    expect(withPart('/list', '?tab=x&q=old&state=open&before=7&after=8', names, 'q=new')).toBe('/list?tab=x&q=new');
    expect(withPart('/list', '?q=old', names, '')).toBe('/list');
  });

  it('is nothing else, whatever was kept', () => {
    expect(withPart('/list', '', names, 'q=a&tab=evil&next=//x')).toBe('/list?q=a');
  });
});
