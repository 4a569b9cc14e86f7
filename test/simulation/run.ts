/**
 * Runs seeds of the simulation, and prints those that break a rule with the command that runs each of them again.
 *   node test/simulation/run.ts --seed 17 --trace
 *   node test/simulation/run.ts --from 1 --count 1000
 */
import { parseArgs } from 'node:util';
import { simulate } from './simulate.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    trace: { type: 'boolean', default: false },
    from: { type: 'string', default: '1' },
    count: { type: 'string', default: '100' },
    /** Ends at the first seed that breaks a rule. */
    first: { type: 'boolean', default: false },
  },
});

const from = Number(values.seed ?? values.from);
const count = values.seed === undefined ? Number(values.count) : 1;
const again = ['node', ...process.execArgv, 'test/simulation/run.ts', '--seed'].join(' ');
const sums = {
  seeds: 0,
  failed: 0,
  virtualMs: 0,
  acknowledged: 0,
  taken: 0,
  duplicates: 0,
  uncertainMoves: 0,
  takeOvers: 0,
};
let slowestMs = 0;
const beganMs = performance.now();
for (let seed = from; seed < from + count; seed += 1) {
  const result = await simulate(seed, values.trace);
  sums.seeds += 1;
  for (const name of ['virtualMs', 'acknowledged', 'taken', 'duplicates', 'uncertainMoves'] as const)
    sums[name] += result[name];
  sums.takeOvers += result.takeOverMs.length;
  slowestMs = Math.max(slowestMs, ...result.takeOverMs);
  if (values.seed !== undefined) console.log(JSON.stringify(result));
  if (result.broken.length === 0) continue;
  sums.failed += 1;
  console.log(`seed ${seed}: ${result.broken.join('; ')}\n  again: ${again} ${seed} --trace`);
  if (values.first) break;
}
const seconds = (performance.now() - beganMs) / 1_000;
console.log(JSON.stringify({ ...sums, slowestTakeOverMs: slowestMs, seconds: Math.round(seconds) }));
process.exitCode = sums.failed > 0 ? 1 : 0;
