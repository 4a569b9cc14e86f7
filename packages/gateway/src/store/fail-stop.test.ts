/** What a caller sees of a store whose disk failed: nothing, as the process has ended before. */
import { describe, expect, it, vi } from 'vitest';
import { failStop } from './fail-stop.ts';
import { type Store, StoreBroken, StoreUnavailable } from './store.ts';

const brokenDisk = new StoreBroken('the disk failed');
const full = new StoreUnavailable('full', 'the disk is full');

/** A store of these methods, and what happened to it in order. */
function stopping(methods: object) {
  const said: string[] = [];
  const store = failStop(methods as Store, (error) => said.push(`ended: ${error.message}`));
  return { store, said };
}

describe('failStop', () => {
  it('ends before the caller hears of it', async () => {
    const { store, said } = stopping({ accept: () => Promise.reject(brokenDisk) });
    await store.accept([]).catch(() => said.push('caller'));
    expect(said).toEqual(['ended: the disk failed', 'caller']);
  });

  it('ends at what a method of several steps throws', async () => {
    const claim = async () => {
      await Promise.resolve();
      throw brokenDisk;
    };
    const { store, said } = stopping({ claim });
    await expect(store.claim({ lane: 'c1', limit: 1, now: 0, token: 1 })).rejects.toBe(brokenDisk);
    expect(said).toHaveLength(1);
  });

  it('leaves every other error to the caller', async () => {
    const { store, said } = stopping({ accept: () => Promise.reject(full) });
    await expect(store.accept([])).rejects.toBe(full);
    expect(said).toEqual([]);
  });

  it('hands on what goes in and what comes out, and what is no method', async () => {
    const settle = vi.fn(async () => ['move']);
    const onEvents = vi.fn();
    const { store } = stopping({ token: 7, engine: 'sqlite', settle, onEvents });
    const listener = () => {};
    expect(await store.settle([])).toEqual(['move']);
    store.onEvents(listener);
    expect([store.token, store.engine]).toEqual([7, 'sqlite']);
    expect([settle.mock.calls, onEvents.mock.calls]).toEqual([[[[]]], [[listener]]]);
  });
});
