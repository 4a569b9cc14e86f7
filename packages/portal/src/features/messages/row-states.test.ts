/** Shown rows equal stored rows, whatever the stream omits, repeats or delivers late. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Moved } from './live-rows';
import { createRowStates, rowStateLimits } from './row-states';

const { idsAtOnce, readEveryMs, silentEveryMs, writeEveryMs } = rowStateLimits;
const time = (second: number) => new Date(second * 1_000).toISOString();
const is = (state: string, second: number): Moved => ({ state, code: null, at: time(second) });

type Rows = Record<string, Moved>;

function world(shown: Rows, stored: Rows) {
  const reads: (readonly string[])[] = [];
  let gate: Promise<void> = Promise.resolve();
  let paused = false;
  const states = createRowStates({
    shown: () => Object.entries(shown).map(([messageId, { state, at }]) => ({ messageId, state, at })),
    read: async (ids) => {
      reads.push(ids);
      const found = ids.filter((id) => id in stored).map((messageId) => ({ messageId, ...stored[messageId]! }));
      await gate;
      return found;
    },
    write: (moved) => {
      for (const [id, now] of moved) if (id in shown) shown[id] = now;
    },
    isPaused: () => paused,
    after: (ms, work) => {
      const timer = setTimeout(work, ms);
      return () => clearTimeout(timer);
    },
  });
  return {
    states,
    shown,
    stored,
    reads,
    hold: () => {
      const held = Promise.withResolvers<void>();
      gate = held.promise;
      return held.resolve;
    },
    pause: (value: boolean) => {
      paused = value;
    },
  };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('states of rows', () => {
  it('follow the events, written together', async () => {
    const { states, shown, reads } = world({ a: is('sent', 1), b: is('sent', 1) }, {});
    states.heard('a', is('delivered', 2));
    states.heard('b', is('undelivered', 2));
    states.heard('x', is('failed', 2));
    expect(shown.a!.state).toBe('sent');
    await vi.advanceTimersByTimeAsync(writeEveryMs);
    expect([shown.a!.state, shown.b!.state, Object.keys(shown).length]).toEqual(['delivered', 'undelivered', 2]);
    await vi.advanceTimersByTimeAsync(10 * silentEveryMs);
    expect(reads).toEqual([]);
  });

  it('that may have been missed are read once, and only of rows that can still change', async () => {
    const { states, shown, stored, reads } = world({ a: is('sent', 1), b: is('delivered', 1), c: is('held', 1) }, {});
    Object.assign(stored, { a: is('delivered', 2), c: is('held', 1) });
    states.missed();
    states.missed();
    await vi.advanceTimersByTimeAsync(10 * silentEveryMs);
    expect(reads).toEqual([['a', 'c']]);
    expect(shown.a!.state).toBe('delivered');
  });

  it('are read again when an event came while they were read', async () => {
    const { states, shown, stored, reads, hold } = world({ a: is('sent', 1) }, { a: is('sent', 1) });
    const answer = hold();
    states.missed();
    await vi.advanceTimersByTimeAsync(readEveryMs);
    stored.a = is('delivered', 2);
    states.heard('a', stored.a);
    await vi.advanceTimersByTimeAsync(writeEveryMs);
    answer();
    await vi.advanceTimersByTimeAsync(0);
    expect(shown.a!.state).toBe('delivered');
    await vi.advanceTimersByTimeAsync(10 * silentEveryMs);
    expect([shown.a!.state, reads.length]).toEqual(['delivered', 2]);
  });

  it('do not go back for an event that comes late; the store decides', async () => {
    const { states, shown, reads } = world({ a: is('delivered', 3) }, { a: is('delivered', 3) });
    states.heard('a', is('sent', 2));
    await vi.advanceTimersByTimeAsync(writeEveryMs);
    expect(shown.a!.state).toBe('delivered');
    await vi.advanceTimersByTimeAsync(readEveryMs);
    expect([shown.a!.state, reads]).toEqual(['delivered', [['a']]]);
  });

  it('that no event tells of are looked at now and then, until there are none', async () => {
    const { states, shown, stored, reads } = world({ a: is('queued', 1) }, { a: is('uncertain', 2) });
    states.heard('x', is('sent', 1));
    await vi.advanceTimersByTimeAsync(writeEveryMs + silentEveryMs);
    expect(shown.a!.state).toBe('uncertain');
    stored.a = is('unconfirmed', 3);
    await vi.advanceTimersByTimeAsync(10 * silentEveryMs);
    expect([shown.a!.state, reads.length]).toEqual(['unconfirmed', 2]);
  });

  it('of a long list are read in bounded pieces', async () => {
    const ids = Array.from({ length: 2 * idsAtOnce + 1 }, (_, index) => `m${index}`);
    const shown = Object.fromEntries(ids.map((id) => [id, is('sent', 1)]));
    const stored = Object.fromEntries(ids.map((id) => [id, is('delivered', 2)]));
    const one = world(shown, stored);
    one.states.missed();
    await vi.advanceTimersByTimeAsync(10 * silentEveryMs);
    expect(one.reads.map(({ length }) => length)).toEqual([idsAtOnce, idsAtOnce, 1]);
    expect(Object.values(shown).every(({ state }) => state === 'delivered')).toBe(true);
  });

  it('stay as they are while somebody paused, or once the page is left', async () => {
    const { states, reads, pause } = world({ a: is('queued', 1) }, { a: is('sent', 2) });
    pause(true);
    states.missed();
    await vi.advanceTimersByTimeAsync(4 * silentEveryMs);
    expect(reads).toEqual([]);
    pause(false);
    await vi.advanceTimersByTimeAsync(silentEveryMs);
    expect(reads).toHaveLength(1);
    states.missed();
    states.stop();
    await vi.advanceTimersByTimeAsync(4 * silentEveryMs);
    expect(reads).toHaveLength(1);
  });
});
