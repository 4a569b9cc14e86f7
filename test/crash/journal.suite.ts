/**
 * The gateway ends at exact places of its journal (props/plants/journal-stop.ts): while a frame is written, while texts
 * are copied into the database, between the database and the journal's restart, and while a start reads a journal. It
 * is killed there, or its power is cut. Nothing may be lost, and nothing may be on record twice.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, type TestOptions } from 'vitest';
import { callApi } from '../props/api.ts';
import type { Gateway, GatewayOptions } from '../props/gateway.ts';
import { readiness } from './nodes.ts';
import { cutting, integrity, recoverAll, withDisk } from './power.suite.ts';
import {
  planted,
  type RoundsOptions,
  type RoundsResult,
  report,
  runRounds,
  someLoad,
  uncertainMoves,
} from './rounds.ts';

const window = 10;
/** A place that is not reached within this counts as missed. */
const reachedWithinMs = 75_000;
/** Limit of a round: also covers the end of the gateway on a disk that was cut off. */
const roundLimitMs = reachedWithinMs + 20_000;
/** The interval of the look-ups grows by this factor, so that a slow load has time to put more into memory. */
const patience = 1.5;

interface Place {
  name: string;
  at: string;
  /** The pass is a random number from 1 to this. */
  passMax: number;
  load: Partial<RoundsOptions>;
  /** Queries messages all the time, so that memory is flushed to the database; ms between the first two queries. */
  pollEveryMs?: number;
  /** Every second round is an ordinary kill, which leaves a journal to recover. */
  recovers?: boolean;
}

/** More than the carrier can accept, so that many messages wait in memory. */
const flood = { requestsPerSecond: 1_500, behaviour: { responseDelayMs: 50 } };
/** No more than the carrier can accept: each text is sent at once, and the journal holds its whole first attempt. */
const steady = { requestsPerSecond: 200, behaviour: { responseDelayMs: 20 } };
/** Slow enough that sent texts are copied to the database before the next text. */
const trickle = { requestsPerSecond: 30, behaviour: { responseDelayMs: 2 } };

const places: readonly Place[] = [
  { name: 'a part of a frame is written', at: 'frame:within', passMax: 60, load: steady, pollEveryMs: 300 },
  {
    name: 'a frame is synced and nobody got an answer',
    at: 'frame:after',
    passMax: 60,
    load: steady,
    pollEveryMs: 300,
  },
  { name: 'texts are on their way to the database', at: 'keep:within', passMax: 10, load: trickle },
  { name: 'texts are in the database, unsynced', at: 'keep:after', passMax: 10, load: trickle },
  { name: 'many texts are in the database, unsynced', at: 'keep:after', passMax: 3, load: flood, pollEveryMs: 1_200 },
  { name: 'the database is about to have all', at: 'flush:within', passMax: 5, load: flood, pollEveryMs: 50 },
  { name: 'the journal has not begun anew', at: 'flush:after', passMax: 5, load: flood, pollEveryMs: 50 },
  { name: 'a start is about to bring in a journal', at: 'recovery:within', passMax: 1, load: flood, recovers: true },
  { name: 'a start has brought in a journal', at: 'recovery:after', passMax: 1, load: steady, recovers: true },
];

export interface JournalCounts {
  /** Kills at each place. */
  kills: number;
  /** Power cuts at each place. */
  cuts: number;
  how?: TestOptions;
}

export function journalSuite({ kills, cuts, how = {} }: JournalCounts): void {
  // Unfinished work looks the same after a cut as after a kill, so the short form cuts only after a step.
  const cutPlaces = cuts > 1 ? places : places.filter(({ at }) => at.endsWith(':after'));

  describe('kill -9 at a place of the journal', how, () => {
    it.for(places)('$name: nothing lost, nothing twice', async (place) => {
      const seen = await playAt(place, kills, { end: ({ gateway }) => gateway.kill() });
      expectWhole(`kill, ${place.name}`, seen, kills);
    });
  });

  describe('power cut at a place of the journal', how, () => {
    it.for(cutPlaces)('$name: nothing lost, nothing twice', async (place, ctx) => {
      await withDisk(ctx, async (disk) => {
        const { dataDir, between } = cutting(disk);
        const seen = await playAt(place, cuts, {
          dataDir,
          end: async ({ gateway }) => {
            await disk.cutPower();
            await gateway.kill();
          },
          between: async () => {
            await between();
            expect(integrity(disk)).toEqual(['ok']);
          },
        });
        expectWhole(`power cut, ${place.name}`, seen, cuts);
      });
    });

    it('finds the planted bug: the journal begins anew and the database is not synced', async (ctx) => {
      await withDisk(ctx, async (disk) => {
        const { dataDir, between } = cutting(disk);
        const { verdict } = await runRounds({
          ...flood,
          window,
          dataDir,
          rounds: 1,
          start: () => ({ nodeArguments: planted('behind-only') }),
          end: async (round) => {
            await someLoad(round);
            await pollMessages(round.gateway.port);
            await wait(300);
            await disk.cutPower();
            await round.gateway.kill();
          },
          between: async () => {
            await between();
            recoverAll(disk);
          },
        });
        expect(verdict.unrecorded.length).toBeGreaterThan(0);
      });
    });
  });
}

