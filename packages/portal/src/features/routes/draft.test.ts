import '../../language/english';

import { describe, expect, it } from 'vitest';
import { changesOf, formOf, isBehind, rebased } from './draft';
import type { Rule } from './routes';

const rule = (routeId: string, more: Partial<Rule> = {}): Rule => ({
  routeId,
  environment: 'live',
  prefix: '',
  number: null,
  kind: null,
  weight: 1,
  priority: 100,
  carrierIds: ['a'],
  version: 'v',
  moves: { up: false, down: false },
  ...more,
});

describe('a draft of rules', () => {
  it('names what it adds, removes and changes', () => {
    const before = [rule('same'), rule('gone'), rule('other', { prefix: '1' })];
    const after = [rule('same', { version: 'w' }), rule('other', { carrierIds: ['b', 'a'] }), rule('new')];
    const values = { environment: 'live', carrierIds: 'a', weight: '1', priority: '100' };
    const all = (empty: 'before' | 'after') =>
      Object.entries(values).map(([name, value]) => ({ name, before: value, after: value, [empty]: '' }));
    expect(changesOf(before, after)).toEqual([
      {
        routeId: 'other',
        how: 'changed',
        fields: [
          { name: 'prefix', before: '1', after: '' },
          { name: 'carrierIds', before: 'a', after: 'b → a' },
        ],
      },
      { routeId: 'new', how: 'added', fields: all('before') },
      { routeId: 'gone', how: 'removed', fields: all('after') },
    ]);
    expect(changesOf(before, before)).toEqual([]);
  });

  it('is sent as a records file says it', () => {
    expect(formOf(rule('x', { number: '15550001111' }))).toEqual({
      id: 'x',
      environment: 'live',
      prefix: '',
      number: '15550001111',
      kind: null,
      weight: 1,
      priority: 100,
      campaign: null,
      hours: null,
      carriers: ['a'],
    });
  });

  it('describes campaign and hours in words', () => {
    const hours = { days: ['mon', 'tue', 'wed', 'sat'] as const, from: '22:00', to: '06:00' };
    const after = rule('a', { campaignId: 'C1', hours: { ...hours, days: [...hours.days] } });
    expect(changesOf([rule('a')], [after])[0]?.fields).toEqual([
      { name: 'campaignId', before: '', after: 'C1' },
      { name: 'hours', before: '', after: 'Mon–Wed, Sat 22:00–06:00 (next day)' },
    ]);
    expect(formOf(after)).toMatchObject({ campaign: 'C1', hours });
  });

  it('goes over what somebody else published, and keeps what they did elsewhere', () => {
    const draft = {
      base: [rule('a'), rule('b'), rule('c')],
      rules: [rule('a', { weight: 5 }), rule('c'), rule('mine')],
    };
    const current = [rule('a', { weight: 9 }), rule('b'), rule('c', { weight: 2 }), rule('theirs')];
    expect(isBehind(draft, draft.base)).toBe(false);
    expect(isBehind(draft, current)).toBe(true);
    const over = rebased(draft, current);
    expect(over.base).toEqual(current);
    expect(over.rules.map(({ routeId, weight }) => `${routeId} ${weight}`)).toEqual([
      ...['c 2', 'theirs 1', 'a 5', 'mine 1'],
    ]);
  });
});
