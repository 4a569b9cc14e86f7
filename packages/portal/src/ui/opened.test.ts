import { describe, expect, it } from 'vitest';
import { differing, merged, type Opened, refreshed } from './opened.ts';

interface Thing {
  version: string;
  name: string;
  tags: string[];
  isOn: boolean;
}

const formOf = ({ name, tags }: Thing) => ({ name, tags });
const first: Thing = { version: '1', name: 'Shop', tags: ['a'], isOn: true };
const clean: Opened<Thing, ReturnType<typeof formOf>> = { base: first, form: formOf(first) };
const typed = { ...clean, form: { ...clean.form, name: 'Mine' } };

describe('a record that is read anew under an open form', () => {
  const theirs = { ...first, version: '2', name: 'Theirs' };

  it('never brings its version into a form in which something was typed', () => {
    expect(refreshed(typed, theirs, formOf)).toBe(typed);
    // Nor when the input is a list.
    const ticked = { ...clean, form: { ...clean.form, tags: ['a', 'b'] } };
    expect(refreshed(ticked, theirs, formOf).base.version).toBe('1');
  });

  it('is shown while nothing was typed', () => {
    expect(refreshed(clean, theirs, formOf)).toEqual({ base: theirs, form: { name: 'Theirs', tags: ['a'] } });
  });

  it('is no conflict when nothing that the form has is different', () => {
    const switched = { ...first, version: '2', isOn: false };
    expect(refreshed(typed, switched, formOf)).toEqual({ base: switched, form: typed.form });
  });

  it('changes nothing when it is the same', () => {
    expect(refreshed(typed, { ...first }, formOf)).toBe(typed);
  });
});

describe('two people who changed one record', () => {
  const theirs = { ...first, version: '2', tags: ['theirs'] };

  it('each keep what only they touched', () => {
    expect(merged(typed, theirs, formOf)).toEqual({ name: 'Mine', tags: ['theirs'] });
  });

  it('see both versions of what would be written over', () => {
    expect(differing(typed, { ...theirs, name: 'Theirs' }, formOf)).toEqual([
      { name: 'name', theirs: 'Theirs', mine: 'Mine' },
    ]);
    expect(differing(typed, { ...theirs, name: 'Mine' }, formOf)).toEqual([]);
  });
});
