import '../../language/english';

import { describe, expect, it } from 'vitest';
import type { Routed } from './message-data';
import { longRoute, shortRoute } from './routed';

const carrier = (name: string, more: object = {}) => ({
  carrierId: name.toLowerCase(),
  name,
  enabled: true,
  takesKind: true,
  up: true,
  paused: false,
  ...more,
});
const rule = (routeId: string, carriers: object[]) => ({
  routeId,
  prefix: '1',
  number: null,
  kind: null,
  weight: 1,
  priority: 10,
  share: 1,
  campaign: null,
  hours: null,
  carriers,
});
const routed = (more: object): Routed =>
  ({
    carrier: { carrierId: 'one', name: 'One' },
    agrees: true,
    basis: { rules: 'same', changedAt: null },
    ...more,
  }) as unknown as Routed;

describe('the line of the rule', () => {
  it('names rule and carrier, and only those others that could have it', () => {
    const carriers = [
      carrier('One'),
      carrier('Two', { takesKind: false }),
      carrier('Three', { enabled: false }),
      carrier('Four'),
    ];
    const rules = [rule('US default', carriers)];
    expect(shortRoute(routed({ rules }))).toBe('Rule “US default” → One; if that is down, Four.');
    expect(shortRoute(routed({ rules: [rule('us', carriers.slice(0, 2))] }))).toBe('Rule “us” → One.');
    expect(longRoute(routed({ rules }))).toContain('numbers beginning with 1, priority 10, weight 1');
  });

  it('names the carrier to come, where that is known', () => {
    const usable = [carrier('Two', { takesKind: false }), carrier('Four')];
    expect(shortRoute(routed({ carrier: null, rules: [rule('us', usable)] }))).toBe('Rule “us” → Four.');
    const both = [rule('a', [carrier('One')]), rule('b', [carrier('Four')])];
    expect(shortRoute(routed({ carrier: null, rules: both }))).toBe('Rules “a”, “b” → no carrier yet.');
    expect(shortRoute(routed({ carrier: null, rules: [] }))).toBe('No rule fits such a message.');
  });

  it('says when it went where its rule does not lead', () => {
    const route = shortRoute(routed({ agrees: false, rules: [rule('us', [carrier('Four')])] }));
    expect(route).toMatch(/^Rule “us”\. It went to One, which that rule does not name/);
  });
});
