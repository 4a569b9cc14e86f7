/**
 * `helio prove`: kills, power cuts and a misbehaving carrier, against a fresh gateway of this version or against the
 * gateway of a peer file, in a scratch folder; reports acknowledged, lost, duplicated and flagged messages.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { badConfigurationExitCode } from '../app/config.ts';
import { StoreRefused, StoreUnavailable } from '../store/faults.ts';
import { durationMs } from './duration.ts';
import { type FaultName, faultNames } from './prove/faults.ts';
import { ownGateway } from './prove/own-gateway.ts';
import { PeerRefused, readPeer } from './prove/peer.ts';
import { reportOf, tableOf } from './prove/report.ts';
import { runProof } from './prove/run.ts';
import { emptyDatabase, refuseFilledDatabase } from './prove/scratch-database.ts';
import { exitCodes, type Terminal } from './terminal.ts';

export interface ProveFlags {
  time: string;
  kills?: string;
  faults?: string;
  peer?: string;
  database?: string;
  keep?: string;
  json?: boolean;
}

interface Wanted {
  timeMs: number;
  timesMax: number | null;
  faults: readonly FaultName[];
}

/** The exit code that shells give to a process ended by Ctrl+C. */
const interruptedExitCode = 130;
const timeMsMin = 5_000;
const timeMsMax = 3_600_000;
const killsMax = 1_000;

export async function prove(flags: ProveFlags, terminal: Terminal): Promise<number> {
  const controller = new AbortController();
  const end = () => controller.abort();
  // The listeners stay until the end: terminal and launcher may both pass the same signal on.
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, end);
  const wanted = wantedBy(flags);
  if (typeof wanted === 'string') {
    terminal.error(`${wanted}\nNext: helio prove --help\n`);
    return exitCodes.usage;
  }
  const folder = scratchFolder(flags.keep);
  if (folder === null) {
    terminal.error(`${flags.keep} is not an empty folder. Next: helio prove --keep DIR, with a new name\n`);
    return exitCodes.usage;
  }
  try {
    return await proveIn(folder, flags, wanted, { terminal, signal: controller.signal });
  } catch (error) {
    if (controller.signal.aborted) {
      terminal.error('Stopped before the end: there is no verdict.\nNext: helio prove --time 1m\n');
      return interruptedExitCode;
    }
    if (!(error instanceof PeerRefused || error instanceof StoreRefused || error instanceof StoreUnavailable))
      throw error;
    terminal.error(`${error.message}\nNext: correct it and run helio prove again; see docs/prove.md\n`);
    return badConfigurationExitCode;
  } finally {
    if (flags.keep === undefined) rmSync(folder, { recursive: true, force: true });
    else terminal.error(`Kept: ${folder}\n`);
  }
}

async function proveIn(
  folder: string,
  { peer, database, keep, json }: ProveFlags,
  { timeMs, timesMax, faults }: Wanted,
  { terminal, signal }: { terminal: Terminal; signal: AbortSignal },
): Promise<number> {
  if (database !== undefined) await refuseFilledDatabase(database);
  try {
    const result = await runProof({
      folder,
      timeMs,
      timesMax,
      faults,
      noPower: database === undefined ? null : 'the database is not on a disk of this run',
      makeGateway: (places) => (peer === undefined ? ownGateway(places, database ?? null) : readPeer(peer, places)),
      isKept: keep !== undefined,
      home: resolve(terminal.env.GATEWAY_HOME ?? '.'),
      note: (line) => terminal.error(`${line}\n`),
      signal,
    });
    const report = reportOf(result);
    terminal.out(json === true ? `${JSON.stringify(report)}\n` : tableOf(report));
    return report.passed ? exitCodes.ok : exitCodes.refused;
  } finally {
    if (database !== undefined && keep === undefined) await emptyDatabase(database);
  }
}

/** The options of a command line, or the sentence about its fault. */
function wantedBy({ time, kills, faults: list, peer, database }: ProveFlags): Wanted | string {
  const timeMs = durationMs(time);
  if (timeMs === null || timeMs < timeMsMin || timeMs > timeMsMax) {
    return `--time is ${JSON.stringify(time)}; it takes a time from 5s to 60m.`;
  }
  const timesMax = kills === undefined ? null : Number(kills);
  if (timesMax !== null && !(Number.isInteger(timesMax) && timesMax >= 1 && timesMax <= killsMax)) {
    return `--kills is ${JSON.stringify(kills)}; it takes a number from 1 to ${killsMax}.`;
  }
  if (peer !== undefined && database !== undefined) {
    return '--database is for a gateway of this version; a peer file says itself what the peer needs.';
  }
  const named = list?.split(',').map((name) => name.trim()) ?? faultNames;
  const strange = named.find((name) => !faultNames.includes(name as FaultName));
  if (strange !== undefined)
    return `There is no fault ${JSON.stringify(strange)}; there are: ${faultNames.join(', ')}.`;
  return { timeMs, timesMax, faults: faultNames.filter((name) => named.includes(name)) };
}

/** Null for a folder that is not empty: it may hold somebody's data. */
function scratchFolder(keep: string | undefined): string | null {
  if (keep === undefined) return mkdtempSync(join(tmpdir(), 'helio-prove-'));
  const folder = resolve(keep);
  if (existsSync(folder) && readdirSync(folder).length > 0) return null;
  mkdirSync(folder, { recursive: true });
  return folder;
}
