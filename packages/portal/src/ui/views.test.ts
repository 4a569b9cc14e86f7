import { describe, expect, it } from 'vitest';
import { keepViews, readViews, withView } from './views';

const shelfOf = (kept = new Map<string, string>()) => ({
  kept,
  getItem: (name: string) => kept.get(name) ?? null,
  setItem: (name: string, value: string) => void kept.set(name, value),
});

const one = { list: 'message', userId: 'usr_1' };

describe('saved views', () => {
  it('are kept for one user, in order of their names', () => {
    const shelf = shelfOf();
    const views = withView(withView([], { name: 'b', q: 'to:1' }), { name: 'a', q: 'to:2' });
    expect(keepViews(shelf, one, views)).toBe(true);
    expect(readViews(shelf, one).map(({ name }) => name)).toEqual(['a', 'b']);
    expect(readViews(shelf, { ...one, userId: 'usr_2' })).toEqual([]);
    expect(readViews(shelf, { ...one, list: 'number' })).toEqual([]);
    expect(withView(views, { name: 'a', q: 'to:3' })).toEqual([
      { name: 'a', q: 'to:3' },
      { name: 'b', q: 'to:1' },
    ]);
  });

  it('are no more than thirty', () => {
    let views = withView([], { name: '00', q: '' });
    for (let i = 1; i < 40; i++) views = withView(views, { name: String(i).padStart(2, '0'), q: '' });
    expect(views).toHaveLength(30);
  });

  it.each(['nonsense', '{}', '[{"name":1}]', '[null]', 'null'])('take %s for none', (kept) => {
    const shelf = shelfOf(new Map([['helio-message-views:usr_1', kept]]));
    expect(readViews(shelf, one)).toEqual([]);
  });

  it('say when the browser keeps nothing', () => {
    const full = {
      getItem: () => null,
      setItem: () => {
        throw new Error('full');
      },
    };
    expect(keepViews(full, one, [])).toBe(false);
  });
});
