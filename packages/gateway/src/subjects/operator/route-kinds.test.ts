import { describe, expect, it } from 'vitest';
import { takenBy } from '../../carriers/kinds.ts';
import type { Route } from '../../model/records.ts';
import { carrier, route as routeOf } from '../../model/world-fixture.ts';
import { untakenKinds } from './route-kinds.ts';

const sms = carrier('sms', 'smpp');
const mms = carrier('mms', 'mm7');
const route = (carrierIds: string[], more: Partial<Route> = {}) =>
  routeOf('r', carrierIds, { prefix: '1', priority: 100, ...more });
const kindsOf = (rule: Route, carriers = [sms, mms], routes: Route[] = []) =>
  untakenKinds([rule], { carriers, routes, takenBy }).flatMap(({ kinds }) => kinds);

describe('kinds that a rule is for and none of its carriers takes', () => {
  it('are named, whichever it is', () => {
    expect(untakenKinds([route(['mms'])], { carriers: [sms, mms], routes: [], takenBy })).toEqual([
      { routeId: 'r', prefix: '1', kinds: ['SMS'] },
    ]);
    expect(kindsOf(route(['sms']))).toEqual(['MMS']);
    expect(kindsOf(route(['mms'], { kind: 'SMS' }))).toEqual(['SMS']);
  });

  it('are none where the rule is for the one kind, or has a carrier for each, though it is off', () => {
    expect(kindsOf(route(['mms'], { kind: 'MMS' }))).toEqual([]);
    expect(kindsOf(route(['sms', 'mms']))).toEqual([]);
    expect(kindsOf(route(['sms', 'mms']), [sms, carrier('mms', 'mm4', { enabled: false })])).toEqual([]);
  });

  it('are none where no carrier of that side takes it at all', () => {
    const other = carrier('sandbox', 'mm7', { environment: 'sandbox' });
    expect(kindsOf(route(['sms']), [sms, other])).toEqual([]);
  });

  it('are reported once: not of rules that are on record just so', () => {
    expect(kindsOf(route(['mms']), [sms, mms], [route(['mms'])])).toEqual([]);
    expect(kindsOf(route(['mms'], { prefix: '44' }), [sms, mms], [route(['mms'])])).toEqual(['SMS']);
  });
});
