import { describe, expect, it } from 'vitest';
import { settlingClock } from '../../../test/props/clock.ts';
import { machineResolve, rememberResolved } from './resolve.ts';

/** A resolver whose answers the test gives; counts queries. */
function oracle() {
  const lookups: string[] = [];
  const waiting: ((addresses: string[] | null) => void)[] = [];
  const resolve = (name: string, localNames: boolean) => {
    lookups.push(`${name} ${localNames}`);
    return new Promise<string[] | null>((done) => waiting.push(done));
  };
  return { lookups, resolve, answer: (addresses: string[] | null) => waiting.shift()?.(addresses) };
}

describe('rememberResolved', () => {
  const memory = { keptMs: 10_000, namesMax: 2 };

  it('resolves once for concurrent queries, and again when the answer is old', async () => {
    const clock = settlingClock();
    const { lookups, resolve, answer } = oracle();
    const remembered = rememberResolved(resolve, clock, memory);
    const two = [remembered('a.example', false), remembered('a.example', false)];
    answer(['1.1.1.1']);
    expect(await Promise.all(two)).toEqual([['1.1.1.1'], ['1.1.1.1']]);
    await clock.pass(9_999);
    expect(await remembered('a.example', false)).toEqual(['1.1.1.1']);
    expect(lookups).toHaveLength(1);
    await clock.pass(1);
    const later = remembered('a.example', false);
    answer(['2.2.2.2']);
    expect(await later).toEqual(['2.2.2.2']);
  });

  it('keeps answers with local names apart from those of DNS', async () => {
    const { lookups, resolve, answer } = oracle();
    const remembered = rememberResolved(resolve, settlingClock(), memory);
    void remembered('a.example', false);
    answer(['1.1.1.1']);
    void remembered('a.example', true);
    expect(lookups).toEqual(['a.example false', 'a.example true']);
  });

  it('does not cache failures', async () => {
    const { lookups, resolve, answer } = oracle();
    const remembered = rememberResolved(resolve, settlingClock(), memory);
    const first = remembered('a.example', false);
    answer(null);
    expect(await first).toBeNull();
    void remembered('a.example', false);
    expect(lookups).toHaveLength(2);
  });

  it('keeps a bounded number of names, the latest', async () => {
    const { lookups, resolve, answer } = oracle();
    const remembered = rememberResolved(resolve, settlingClock(), memory);
    for (const name of ['a', 'b', 'c']) {
      const known = remembered(name, false);
      answer(['1.1.1.1']);
      await known;
    }
    void remembered('b', false);
    void remembered('c', false);
    expect(lookups).toHaveLength(3);
    void remembered('a', false);
    expect(lookups).toHaveLength(4);
  });
});

describe('machineResolve', () => {
  it('reads the hosts file if local names are allowed', async () => {
    expect(await machineResolve('localhost', true)).toContain('127.0.0.1');
  });

  it('returns null for an invalid name', async () => {
    expect(await machineResolve('..', false)).toBeNull();
    expect(await machineResolve('a..b', true)).toBeNull();
  });
});
