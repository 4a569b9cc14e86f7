import { describe, expect, it } from 'vitest';
import { buildDirectory } from '../carriers/directory.ts';
import type { Account, Route, SendingNumber } from './records.ts';
import { carrier, directoryOf, endpoint, recordsWith, route } from './world-fixture.ts';

const directory = (
  routes: Route[],
  carriers = [carrier('a'), carrier('b'), carrier('off', 'smpp', { enabled: false })],
) => buildDirectory(recordsWith({ carriers, routes }));

const query = {
  environment: 'live',
  from: '12025550199',
  to: '14155550100',
  kind: 'SMS',
  at: Date.UTC(2026, 0, 5, 17),
} as const;

describe('routes', () => {
  it('prefer the longest prefix, then more conditions, then the lower priority', () => {
    const routes = [
      route('all', ['a']),
      route('us', ['b'], { prefix: '1' }),
      route('us-number', ['a'], { prefix: '1', number: '12025550199' }),
      route('us-first', ['b', 'a'], { prefix: '1', number: '12025550199', priority: -1 }),
    ];
    expect(directory(routes).carriersFor(query, 0)).toEqual(['b', 'a']);
    expect(directory(routes.slice(0, 3)).carriersFor(query, 0)).toEqual(['a']);
    expect(directory(routes.slice(0, 2)).carriersFor(query, 0)).toEqual(['b']);
    expect(directory(routes).carriersFor({ ...query, to: '447700900123' }, 0)).toEqual(['a']);
  });

  it('know the campaign of the number and the wall clock of its account, where a rule needs them', () => {
    const number = { number: query.from, accountId: 'acc', campaignId: 'C' } as SendingNumber;
    const routes = [
      route('all', ['a']),
      route('campaign', ['b'], { campaignId: 'C' }),
      route('hours', ['b', 'a'], { campaignId: 'C', hours: { days: ['mon'], from: '08:00', to: '12:00' } }),
    ];
    // Monday, 17:00 UTC
    const carriers = (timeZone: string | undefined, more: Partial<typeof number> = {}) => {
      const accounts = [{ accountId: 'acc', ...(timeZone && { timeZone }) } as Account];
      const records = { ...directory(routes).records, accounts, numbers: [{ ...number, ...more }] };
      return buildDirectory(records).carriersFor(query, 0);
    };
    expect(carriers('America/Los_Angeles')).toEqual(['b', 'a']);
    expect(carriers('America/New_York')).toEqual(['b']);
    expect(carriers(undefined)).toEqual(['b']);
    expect(carriers('America/Los_Angeles', { campaignId: null })).toEqual(['a']);
    expect(directory(routes).carriersFor(query, 0)).toEqual(['a']);
    const other = { ...query, at: query.at + 86_400_000 };
    expect(directory(routes).namesCarrier(other, 'b')).toBe(false);
  });

  it('share by weight among equals', () => {
    const routes = [route('r1', ['a'], { weight: 3 }), route('r2', ['b'], { weight: 1 })];
    const drawn = [0, 0.5, 0.74, 0.76, 0.99].map((fraction) => directory(routes).carriersFor(query, fraction)[0]);
    expect(drawn).toEqual(['a', 'a', 'a', 'b', 'b']);
  });

  it('leave out disabled carriers and those that do not take the kind', () => {
    expect(directory([route('r', ['off', 'a'])]).carriersFor(query, 0)).toEqual(['a']);
    expect(directory([route('r', ['a'])]).carriersFor({ ...query, kind: 'MMS' }, 0)).toEqual([]);
  });

  it('never cross from one environment to the other', () => {
    expect(directory([route('r', ['a'])]).carriersFor({ ...query, environment: 'sandbox' }, 0)).toEqual([]);
  });
});

describe('endpoints', () => {
  it('are found by id and by account, disabled ones too, deleted ones not', () => {
    const here = [endpoint('a'), endpoint('b', { disabled: { at: 1, why: 'gone' } })];
    const endpoints = [...here, endpoint('c', { deletedAt: 1 }), endpoint('d', { accountId: 'acc2' })];
    const found = directoryOf({ endpoints });
    expect(found.endpointsOf('acc1')).toEqual(here);
    expect(found.endpointsOf('nobody')).toEqual([]);
    expect([found.endpoint('b'), found.endpoint('c')]).toEqual([here[1], undefined]);
  });
});
