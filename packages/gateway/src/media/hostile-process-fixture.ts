/**
 * The gateway's side of the hostile corpus in its own process, so that its use of memory and network can be measured
 * alone. Stores and fits every file of a folder with the real fit processes, and prints the results.
 *
 * node hostile-process-fixture.ts FOLDER-OF-FILES FOLDER-FOR-DATA
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { silentLogger } from '../kernel/logger.ts';
import { machineClock, machineRandom } from '../kernel/machine.ts';
import type { FittedMedia, RecognisedMedium } from '../model/media.ts';
import { openMediaFiles } from './files.ts';
import { openMedia } from './open.ts';

/** One line of the output, and the last line. */
export interface FileReport {
  file: string;
  taken: RecognisedMedium;
  /** Null when the file was refused. */
  fitted: FittedMedia | null;
  budgetBytes: number;
  ms: number;
}
export interface EndReport {
  /** How often a fit process failed and was ended. */
  failures: number;
  ownPeakMb: number;
  childPeakMb: number;
}

/** Used in turn: one leaves most files unchanged, one makes all be encoded again. */
const budgets = [600_000, 2_500] as const;
const [, , corpus, dataDir] = process.argv;
if (process.argv[1] === import.meta.filename) await main(corpus!, dataDir!);

async function main(corpusDir: string, data: string): Promise<void> {
  let failures = 0;
  let childPeakMb = 0;
  const unused = (): never => {
    throw new Error('nothing is fetched here');
  };
  const media = openMedia({
    files: await openMediaFiles({ dataDir: data, random: machineRandom, now: machineClock.now }),
    clock: machineClock,
    version: '0',
    own: async () => 'not-ours' as const,
    guarded: { fetch: unused, checkUrl: unused, checkUrlResolved: unused, close: unused } as never,
    policy: unused,
    logger: { ...silentLogger, warn: () => failures++ },
  });
  const look = (): void => {
    for (const pid of children()) childPeakMb = Math.max(childPeakMb, peakMb(pid));
  };
  const looking = setInterval(look, 20);
  const files = readdirSync(corpusDir).sort().entries();
  const work = async (): Promise<void> => {
    for (const [index, file] of files) {
      const startedMs = performance.now();
      const budgetBytes = budgets[index % budgets.length]!;
      const taken = await media.take(readFileSync(join(corpusDir, file)));
      const fitted = taken.kind === 'medium' ? await media.fit([taken.medium], budgetBytes) : null;
      look();
      if (fitted?.kind === 'fitted') writeFileSync(join(data, file), (await media.read(fitted.media[0]!.hash))!);
      const line: FileReport = { file, taken, fitted, budgetBytes, ms: Math.round(performance.now() - startedMs) };
      console.log(JSON.stringify(line));
    }
  };
  await Promise.all([work(), work()]);
  clearInterval(looking);
  media.close();
  const end: EndReport = { failures, ownPeakMb: peakMb(process.pid), childPeakMb };
  console.log(JSON.stringify(end));
}

function children(): number[] {
  return readFileSync(`/proc/self/task/${process.pid}/children`, 'latin1')
    .trim()
    .split(' ')
    .filter(Boolean)
    .map(Number);
}

function peakMb(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) / 1_000;
  } catch {
    return 0;
  }
}
