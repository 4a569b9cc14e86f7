/** Runs seeds in processes of their own, with or without a planted bug. */
import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const outputMax = 64 << 20;

export interface SeedsResult {
  seeds: number;
  takeOvers: number;
  duplicates: number;
  acknowledged: number;
  /** Of each seed that broke a rule: what it broke, and the command that runs it again. */
  failures: { seed: number; broken: string; again: string }[];
}

interface Seeds {
  from: number;
  count: number;
  /** A file of `props/plants`. */
  plant?: string;
  /** Ends at the first that breaks a rule. */
  first?: boolean;
}

export async function runSeeds({ from, count, plant, first = false }: Seeds): Promise<SeedsResult> {
  const planted = plant === undefined ? [] : ['--import', `./test/props/plants/${plant}.ts`];
  const range = ['--from', `${from}`, '--count', `${count}`, ...(first ? ['--first'] : [])];
  return resultOf(await output([...planted, 'test/simulation/run.ts', ...range]));
}

/** The same, over all processors. */
export async function runManySeeds(count: number): Promise<SeedsResult> {
  const parts = availableParallelism();
  const each = Math.ceil(count / parts);
  const results = await Promise.all(
    Array.from({ length: parts }, (_, part) => runSeeds({ from: 1 + part * each, count: each })),
  );
  const sum = (name: 'seeds' | 'takeOvers' | 'duplicates' | 'acknowledged') =>
    results.reduce((total, result) => total + result[name], 0);
  return {
    seeds: sum('seeds'),
    takeOvers: sum('takeOvers'),
    duplicates: sum('duplicates'),
    acknowledged: sum('acknowledged'),
    failures: results.flatMap(({ failures }) => failures),
  };
}

/** Runs a command as a failure prints it. */
export async function runAgain(again: string): Promise<SeedsResult> {
  const [, ...commandArguments] = again.split(' ');
  return resultOf(await output(commandArguments));
}

function output(nodeArguments: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, nodeArguments, { cwd: root, maxBuffer: outputMax }, (error, stdout, stderr) => {
      // 1 = a seed broke a rule.
      if (error !== null && error.code !== 1) reject(new Error(`${error.message}\n${stderr}`));
      else if (stdout === '') reject(new Error(stderr));
      else resolve(stdout);
    });
  });
}

function resultOf(stdout: string): SeedsResult {
  const last = stdout.trimEnd().split('\n').at(-1)!;
  const failed = stdout.matchAll(/^seed (\d+): ([\s\S]*?)\n {2}again: (.*)$/gm);
  const failures = [...failed].map(([, seed, broken, again]) => ({
    seed: Number(seed),
    broken: broken!,
    again: again!,
  }));
  return { ...(JSON.parse(last) as Omit<SeedsResult, 'failures'>), failures };
}
