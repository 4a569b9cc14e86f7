import { describe, expect, it } from 'vitest';
import { settlingClock } from '../../../../../test/props/clock.ts';
import { warningsIn } from '../../../../../test/props/warnings.ts';
import { silentLogger } from '../../kernel/logger.ts';
import type { Directory } from '../../model/directory.ts';
import { noRecords } from '../../model/records.ts';
import type { Newest } from '../../store/context.ts';
import { StoreUnavailable } from '../../store/faults.ts';
import { createMemory, followDirectory } from './memory.ts';

/** Each read increments the version by one. */
function reading(newest: Newest | null) {
  const has = { records: 1, consent: 1 };
  const state = { newest, reads: 0 };
  const clock = settlingClock();
  const memory = createMemory({
    clock,
    logger: silentLogger,
    store: { newest: () => state.newest },
    directory: {
      current: () => ({ version: has.records }) as Directory,
      catchUp: async () => {
        has.records += 1;
      },
    },
    consent: {
      version: () => has.consent,
      refresh: async () => {
        state.reads += 1;
        has.consent += 1;
      },
    },
  });
  return { has, state, clock, memory };
}

describe('memory', () => {
  it.each([
    ['nothing is newer', { records: 1, consent: 1 }, false],
    ['it is ahead of the last transaction', { records: 0, consent: 0 }, false],
    ['records have changed', { records: 2, consent: 1 }, true],
    ['an opt-out was entered', { records: 1, consent: 2 }, true],
    ['no other process writes', null, false],
  ])('where %s', (_, newest, isBehind) => {
    expect(reading(newest).memory.isBehind()).toBe(isBehind);
  });

  it('catches up with what was stored at the call, and reads no further', async () => {
    const { has, state, memory } = reading({ records: 1, consent: 4 });
    const caughtUp = memory.catchUp();
    state.newest = { records: 1, consent: 9 };
    await caughtUp;
    expect(has.consent).toBe(4);
  });

  it('looks for opt-outs by itself every second where other processes write, until it is stopped', async () => {
    const { state, clock, memory } = reading({ records: 1, consent: 1 });
    memory.start();
    await clock.pass(2_000);
    expect(state.reads).toBe(2);
    memory.stop();
    await clock.pass(5_000);
    expect(state.reads).toBe(2);
    const alone = reading(null);
    alone.memory.start();
    await alone.clock.pass(5_000);
    expect(alone.state.reads).toBe(0);
  });
});

/** A follower of records whose version a test raises. */
async function following() {
  const state = { version: 1, away: Promise.resolve() };
  const warnings: string[] = [];
  const logger = warningsIn(warnings);
  const clock = settlingClock();
  const store = {
    records: async () => ({ ...noRecords(), version: state.version }),
    recordsVersion: async () => {
      await state.away;
      return state.version;
    },
  };
  const directory = await followDirectory({ clock, logger, store, view: (records) => records });
  return { state, clock, directory, warnings };
}

it('calls every listener at once with the new directory, and waits for those that need time', async () => {
  const { state, directory } = await following();
  const notified: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  directory.onChanged(({ version }) => void notified.push(`first ${version}`));
  directory.onChanged(() => promise.then(() => void notified.push('slow')));
  directory.onChanged(() => void notified.push(`last ${directory.current().version}`));
  await directory.refresh();
  expect(notified).toEqual([]);
  state.version = 2;
  const refreshed = directory.refresh().then(() => notified.push('refreshed'));
  await new Promise(setImmediate);
  expect(notified).toEqual(['first 2', 'last 2']);
  resolve();
  await refreshed;
  expect(notified).toEqual(['first 2', 'last 2', 'slow', 'refreshed']);
});

it('is caught up before the listeners are done, for those whom one of them waits for', async () => {
  const { state, directory } = await following();
  const { promise, resolve } = Promise.withResolvers<void>();
  const notified: number[] = [];
  directory.onChanged(({ version }) => promise.then(() => void notified.push(version)));
  state.version = 2;
  await directory.catchUp();
  expect([directory.current().version, notified]).toEqual([2, []]);
  resolve();
  await new Promise(setImmediate);
  await directory.catchUp();
  expect(notified).toEqual([2]);
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

it('says once in an outage that it cannot read', async () => {
  const { state, clock, directory, warnings } = await following();
  directory.start();
  for (const outage of [1, 2]) {
    state.away = Promise.reject(new StoreUnavailable('down', 'away'));
    await clock.pass(5_000);
    expect(warnings).toEqual(Array(outage).fill('the records could not be read'));
    state.away = Promise.resolve();
    await clock.pass(5_000);
  }
  directory.stop();
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
