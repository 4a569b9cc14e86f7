import { describe, expect, it } from 'vitest';
import { catalogue } from '../app/modules.ts';
import type { WriteCall } from './catalogue.ts';
import { acceptItem, start } from './contract/fixture.ts';
import { mergeGroups } from './merge.ts';

const settings = (...names: string[]): WriteCall => ({
  kind: 'putSetting',
  items: names.map((name) => ({ name, value: '' })),
});
const claims = (...lanes: string[]): WriteCall => ({
  kind: 'claim',
  items: lanes.map((lane) => ({ lane, limit: 1, now: 0, token: 1 })),
});
/** One result per item, which names it. */
const answered = (calls: readonly WriteCall[]) =>
  calls.map(({ items }) => (items as { name?: string; lane?: string }[]).map((item) => item.name ?? item.lane));

describe('mergeGroups', () => {
  it('puts the calls of one kind together, in the order of kinds, and gives each group its own results', () => {
    const groups = [[claims('c1')], [settings('a', 'b'), claims('c2')], [settings('c')], []];
    const merged = mergeGroups(groups, catalogue.order);
    expect(merged.calls).toEqual([settings('a', 'b', 'c'), claims('c1', 'c2')]);
    expect(merged.split(answered(merged.calls))).toEqual([[['c1']], [['a', 'b'], ['c2']], [['c']], []]);
  });
});

describe('rowsOf', () => {
  it('counts the deliveries of an accept, and else the items', () => {
    expect(
      catalogue.rowsOf({
        kind: 'accept',
        items: [acceptItem(start, { recipients: ['1', '2', '3'] }), acceptItem(start, {})],
      }),
    ).toBe(6);
    expect(catalogue.rowsOf(claims('c1', 'c2'))).toBe(2);
  });
});
