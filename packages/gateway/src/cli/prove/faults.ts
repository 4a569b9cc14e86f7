/**
 * The faults of a run, each as one bounded round under load. After a round, gateway and message centre run normally.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Recorder } from '@heliograph/sandbox';
import { machineRandom } from '../../kernel/machine.ts';
import type { Disk } from './disk.ts';
import type { Load } from './load.ts';
import type { Processes } from './processes.ts';

export const faultNames = ['kill', 'power', 'drop', 'silent', 'restart'] as const;
export type FaultName = (typeof faultNames)[number];

export const faultTitles: Readonly<Record<FaultName, string>> = {
  kill: 'killed under load (SIGKILL)',
  power: 'power cut under load',
  drop: 'carrier drops the line',
  silent: 'carrier never answers',
  restart: 'stop and start under load',
};

/** The parts that a round acts on. */
export interface Stage {
  processes: Processes;
  centre: Recorder;
  load: Load;
  /** Null without power cuts. */
  disk: Disk | null;
  signal: AbortSignal;
}

/** Resolves with the ms from a start until the gateway was ready; null for a round without a start. */
type Play = (stage: Stage) => Promise<number | null>;

/** The answer time of an ordinary carrier. */
export const answerMs = 5;
/** Slower than the load, so that messages also wait in the gateway when the round ends. */
const slowAnswerMs = 50;
const beforeMs = 1_000;
const afterMs = 500;
const dropMs = 3_000;
const dropEvery = 25;
const silentMs = 3_000;
/** A round without its drain takes about this long, plus the start of the gateway. */
export const roundMs = 4_000;

/** Causes the fault while messages are in flight and waiting; never at the same moment twice. */
async function underLoad({ centre, signal }: Stage, end: () => Promise<unknown>): Promise<void> {
  centre.behaviour.answerAfterMs = slowAnswerMs;
  await pause(beforeMs + machineRandom.fraction() * beforeMs, undefined, { signal });
  await end();
  centre.behaviour.answerAfterMs = answerMs;
}

async function startAgain({ processes, signal }: Stage): Promise<number> {
  const readyMs = await processes.start();
  await pause(afterMs, undefined, { signal });
  return readyMs;
}

export const plays: Readonly<Record<FaultName, Play>> = {
  kill: async (stage) => {
    await underLoad(stage, stage.processes.kill);
    return startAgain(stage);
  },
  power: async (stage) => {
    const { processes, disk } = stage;
    await underLoad(stage, async () => {
      // A machine without power answers nothing. Freeze it first, or it would acknowledge requests after its disk is
      // gone.
      processes.freeze();
      await disk!.cutPower();
      await processes.kill();
    });
    await disk!.restart();
    return startAgain(stage);
  },
  drop: async ({ centre, signal }) => {
    centre.behaviour.dropEvery = dropEvery;
    await pause(dropMs, undefined, { signal });
    centre.behaviour.dropEvery = 0;
    return null;
  },
  silent: async ({ centre, signal }) => {
    await pause(beforeMs, undefined, { signal });
    centre.behaviour.silent = true;
    await pause(silentMs, undefined, { signal });
    centre.behaviour.silent = false;
    centre.dropSessions();
    await pause(afterMs, undefined, { signal });
    return null;
  },
  restart: async (stage) => {
    await underLoad(stage, stage.processes.stop);
    return startAgain(stage);
  },
};
