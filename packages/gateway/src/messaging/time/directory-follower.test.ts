import { expect, it } from 'vitest';
import { settlingClock } from '../../../../../test/props/clock.ts';
import { silentLogger } from '../../kernel/logger.ts';
import { noRecords } from '../../model/records.ts';
import { followDirectory } from './directory-follower.ts';

/** A follower of records whose version a test raises. */
async function following() {
  const state = { version: 1, away: Promise.resolve() };
  const clock = settlingClock();
  const store = {
    records: async () => ({ ...noRecords(), version: state.version }),
    recordsVersion: async () => {
      await state.away;
      return state.version;
    },
  };
  const directory = await followDirectory({ clock, logger: silentLogger, store, view: (records) => records });
  return { state, clock, directory };
}

it('calls every listener at once with the new directory, and waits for those that need time', async () => {
  const { state, directory } = await following();
  const heard: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  directory.onChanged(({ version }) => void heard.push(`first ${version}`));
  directory.onChanged(() => promise.then(() => void heard.push('slow')));
  directory.onChanged(() => void heard.push(`last ${directory.current().version}`));
  await directory.refresh();
  expect(heard).toEqual([]);
  state.version = 2;
  const refreshed = directory.refresh().then(() => heard.push('refreshed'));
  await new Promise(setImmediate);
  expect(heard).toEqual(['first 2', 'last 2']);
  resolve();
  await refreshed;
  expect(heard).toEqual(['first 2', 'last 2', 'slow', 'refreshed']);
});

it('is caught up before the listeners are done, for those whom one of them waits for', async () => {
  const { state, directory } = await following();
  const { promise, resolve } = Promise.withResolvers<void>();
  const heard: number[] = [];
  directory.onChanged(({ version }) => promise.then(() => void heard.push(version)));
  state.version = 2;
  await directory.catchUp();
  expect([directory.current().version, heard]).toEqual([2, []]);
  resolve();
  await new Promise(setImmediate);
  await directory.catchUp();
  expect(heard).toEqual([2]);
});

it('reads the records by itself once it is started, and no more once it is stopped', async () => {
  const { state, clock, directory } = await following();
  directory.start();
  state.version = 2;
  await clock.pass(600);
  expect(directory.current().version).toBe(2);
  directory.stop();
  state.version = 3;
  await clock.pass(5_000);
  expect(directory.current().version).toBe(2);
});

it('ends what it reads when it is stopped meanwhile, and reads nothing after it', async () => {
  const { state, clock, directory } = await following();
  directory.start();
  const { promise, resolve } = Promise.withResolvers<void>();
  state.away = promise;
  await clock.pass(600);
  directory.stop();
  state.version = 2;
  resolve();
  await clock.pass(600);
  expect(directory.current().version).toBe(2);
  state.version = 3;
  await clock.pass(5_000);
  expect(directory.current().version).toBe(2);
});
