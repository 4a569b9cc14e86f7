import { describe, expect, it } from 'vitest';
import type { Route } from './records.ts';
import { explainRoutes, moveRoute, pickRoute, rankedRoutes, routeMoves } from './routing.ts';

const route = (routeId: string, more: Partial<Route> = {}): Route => ({
  ...{ routeId, environment: 'live', prefix: '', number: null, kind: null, weight: 1, priority: 100 },
  carrierIds: ['a'],
  ...more,
});
const query = { environment: 'live', from: '12025550199', to: '12025550100', kind: 'SMS' } as const;

describe('explaining a route', () => {
  const routes = [
    route('any'),
    route('us', { prefix: '1' }),
    route('uk', { prefix: '44' }),
    route('mms', { prefix: '1', kind: 'MMS' }),
    route('other', { prefix: '1', number: '12025550198' }),
    route('box', { environment: 'sandbox' }),
  ];

  it('says of every rule, in their order, whether it fits and why not', () => {
    expect(explainRoutes(routes, query)).toEqual([
      { routeId: 'uk', misses: ['prefix'], share: 0 },
      { routeId: 'mms', misses: ['kind'], share: 0 },
      { routeId: 'other', misses: ['number'], share: 0 },
      { routeId: 'us', misses: [], share: 1 },
      { routeId: 'any', misses: [], share: 0 },
      { routeId: 'box', misses: ['environment'], share: 0 },
    ]);
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
