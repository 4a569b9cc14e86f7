import { describe, expect, it } from 'vitest';
import { draftsName, draftsOf, dropDraft, type KeptDraft, keepDraft, type Shelf } from './draft';

function shelf(): Shelf & { kept: Map<string, string> } {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, value) => void kept.set(name, value),
    removeItem: (name) => void kept.delete(name),
  };
}

const draft = (id: string, more: Partial<KeptDraft> = {}): KeptDraft => ({
  id,
  whose: 'ada',
  at: 1_000,
  from: '',
  to: '',
  text: `text of ${id}`,
  media: [],
  reference: '',
  ...more,
});
const ids = (drafts: readonly KeptDraft[]) => drafts.map(({ id }) => id);

describe('drafts', () => {
  it('are several, the one changed last first, each for its owner', () => {
    const on = shelf();
    keepDraft(on, draft('a'));
    keepDraft(on, draft('b', { at: 2_000 }));
    keepDraft(on, draft('x', { whose: 'bob', at: 2_500 }));
    expect(ids(draftsOf(on, 'ada', 3_000))).toEqual(['b', 'a']);
    keepDraft(on, draft('a', { at: 3_000, text: 'more' }));
    expect(draftsOf(on, 'ada', 3_000).map(({ id, text }) => [id, text])).toEqual([
      ['a', 'more'],
      ['b', 'text of b'],
    ]);
    dropDraft(on, 'a', 3_000);
    expect(ids(draftsOf(on, 'ada', 3_000))).toEqual(['b']);
    expect(ids(draftsOf(on, 'bob', 3_000))).toEqual(['x']);
  });

  it('are none when they are empty, and gone after 30 days', () => {
    const on = shelf();
    keepDraft(on, draft('a'));
    keepDraft(on, draft('a', { text: '  ' }));
    expect(on.kept.has(draftsName)).toBe(false);
    keepDraft(on, draft('a'));
    expect(draftsOf(on, 'ada', 1_000 + 30 * 86_400_000)).toEqual([]);
  });

  it('are at most 50: the oldest makes room', () => {
    const on = shelf();
    for (let at = 1; at <= 51; at++) keepDraft(on, draft(`d${at}`, { at }));
    const left = ids(draftsOf(on, 'ada', 100));
    expect([left.length, left[0], left.at(-1)]).toEqual([50, 'd51', 'd2']);
  });

  it('survive whatever stands in their place, and a browser that keeps nothing', () => {
    const on = shelf();
    for (const wrong of ['{', '{}', '[1,null,{"id":"a"}]']) {
      on.kept.set(draftsName, wrong);
      expect(draftsOf(on, 'ada', 0)).toEqual([]);
    }
    const full: Shelf = {
      ...on,
      setItem: () => {
        throw new Error('full');
      },
    };
    expect(keepDraft(full, draft('a'))).toBe(false);
  });
});
