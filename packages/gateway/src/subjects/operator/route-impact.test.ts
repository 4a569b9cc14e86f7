import { describe, expect, it } from 'vitest';
import { takenBy } from '../../carriers/kinds.ts';
import type { Route } from '../../model/records.ts';
import { carrier, route } from '../../model/world-fixture.ts';
import { routeImpact, type TriedMessage } from './route-impact.ts';

const carriers = [carrier('a'), carrier('b'), carrier('off', 'smpp', { enabled: false }), carrier('mms', 'mm7')];
const message = (to: string, more: Partial<TriedMessage> = {}): TriedMessage => ({
  messageId: `msg_${to}`,
  from: '15550001111',
  to,
  kind: 'SMS',
  environment: 'live',
  campaignId: null,
  local: { day: 'mon', clock: '12:00' },
  ...more,
});
const impact = (before: Route[], after: Route[], ...messages: TriedMessage[]) =>
  routeImpact(messages, { before, after, carriers, takenBy });

describe('what other rules would change', () => {
  it('is nothing where the ways are the same, whatever the rules are called', () => {
    expect(impact([route('x', ['off', 'a'])], [route('y', ['a', 'b'])], message('1'))).toEqual({
      looked: 1,
      same: 1,
      moves: [],
    });
  });

  it('is who goes elsewhere and who nowhere, most first, with the first examples', () => {
    const us = Array.from({ length: 7 }, (_, i) => message(`1${i}`));
    const after = [route('us', ['b'], { prefix: '1' })];
    const { looked, same, moves } = impact([route('all', ['a'])], after, ...us, message('44'));
    expect([looked, same]).toEqual([8, 0]);
    expect(moves.map(({ before, after: to, count }) => [before, to, count])).toEqual([
      [[{ carrierId: 'a', share: 1 }], [{ carrierId: 'b', share: 1 }], 7],
      [[{ carrierId: 'a', share: 1 }], [{ carrierId: null, share: 1 }], 1],
    ]);
    expect(moves[0]!.examples.map(({ to }) => to)).toEqual(['10', '11', '12', '13', '14']);
  });

  it('knows shares, kinds and carriers that are off', () => {
    const shared = [route('x', ['a'], { weight: 3 }), route('y', ['b'])];
    expect(impact([route('x', ['a'])], shared, message('1')).moves[0]?.after).toEqual([
      { carrierId: 'a', share: 0.75 },
      { carrierId: 'b', share: 0.25 },
    ]);
    const mms = message('1', { kind: 'MMS' });
    expect(impact([route('x', ['a', 'mms'])], [route('x', ['a'])], mms).moves[0]).toMatchObject({
      before: [{ carrierId: 'mms' }],
      after: [{ carrierId: null }],
    });
    expect(impact([route('x', ['a'])], [route('x', ['off'])], message('1')).moves[0]?.after[0]?.carrierId).toBeNull();
    const night = route('night', ['b'], { hours: { days: ['mon'], from: '20:00', to: '08:00' } });
    const late = message('1', { local: { day: 'tue', clock: '07:59' } });
    expect(impact([route('x', ['a'])], [route('x', ['a']), night], message('1'), late)).toMatchObject({
      same: 1,
      moves: [{ count: 1, after: [{ carrierId: 'b' }] }],
    });
    expect(impact([], [], message('1', { environment: 'sandbox' })).same).toBe(1);
  });
});
