import { describe, expect, it } from 'vitest';
import { movedClock } from '../../../../test/props/clock.ts';
import { buildDirectory } from '../carriers/directory.ts';
import type { Account, ApiKey } from '../model/records.ts';
import { account, keyOf, newPair } from '../model/world-fixture.ts';
import { createRates } from './rate.ts';
import { recordsOf } from './server-fixture.ts';

function ratesFor(keys: ApiKey[], accounts: Account[], nodes = () => 1) {
  const clock = movedClock();
  let records = recordsOf(keys, accounts);
  let directory = buildDirectory(records);
  return {
    clock,
    rates: createRates({ clock, directory: () => directory, nodes }),
    use: (next: ApiKey[]) => {
      records = { ...records, apiKeys: next, version: records.version + 1 };
      directory = buildDirectory(records);
    },
  };
}

describe('SEC-30 requests per second', () => {
  it('of a key: the burst at once, then its rate', () => {
    const key = keyOf(newPair(), { requestsPerSecond: 2, burst: 3 });
    const { clock, rates } = ratesFor([key], [account]);
    const take = () => rates.take({ key, account });
    expect([take(), take(), take(), take()].map((verdict) => verdict.allowed)).toEqual([true, true, true, false]);
    expect(take()).toEqual({
      allowed: false,
      retryAfterSeconds: 1,
      headers: ['RateLimit-Policy', '"send";q=3;w=2', 'RateLimit', '"send";r=0;t=2'],
    });
    clock.pass(499);
    expect(take().allowed).toBe(false);
    clock.pass(1);
    expect(take().allowed).toBe(true);
    expect(take().allowed).toBe(false);
  });

  it('of one of several nodes: its share of the rate', () => {
    const key = keyOf(newPair(), { requestsPerSecond: 4, burst: 2 });
    let nodes = 2;
    const { clock, rates } = ratesFor([key], [account], () => nodes);
    const take = () => rates.take({ key, account });
    expect([take(), take(), take()].map((verdict) => verdict.allowed)).toEqual([true, true, false]);
    expect(take().headers).toEqual(['RateLimit-Policy', '"send";q=2;w=1', 'RateLimit', '"send";r=0;t=1']);
    clock.pass(499);
    expect(take().allowed).toBe(false);
    clock.pass(1);
    expect(take().allowed).toBe(true);
    nodes = 1;
    expect([take(), take(), take()].map((verdict) => verdict.allowed)).toEqual([true, true, false]);
    clock.pass(250);
    expect(take().allowed).toBe(true);
  });

  it('of an account: over all its keys, and a refused request takes nothing from the key', () => {
    const limited = { ...account, requestsPerSecond: 2 };
    const one = keyOf(newPair(), { keyId: 'key_1', requestsPerSecond: 10, burst: 10 });
    const two = keyOf(newPair(), { keyId: 'key_2' });
    const { clock, rates } = ratesFor([one, two], [limited]);
    expect(rates.take({ key: one, account: limited }).allowed).toBe(true);
    expect(rates.take({ key: two, account: limited }).allowed).toBe(true);
    const refused = rates.take({ key: one, account: limited });
    expect(refused.allowed).toBe(false);
    expect(refused.headers).toEqual([
      'RateLimit-Policy',
      '"send";q=10;w=1, "account";q=2;w=1',
      'RateLimit',
      '"send";r=9;t=1, "account";r=0;t=1',
    ]);
    clock.pass(500);
    expect(rates.take({ key: two, account: limited })).toMatchObject({ allowed: true });
  });

  it('0 means none, and then no header promises anything', () => {
    const key = keyOf(newPair());
    const { rates } = ratesFor([key], [account]);
    for (let i = 0; i < 10_000; i++)
      expect(rates.take({ key, account })).toMatchObject({ allowed: true, headers: null });
  });

  it('a rate without a burst still lets requests through', () => {
    const slow = keyOf(newPair(), { keyId: 'key_slow', requestsPerSecond: 0.1, burst: 0 });
    const { clock, rates } = ratesFor([slow], [account]);
    expect(rates.take({ key: slow, account }).allowed).toBe(true);
    expect(rates.take({ key: slow, account })).toMatchObject({ allowed: false, retryAfterSeconds: 10 });
    clock.pass(10_000);
    expect(rates.take({ key: slow, account }).allowed).toBe(true);
  });

  it('an edit of other records gives nobody a new burst; a new rate does', () => {
    const key = keyOf(newPair(), { requestsPerSecond: 1, burst: 1 });
    const { rates, use } = ratesFor([key], [account]);
    expect(rates.take({ key, account }).allowed).toBe(true);
    use([{ ...key }, keyOf(newPair(), { keyId: 'key_other' })]);
    expect(rates.take({ key: { ...key }, account }).allowed).toBe(false);
    const faster = { ...key, requestsPerSecond: 5, burst: 5 };
    use([faster]);
    expect(rates.take({ key: faster, account }).allowed).toBe(true);
  });
});
