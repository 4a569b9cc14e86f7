/**
 * One run: starts message centre and gateway, plays the faults round after round under load until the time is up, waits
 * after each until all messages have drained, and passes the evidence to the judge. Ends everything that it started
 * before it returns.
 */
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { HeliographError } from '@heliograph/client';
import { type Recorder, startRecorder } from '@heliograph/sandbox';
import { machineClock as clock } from '../../kernel/machine.ts';
import { createDisk, type Disk } from './disk.ts';
import { answerMs, type FaultName, faultTitles, plays, roundMs, type Stage } from './faults.ts';
import type { Gateway } from './gateway.ts';
import { type JudgedMessage, judge } from './judge.ts';
import { createLoad, type Load } from './load.ts';
import type { Places } from './peer.ts';
import { createProcesses, GatewayFailed, type Processes } from './processes.ts';
import type { PlayedRound, RunResult, Skipped } from './report.ts';

export interface RunOptions {
  /** Empty; the gateway can only use the folders that it gets inside it. */
  folder: string;
  timeMs: number;
  /** How often to play all faults; null: as often as the time allows. */
  timesMax: number | null;
  faults: readonly FaultName[];
  /** Why this run cannot cut the power, if so. */
  noPower: string | null;
  makeGateway(places: Places): Promise<Gateway>;
  /** Keeps the gateway's data in the folder. */
  isKept: boolean;
  home: string;
  note(line: string): void;
  signal: AbortSignal;
}

const window = 10;
const diskMb = 2_048;
const lookMs = 200;
/** A gateway without records has drained when nothing has changed for this long. */
const roundQuietMs = 5_000;
/** Time for copies that arrive right after the last message. */
const restMs = 1_000;
const drainMsMax = 60_000;

interface Ground {
  gateway: Gateway;
  processes: Processes;
  centre: Recorder;
  load: Load;
  disk: Disk | null;
}

/** Rejects with the signal's reason if that ended the run. */
export async function runProof(options: RunOptions): Promise<RunResult> {
  const startedMs = clock.monotonicMs();
  const skipped: Skipped[] = [];
  const ground = await prepare(options, skipped);
  const rounds: PlayedRound[] = [];
  let failure: string | null = null;
  let messages: JudgedMessage[] | null = null;
  try {
    failure = await playAll(options, ground, { rounds, skipped, startedMs });
    if (failure === null) {
      await drain(ground, options.signal, true);
      [messages, failure] = await readRecords(ground.gateway);
    }
  } finally {
    await cleanUp(ground, options);
  }
  const { load, centre, gateway } = ground;
  const hasFlags = gateway.records !== null;
  return {
    gateway: gateway.name,
    hasFlags,
    seconds: Math.round((clock.monotonicMs() - startedMs) / 1_000),
    rounds,
    skipped,
    failure,
    others: Object.fromEntries(load.others),
    verdictOf: (wanted) => {
      const isWanted = (to: string) => wanted === null || rounds[load.roundOf.get(to) ?? -1]?.fault === wanted;
      return judge({
        acknowledged: new Map([...load.acknowledged].filter(([to]) => isWanted(to))),
        copies: new Map([...centre.copies].filter(([to]) => load.roundOf.has(to) && isWanted(to))),
        messages,
      });
    },
  };
}

/** The records, and why they could not be read: a gateway may end during the last drain. */
async function readRecords({ records }: Gateway): Promise<[JudgedMessage[] | null, string | null]> {
  if (records === null) return [null, null];
  try {
    return [await records.all(), null];
  } catch (error) {
    if (!(error instanceof HeliographError)) throw error;
    return [null, `its records could not be read at the end: ${error.message}`];
  }
}

async function prepare(options: RunOptions, skipped: Skipped[]): Promise<Ground> {
  const { folder, home, signal, note } = options;
  const disk = await diskFor(options, skipped);
  const run = disk === null ? join(folder, 'run') : join(disk.folder, 'run');
  mkdirSync(run, { recursive: true });
  const arrivedFile = join(folder, 'arrived.txt');
  const centre = await startRecorder((to, text) =>
    appendFileSync(arrivedFile, `${to}\t${text.replaceAll('\n', ' ')}\n`),
  );
  centre.behaviour.answerAfterMs = answerMs;
  try {
    const gateway = await options.makeGateway({ run, sink: centre.port, window, home });
    const outputFile = join(folder, 'output.txt');
    const processes = createProcesses({ gateway, folder: run, outputFile, signal });
    const load = createLoad(gateway, join(folder, 'acknowledged.txt'), signal);
    note(`${gateway.name} on port ${gateway.port}, message centre on port ${centre.port}, everything in ${folder}`);
    return { gateway, processes, centre, load, disk };
  } catch (error) {
    await centre.stop();
    await disk?.remove();
    throw error;
  }
}