interface Seen extends RoundsResult {
  /** Number of stops of the gateway at the place. */
  reached: number;
}

/** Ends the gateway `times` times at the place. */
async function playAt(
  { at, passMax, load, pollEveryMs = 0, recovers = false }: Place,
  times: number,
  ending: Pick<RoundsOptions, 'end'> & Partial<RoundsOptions>,
): Promise<Seen> {
  // Some attempts miss the place: the journal left by a start, and the speed of the load, depend on the machine.
  const tries = (recovers ? 4 : 2) * times + 1;
  const isAtPlace = (index: number) => !recovers || index % 2 === 1;
  let reached = 0;
  const result = await runRounds({
    window,
    ...load,
    ...ending,
    rounds: recovers ? 2 * tries : tries,
    isEnough: () => reached === times,
    limitMs: roundLimitMs,
    fromSpawn: true,
    start: (index) => (isAtPlace(index) ? stopAt(at, passMax) : {}),
    end: async (round) => {
      if (!isAtPlace(round.index)) {
        await someLoad(round);
      } else if (await standsStill(round.gateway, { pollEveryMs, recovers })) {
        reached += 1;
      }
      await ending.end(round);
    },
  });
  return { ...result, reached };
}

function stopAt(at: string, passMax: number): Partial<GatewayOptions> {
  const pass = 1 + Math.floor(Math.random() * passMax);
  return { nodeArguments: planted('journal-stop'), env: { STOP_AT: `${at}:${pass}` } };
}

/** True once it is stopped; false when it exited or ran too long, or serves requests and so has passed what a start recovers. */
async function standsStill(
  gateway: Gateway,
  { pollEveryMs, recovers }: Required<Pick<Place, 'pollEveryMs' | 'recovers'>>,
): Promise<boolean> {
  const end = performance.now() + reachedWithinMs;
  let pollAt = 0;
  let everyMs = pollEveryMs;
  while (performance.now() < end) {
    const state = stateOf(gateway.pid);
    if (state === null || state === 'T') return state === 'T';
    if (recovers && (await readiness(gateway.port)) !== null) return false;
    if (pollEveryMs > 0 && performance.now() >= pollAt) {
      pollAt = performance.now() + everyMs;
      everyMs *= patience;
      void pollMessages(gateway.port);
    }
    await wait(5);
  }
  return false;
}

/** The process state letter of Linux, T = stopped; null when the process is gone. */
function stateOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat[stat.lastIndexOf(')') + 2]!;
  } catch {
    return null;
  }
}

/** Only the query matters, not its answer. */
async function pollMessages(port: number): Promise<void> {
  await callApi(port, { path: '/api/v1/messages?limit=1' }).catch(() => {});
}

function expectWhole(name: string, { verdict, messages, exits, reached }: Seen, wanted: number): void {
  const rounds = exits.length;
  report(name, { ...verdict, rounds, reached, uncertain: uncertainMoves(messages) });
  expect(reached).toBe(wanted);
  expect(verdict.lost).toEqual([]);
  expect(verdict.unrecorded).toEqual([]);
  expect(verdict.unflaggedDuplicates).toEqual([]);
  expect(verdict.duplicates).toBeLessThanOrEqual(rounds * window);
  expect(uncertainMoves(messages)).toBeLessThanOrEqual(rounds * window);
  expect(new Set(messages.map(({ to }) => to)).size).toBe(messages.length);
}
