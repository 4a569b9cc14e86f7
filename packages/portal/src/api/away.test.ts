import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

/** The module has state, so each test loads it again. */
async function fresh() {
  vi.resetModules();
  return import('./away');
}

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

describe('a gateway that is away', () => {
  it('is not called so while the connection is back soon', async () => {
    const { connectionIs, isKnownAway } = await fresh();
    connectionIs('reconnecting');
    vi.advanceTimersByTime(2_000);
    connectionIs('reconnecting');
    vi.advanceTimersByTime(499);
    connectionIs('live');
    vi.advanceTimersByTime(60_000);
    expect([isKnownAway(), vi.getTimerCount()]).toEqual([false, 0]);
  });

  it('is reported from the first loss on, however often the loss is reported', async () => {
    const { connectionIs, isKnownAway } = await fresh();
    connectionIs('reconnecting');
    vi.advanceTimersByTime(2_000);
    connectionIs('reconnecting');
    expect(isKnownAway()).toBe(false);
    vi.advanceTimersByTime(500);
    expect(isKnownAway()).toBe(true);
    connectionIs('reconnecting');
    expect(isKnownAway()).toBe(true);
    connectionIs('live');
    expect(isKnownAway()).toBe(false);
    connectionIs('reconnecting');
    vi.advanceTimersByTime(2_500);
    expect(isKnownAway()).toBe(true);
  });
});

describe('how old a page is', () => {
  it('is the age of its oldest data, and absent without data', async () => {
    const { keepReadTime, oldestReadTime } = await fresh();
    expect(oldestReadTime()).toBeNull();
    const leaves = [keepReadTime(2_000), keepReadTime(1_000), keepReadTime(1_000)];
    expect(oldestReadTime()).toBe(1_000);
    leaves[1]!();
    expect(oldestReadTime()).toBe(1_000);
    leaves[2]!();
    expect(oldestReadTime()).toBe(2_000);
    leaves[0]!();
    expect(oldestReadTime()).toBeNull();
  });
});
