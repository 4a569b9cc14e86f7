import { describe, expect, it } from 'vitest';
import type { Route } from './records.ts';
import { explainRoutes, moveRoute, moveRouteTo, pickRoute, rankedRoutes, routeMoves } from './routing.ts';
import { route as routeOf } from './world-fixture.ts';

const route = (routeId: string, more: Partial<Route> = {}) => routeOf(routeId, ['a'], { priority: 100, ...more });
const query = { environment: 'live', from: '12025550199', to: '12025550100', kind: 'SMS' } as const;

describe('explaining a route', () => {
  const routes = [
    route('any'),
    route('us', { prefix: '1' }),
    route('uk', { prefix: '44' }),
    route('mms', { prefix: '1', kind: 'MMS' }),
    route('other', { prefix: '1', number: '12025550198' }),
    route('box', { environment: 'sandbox' }),
    route('campaign', { campaignId: 'C' }),
    route('night', { hours: { days: ['mon'], from: '20:00', to: '08:00' } }),
  ];

  it('says of every rule, in their order, whether it fits and why not', () => {
    expect(explainRoutes(routes, query)).toEqual([
      { routeId: 'uk', misses: ['prefix'], share: 0 },
      { routeId: 'mms', misses: ['kind'], share: 0 },
      { routeId: 'other', misses: ['number'], share: 0 },
      { routeId: 'us', misses: [], share: 1 },
      { routeId: 'campaign', misses: ['campaign'], share: 0 },
      { routeId: 'night', misses: ['hours'], share: 0 },
      { routeId: 'any', misses: [], share: 0 },
      { routeId: 'box', misses: ['environment'], share: 0 },
    ]);
  });

  it('knows the campaign of a message and its time', () => {
    const facts = { ...query, campaignId: 'C', local: { day: 'mon', clock: '21:00' } } as const;
    const misses = new Map(explainRoutes(routes, facts).map(({ routeId, misses }) => [routeId, misses]));
    expect([misses.get('campaign'), misses.get('night')]).toEqual([[], []]);
  });

  it('shares among equals by weight, as picking does', () => {
    const equals = [route('a', { weight: 3 }), route('b')];
    expect(explainRoutes(equals, query).map(({ share }) => share)).toEqual([0.75, 0.25]);
    expect(pickRoute(rankedRoutes(equals), query, 0.74)?.routeId).toBe('a');
    expect(pickRoute(rankedRoutes(equals), query, 0.76)?.routeId).toBe('b');
  });

  it('has nothing for a message that no rule fits', () => {
    expect(explainRoutes([route('uk', { prefix: '44' })], query)).toMatchObject([{ misses: ['prefix'], share: 0 }]);
    expect(pickRoute([], query, 0)).toBeNull();
  });
});

describe('moving a rule', () => {
  const after = (routes: Route[], routeId: string, way: 'up' | 'down'): string[] | null => {
    const changed = moveRoute(routes, routeId, way);
    if (changed === null) return null;
    const byId = new Map([...routes, ...changed].map((one) => [one.routeId, one]));
    return rankedRoutes([...byId.values()]).map((one) => one.routeId);
  };

  it('changes places with its neighbour', () => {
    const routes = [route('a', { priority: 1 }), route('b', { priority: 2 }), route('c', { priority: 3 })];
    expect(after(routes, 'c', 'up')).toEqual(['a', 'c', 'b']);
    expect(after(routes, 'a', 'down')).toEqual(['b', 'a', 'c']);
    expect(after(routes, 'a', 'up')).toBeNull();
    expect(after(routes, 'c', 'down')).toBeNull();
  });

  it('takes one that shared its place out of the group', () => {
    const moved = moveRoute([route('a'), route('b'), route('c')], 'b', 'up');
    const priorities = Object.fromEntries(moved!.map(({ routeId, priority }) => [routeId, priority]));
    expect(priorities).toEqual({ b: 10, a: 20, c: 20 });
  });

  it('goes right before or behind another rule, and out of a shared place', () => {
    const routes = [route('a', { priority: 1 }), route('b', { priority: 2 }), route('c', { priority: 2 })];
    const beside = (routeId: string, side: 'before' | 'behind', besideId: string) => {
      const changed = moveRouteTo(routes, routeId, { side, besideId });
      if (changed === null) return null;
      const byId = new Map([...routes, ...changed].map((one) => [one.routeId, one]));
      return rankedRoutes([...byId.values()]).map((one) => `${one.routeId} ${one.priority}`);
    };
    expect(beside('c', 'before', 'a')).toEqual(['c 10', 'a 20', 'b 30']);
    expect(beside('c', 'behind', 'b')).toEqual(['a 10', 'b 20', 'c 30']);
    expect(beside('a', 'behind', 'c')).toEqual(['b 10', 'c 10', 'a 20']);
    expect(beside('a', 'behind', 'a')).toBeNull();
    expect(moveRouteTo([...routes, route('us', { prefix: '1' })], 'a', { side: 'before', besideId: 'us' })).toBeNull();
  });

  it('has no meaning past rules with another prefix or other conditions, nor for one that is not there', () => {
    const routes = [
      route('a', { prefix: '1' }),
      route('b'),
      route('c', { kind: 'SMS' }),
      route('d', { environment: 'sandbox' }),
    ];
    for (const { routeId } of routes) expect(routeMoves(routes, routeId)).toEqual({ up: false, down: false });
    expect(moveRoute(routes, 'nobody', 'up')).toBeNull();
  });
});