async function diskFor({ faults, noPower, folder }: RunOptions, skipped: Skipped[]): Promise<Disk | null> {
  if (!faults.includes('power')) return null;
  const disk = noPower === null ? await createDisk(folder, diskMb) : { impossible: noPower };
  if (!('impossible' in disk)) return disk;
  skipped.push({ fault: 'power', why: disk.impossible });
  return null;
}

async function cleanUp({ processes, load, centre, disk }: Ground, { isKept }: RunOptions): Promise<void> {
  try {
    await processes.kill();
    await load.close();
    await centre.stop();
  } finally {
    if (isKept) await disk?.unmount();
    else await disk?.remove();
  }
}

interface Played {
  rounds: PlayedRound[];
  skipped: Skipped[];
  startedMs: number;
}

/** Null, or why the gateway failed: no further round is possible then. */
async function playAll(
  options: RunOptions,
  ground: Ground,
  { rounds, skipped, startedMs }: Played,
): Promise<string | null> {
  const { signal, timesMax, note } = options;
  const stage: Stage = { ...ground, signal };
  const { processes } = ground;
  const faults = options.faults.filter((fault) => fault !== 'power' || ground.disk !== null);
  let startMs = 0;
  const hasTime = () => clock.monotonicMs() - startedMs + roundMs + startMs < options.timeMs;
  try {
    await processes.setUp();
    // Files and results of the set-up must survive the first power cut.
    await ground.disk?.restart();
    startMs = await processes.start();
    note(`ready after ${(startMs / 1_000).toFixed(1)} s`);
    for (let time = 0; faults.length > 0 && time !== timesMax; time++) {
      for (const fault of faults) {
        if (rounds.length > 0 && !hasTime()) {
          for (const one of faults.slice(rounds.length))
            skipped.push({ fault: one, why: 'no time was left; give more with --time' });
          return null;
        }
        const round: PlayedRound = { fault, readyMs: null, endedItself: false };
        const number = rounds.push(round);
        await playRound(stage, ground, round, number - 1);
        startMs = Math.max(startMs, round.readyMs ?? 0);
        note(lineOf(ground, round, number));
      }
    }
    return null;
  } catch (error) {
    if (!(error instanceof GatewayFailed)) throw error;
    return error.message;
  }
}

async function playRound(stage: Stage, ground: Ground, round: PlayedRound, index: number): Promise<void> {
  const { processes, load, signal } = { ...ground, ...stage };
  load.resume(index);
  try {
    round.readyMs = await plays[round.fault](stage);
  } finally {
    await load.pause();
  }
  if (!processes.isRunning()) {
    round.endedItself = true;
    await processes.kill();
    await processes.start();
  }
  await drain(ground, signal, false);
}

/**
 * Resolves when no message is in flight. A gateway without records has drained when everything has arrived, or when
 * nothing came for a while: at the end, as long as its peer file says.
 */
async function drain({ gateway, centre, load }: Ground, signal: AbortSignal, isLast: boolean): Promise<void> {
  const quietMs = isLast ? gateway.quietMs : Math.min(roundQuietMs, gateway.quietMs);
  const endMs = clock.monotonicMs() + Math.max(drainMsMax, quietMs);
  let taken = centre.taken();
  let changedMs = clock.monotonicMs();
  while (clock.monotonicMs() < endMs) {
    await pause(lookMs, undefined, { signal });
    if (centre.taken() !== taken) {
      taken = centre.taken();
      changedMs = clock.monotonicMs();
      continue;
    }
    const stillMs = clock.monotonicMs() - changedMs;
    if (gateway.records === null) {
      const isWhole = [...load.acknowledged.keys()].every((to) => centre.copies.has(to));
      if (stillMs > (isWhole ? restMs : quietMs)) return;
    } else if (stillMs > restMs && (await gateway.records.isMoving().catch(() => true)) === false) return;
  }
}

function lineOf({ load, centre }: Ground, { fault, readyMs, endedItself }: PlayedRound, number: number): string {
  const sent = [...load.acknowledged.keys()].filter((to) => load.roundOf.get(to) === number - 1);
  const arrived = sent.filter((to) => centre.copies.has(to)).length;
  const ready = readyMs === null ? '' : `, ready again after ${(readyMs / 1_000).toFixed(1)} s`;
  const ended = endedItself ? ', and it ended by itself' : '';
  return `${number}. ${faultTitles[fault]}: ${sent.length} acknowledged, ${arrived} arrived${ready}${ended}`;
}
