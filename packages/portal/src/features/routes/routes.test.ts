import '../../language/english';

import { describe, expect, it } from 'vitest';
import { refusalOf, untakenBy } from './routes';

const carriers = [
  { carrierId: 'sms', environment: 'live', takes: ['SMS'] },
  { carrierId: 'mms', environment: 'live', takes: ['MMS'] },
  { carrierId: 'sim', environment: 'sandbox', takes: ['SMS'] },
] as const;
const kinds = (kind: string, carrierIds: string[], environment = 'live') =>
  untakenBy({ environment, kind, carrierIds }, carriers);

describe('the answer of the tester', () => {
  const rule = (share: number, ...states: [enabled: boolean, takesKind: boolean][]) => ({
    routeId: 'r',
    route: {} as never,
    misses: [],
    share,
    carriers: states.map(([enabled, takesKind]) => ({
      carrierId: 'c',
      name: 'C',
      up: false,
      paused: false,
      enabled,
      takesKind,
    })),
  });

  it.each([
    ['no rule fits', [rule(0, [true, true])], 'all'],
    ['the rule has no carrier that is on and takes it', [rule(1, [true, false], [false, true])], 'all'],
    ['it has no carrier at all, and another fits behind it', [rule(1), rule(0, [true, true])], 'all'],
    ['one of two that share has none', [rule(0.5, [true, true]), rule(0.5, [false, true])], 'part'],
    ['a carrier takes it, though it is down', [rule(1, [false, true], [true, true])], 'none'],
  ] as const)('%s', (_, rules, answer) => {
    expect(refusalOf({ rules: [...rules] })).toBe(answer);
  });
});

describe('what a rule is for and none of its carriers takes', () => {
  it('is shown while it is written', () => {
    expect(kinds('', ['mms'])).toEqual(['SMS']);
    expect(kinds('', ['sms'])).toEqual(['MMS']);
    expect(kinds('SMS', ['mms'])).toEqual(['SMS']);
  });

  it('is nothing with the right kind, a carrier for each, or none yet', () => {
    expect(kinds('MMS', ['mms'])).toEqual([]);
    expect(kinds('', ['mms', 'sms'])).toEqual([]);
    expect(kinds('', [])).toEqual([]);
  });

  it('is nothing where no carrier of that side takes it', () => {
    expect(kinds('', ['sim'], 'sandbox')).toEqual([]);
  });
});
