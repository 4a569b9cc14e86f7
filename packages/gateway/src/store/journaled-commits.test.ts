/** The order of commits and moves: what waits for memory, and what goes on meanwhile. */
import { expect, it } from 'vitest';
import { movedClock } from '../../../../test/props/clock.ts';
import type { WriteCall } from './catalogue.ts';
import { StoreBroken, StoreUnavailable } from './faults.ts';
import { JournaledCommits } from './journaled-commits.ts';
import type { PostgresJournal } from './postgres-journal.ts';

const stepRows = 512;
const text: WriteCall = { kind: 'accept', items: ['text'] };
const record: WriteCall = { kind: 'putRecords', items: ['record'] };

/** A writer whose transactions take a turn of the event loop; `done` lists them. */
function useCommits(rows: number) {
  const clock = movedClock();
  const done: string[] = [];
  const state = { rows, frames: true, fault: null as Error | null };
  const journal = {
    get rows() {
      return state.rows;
    },
    holds: () => state.rows > 0,
    isEmpty: () => state.rows === 0 && !state.frames,
    takes: ([call]: readonly WriteCall[]) => call!.kind === 'accept',
  };
  const turn = async (what: string) => {
    await new Promise((resolve) => setImmediate(resolve));
    if (state.fault) throw state.fault;
    done.push(what);
  };
  const writer = {
    commit: async ([call]: readonly WriteCall[]) => {
      await turn(call!.kind);
      if (call!.kind === 'accept') state.rows += 1;
      else state.rows = 0;
      return [['done']];
    },
    move: async () => {
      await turn('move');
      state.rows = Math.max(0, state.rows - stepRows);
      state.frames = state.rows > 0;
    },
  };
  const commits = new JournaledCommits(writer, journal as unknown as PostgresJournal, { clock, timers: clock });
  const settled = async () => {
    for (let turns = 0; turns < 20; turns += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  return { commits, clock, done, state, settled };
}

it('what needs everything in the database lets memory move step by step, and other groups go first', async () => {
  const { commits, done } = useCommits(4 * stepRows);
  const all = commits.commit([record]);
  expect(commits.ahead()).toBe(2);
  const others = [commits.commit([text]), commits.commit([text])];
  await Promise.all([...others, all]);
  expect(done).toEqual(['move', 'accept', 'accept', 'move', 'move', 'putRecords']);
  expect(commits.ahead()).toBe(1);
});

it('with little in memory it is one transaction', async () => {
  const { commits, done } = useCommits(2 * stepRows);
  await commits.commit([record]);
  expect(done).toEqual(['putRecords']);
});

it('look-ups move together what was committed before them, and again what was committed since', async () => {
  const { commits, done, state } = useCommits(stepRows + 1);
  await Promise.all([commits.newest(), commits.newest()]);
  expect(done).toEqual(['move', 'move']);
  await commits.newest();
  expect(done).toHaveLength(2);
  const committed = commits.commit([text]);
  const during = commits.newest();
  await committed;
  await Promise.all([during, commits.newest()]);
  expect(state.rows).toBe(0);
});

it('look-ups wait no longer for what comes while they move', async () => {
  const { commits, done } = useCommits(stepRows);
  const looked = commits.newest();
  const later = Array.from({ length: 20 }, () => commits.commit([text]));
  await looked;
  expect(done.length).toBeLessThan(5);
  await Promise.all(later);
});

it('while the database takes no writes, look-ups read what it has, and moves are tried again', async () => {
  const { commits, done, state } = useCommits(1);
  state.fault = new StoreUnavailable('down', 'away');
  await commits.newest();
  await expect(commits.commit([text])).rejects.toBe(state.fault);
  await expect(commits.commit([record])).rejects.toBe(state.fault);
  expect(done).toEqual([]);
  state.fault = null;
  await commits.newest();
  expect(done).toEqual(['move']);
});

it('what memory cannot move to the database is the end, for whoever looks', async () => {
  const { commits, state } = useCommits(1);
  state.fault = new StoreBroken('refused');
  await expect(commits.newest()).rejects.toBe(state.fault);
});

it('after a second without a commit everything moves', async () => {
  const { commits, clock, done, settled, state } = useCommits(0);
  await commits.commit([text]);
  clock.pass(900);
  await commits.commit([text]);
  clock.pass(900);
  await settled();
  expect(done).toEqual(['accept', 'accept']);
  clock.pass(100);
  await settled();
  expect(done).toEqual(['accept', 'accept', 'move']);
  clock.pass(5_000);
  await settled();
  expect(done).toHaveLength(3);
  state.fault = new StoreUnavailable('down', 'away');
  await commits.commit([text]).catch(() => {});
  state.rows = 1;
  clock.pass(1_000);
  await settled();
  state.fault = null;
  clock.pass(1_000);
  await settled();
  expect(done).toHaveLength(4);
});

it('a close moves the rest, frames too, for at most a second and a half', async () => {
  const { commits, done, state } = useCommits(0);
  await commits.close();
  expect(done).toEqual(['move']);
  expect(state.frames).toBe(false);
  const long = useCommits(100 * stepRows);
  const closed = long.commits.close();
  await long.settled();
  long.clock.pass(1_500);
  await closed;
  expect(long.state.rows).toBeGreaterThan(0);
  const away = useCommits(1);
  away.state.fault = new StoreBroken('another node has taken over');
  await away.commits.close();
});
