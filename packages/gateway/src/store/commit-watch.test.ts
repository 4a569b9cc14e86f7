/** A watcher sees each commit once, and nothing that was not stored. */
import { expect, it } from 'vitest';
import { type CommitWatch, watchCommits } from './commit-watch.ts';
import { CommitInDoubt, type Engine } from './engine.ts';
import { StoreUnavailable } from './faults.ts';

function watched(commit: Engine['commit']) {
  const seen: Parameters<CommitWatch['committed']>[] = [];
  const times = [10, 13];
  const clock = { monotonicMs: () => times.shift()! };
  const engine = watchCommits({ commit } as Engine, { committed: (...shown) => void seen.push(shown) }, clock);
  return { engine, seen };
}

const calls = [{ kind: 'accept', items: [1, 2] }];
const results = [['a', 'b']];

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
