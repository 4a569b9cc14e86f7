/**
 * When an engine's disk fails, its callers get no answer, because the process has exited first. A watcher sees each
 * commit once, and nothing that was not stored.
 */
import { describe, expect, it, vi } from 'vitest';
import { catalogueOf } from './catalogue.ts';
import { type CommitWatch, createStore, failStop, type StoreBase, watchCommits } from './create-store.ts';
import { CommitInDoubt, type Engine } from './engine.ts';
import { StoreBroken, StoreUnavailable } from './faults.ts';

const brokenDisk = new StoreBroken('the disk failed');
const full = new StoreUnavailable('full', 'the disk is full');

/** An engine with these methods, and the calls to it in order. */
function stopping(methods: Partial<Engine>) {
  const steps: string[] = [];
  const engine = failStop(methods as Engine, (error) => steps.push(`ended: ${error.message}`));
  return { engine, steps };
}

describe('onEvents', () => {
  const run = () => {
    throw new Error('the engine below runs nothing');
  };
  const module = {
    name: 'test',
    writes: {
      move: { run, events: (state: string) => (state === 'sent' ? 'message.sent' : null) },
      any: { run, events: true },
      none: { run },
    },
    reads: {},
  } as const;

  it.each([
    ['move', ['sent', 'sent'], ['message.sent']],
    ['move', ['sent', 'failed'], [null]],
    ['move', ['failed', 'sent'], [null]],
    ['move', [], [null]],
    ['any', ['sent'], [null]],
    ['none', ['sent'], []],
  ])('tells the type that all events of a commit have: %s of %j', async (name, items, expected) => {
    const commit: Engine['commit'] = async (calls) => calls.map((call) => [...call.items]);
    const engine = { kind: 'sqlite', ahead: () => 1, enoughRows: 1, commit } as Engine;
    type Methods = Record<'move' | 'any' | 'none', (items: unknown[]) => Promise<unknown[]>>;
    const store = createStore<StoreBase & Methods>(engine, catalogueOf([module as never]), 'node');
    const types: (string | null)[] = [];
    store.onEvents((type) => types.push(type));
    await store[name as keyof Methods](items);
    expect(types).toEqual(expected);
  });
});

describe('failStop', () => {
  it.each([
    ['commit', (engine: Engine) => engine.commit([])],
    ['lookUp', (engine: Engine) => engine.lookUp('message', [])],
    ['close', (engine: Engine) => engine.close()],
  ])('ends before the caller hears of it: %s', async (name, call) => {
    const { engine, steps } = stopping({ [name]: () => Promise.reject(brokenDisk) });
    await call(engine).catch(() => steps.push('caller'));
    expect(steps).toEqual(['ended: the disk failed', 'caller']);
  });

  it('exits when a commit in doubt turns out to be a disk failure', async () => {
    const { promise: outcome, reject } = Promise.withResolvers<never>();
    const { engine, steps } = stopping({ commit: () => Promise.reject(new CommitInDoubt(outcome)) });
    const doubt = (await engine.commit([]).catch((error) => error)) as CommitInDoubt;
    expect(doubt).toBeInstanceOf(CommitInDoubt);
    expect(steps).toEqual([]);
    reject(brokenDisk);
    await doubt.outcome.catch(() => steps.push('caller'));
    expect(steps).toEqual(['ended: the disk failed', 'caller']);
  });

  it('leaves every other error to the caller', async () => {
    const { engine, steps } = stopping({ commit: () => Promise.reject(full) });
    await expect(engine.commit([])).rejects.toBe(full);
    expect(steps).toEqual([]);
  });

  it('passes on arguments, results, and properties that are no methods', async () => {
    const commit = vi.fn(async () => [['move']]);
    const lookUp = vi.fn(async () => 7);
    const { engine } = stopping({ token: 7, kind: 'sqlite', ahead: () => 8, commit, lookUp });
    expect(await engine.commit([])).toEqual([['move']]);
    expect(await engine.lookUp('message', ['acc1', 'msg_1'])).toBe(7);
    expect([engine.token, engine.kind, engine.ahead()]).toEqual([7, 'sqlite', 8]);
    expect([commit.mock.calls, lookUp.mock.calls]).toEqual([[[[]]], [['message', ['acc1', 'msg_1']]]]);
  });
});

function watched(commit: Engine['commit']) {
  const seen: Parameters<CommitWatch['committed']>[] = [];
  const times = [10, 13];
  const clock = { monotonicMs: () => times.shift()! };
  const engine = watchCommits({ commit } as Engine, { committed: (...shown) => void seen.push(shown) }, clock);
  return { engine, seen };
}

const calls = [{ kind: 'accept', items: [1, 2] }];
const results = [['a', 'b']];

describe('a watcher of commits', () => {
  it('sees calls, results and time of a commit, and hands the results on', async () => {
    const { engine, seen } = watched(async () => results);
    expect(await engine.commit(calls)).toBe(results);
    expect(seen).toEqual([[calls, results, 3]]);
  });

  it('sees nothing of a commit that failed', async () => {
    const away = new StoreUnavailable('down', 'away');
    const { engine, seen } = watched(() => Promise.reject(away));
    await expect(engine.commit(calls)).rejects.toBe(away);
    expect(seen).toEqual([]);
  });

  it('sees a commit in doubt once it is known to be stored', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown[][]>();
    const { engine, seen } = watched(() => Promise.reject(new CommitInDoubt(promise)));
    const doubt = (await engine.commit(calls).catch((error) => error)) as CommitInDoubt;
    expect(doubt).toBeInstanceOf(CommitInDoubt);
    expect(seen).toEqual([]);
    resolve(results);
    expect(await doubt.outcome).toBe(results);
    expect(seen).toHaveLength(1);
  });

  it('sees nothing of a commit in doubt that turns out not to be stored', async () => {
    const lost = Promise.reject(new StoreUnavailable('down', 'not stored'));
    const { engine, seen } = watched(() => Promise.reject(new CommitInDoubt(lost)));
    const doubt = (await engine.commit(calls).catch((error) => error)) as CommitInDoubt;
    await expect(doubt.outcome).rejects.toThrow('not stored');
    expect(seen).toEqual([]);
  });
});
