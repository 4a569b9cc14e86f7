import { describe, expect, it } from 'vitest';
import { createReadWriteLock } from './read-write-lock.ts';

const ticks = async () => {
  for (let i = 0; i < 10; i++) await Promise.resolve();
};

/** Work that ends on command; `log` records when it began and ended. */
function gated(log: string[], name: string) {
  const gate = Promise.withResolvers<string>();
  const work = async () => {
    log.push(`${name} begins`);
    try {
      return await gate.promise;
    } finally {
      log.push(`${name} ends`);
    }
  };
  return { work, ...gate };
}

describe('a read-write lock', () => {
  it('run together, alone, together, in the order of their requests', async () => {
    const log: string[] = [];
    const lock = createReadWriteLock();
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => gated(log, name));
    const all = [lock.shared(a!.work), lock.shared(b!.work), lock.exclusive(c!.work), lock.shared(d!.work)];
    await ticks();
    expect(log).toEqual(['a begins', 'b begins']);
    a!.resolve('A');
    await ticks();
    expect(log).toEqual(['a begins', 'b begins', 'a ends']);
    b!.resolve('B');
    await ticks();
    expect(log.slice(3)).toEqual(['b ends', 'c begins']);
    c!.resolve('C');
    d!.resolve('D');
    expect(await Promise.all(all)).toEqual(['A', 'B', 'C', 'D']);
    expect(log.slice(5)).toEqual(['c ends', 'd begins', 'd ends']);
  });

  it('run one alone after the other', async () => {
    const log: string[] = [];
    const lock = createReadWriteLock();
    const [a, b] = ['a', 'b'].map((name) => gated(log, name));
    const both = [lock.exclusive(a!.work), lock.exclusive(b!.work)];
    await ticks();
    expect(log).toEqual(['a begins']);
    a!.resolve('');
    b!.resolve('');
    await Promise.all(both);
    expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
  });

  it('go on after a failure, which is its caller’s alone', async () => {
    const lock = createReadWriteLock();
    const fail = async () => {
      throw new Error('mine');
    };
    const failed = [lock.shared(fail), lock.exclusive(fail), lock.shared(fail)].map((one) =>
      expect(one).rejects.toThrow('mine'),
    );
    expect(await lock.exclusive(async () => 'fine')).toBe('fine');
    await Promise.all(failed);
  });
});
