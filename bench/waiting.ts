/**
 * `node bench/waiting.ts [--texts 1000000]`: the cost of a long queue. Accepts texts for a carrier that never connects,
 * then compares accepting single texts, memory, and a start after a kill with what they were while nothing waited.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { freePort } from '../packages/gateway/src/cli/prove/free-port.ts';
import { startGateway } from '../test/props/gateway.ts';
import { writeLiveRecords } from '../test/props/live-records.ts';
import type { LoadParams, LoadResult } from './load.ts';
import { residentMb, startHelper } from './processes.ts';

const { values } = parseArgs({ options: { texts: { type: 'string', short: 'n', default: '1000000' } } });
const recipientsPerRequest = 100;
/** One request at a time, enough of them for a p99. */
const singles = { connections: 1, requests: 5_000, recipientsPerRequest: 1 };
/** Meanwhile the messages in memory are written to the database. */
const settleMs = 15_000;

const folder = mkdtempSync(join(tmpdir(), 'helio-waiting-'));
const recordsFile = join(folder, 'records.json');
const load = startHelper<LoadParams>('load.ts');
let firstNumber = 0;
try {
  writeLiveRecords(recordsFile, { smscPort: await freePort(), window: 100 });
  const gatewayOptions = { folder, recordsFile, env: { HELIO_SANDBOX: '0', HELIO_LOG: 'error' } };
  const started = async () => {
    const before = performance.now();
    const gateway = await startGateway(gatewayOptions);
    await ask(gateway.port, { ...singles, requests: 1 });
    return { gateway, startMs: performance.now() - before };
  };
  const look = async ({ port, pid }: { port: number; pid: number }) => {
    const { p50Ms, p99Ms } = await ask(port, singles);
    return { acceptP50Ms: p50Ms, acceptP99Ms: p99Ms, residentMb: residentMb(pid) };
  };

  const first = await started();
  const empty = await look(first.gateway);
  const requests = Number(values.texts) / recipientsPerRequest;
  const filled = await ask(first.gateway.port, { connections: 20, requests, recipientsPerRequest });
  await wait(settleMs);
  const waiting = await look(first.gateway);
  await first.gateway.kill();
  const second = await started();
  const restarted = await look(second.gateway);
  await second.gateway.stop();
  console.table({
    'nothing waits': { startMs: first.startMs, ...empty },
    [`${values.texts} wait`]: waiting,
    'killed and started again': { startMs: second.startMs, ...restarted },
  });
  const seconds = (filled.last200AtMs - filled.firstSentAtMs) / 1_000;
  console.log(`accepted meanwhile: ${Math.round(Number(values.texts) / seconds)} texts a second`);
} finally {
  load.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function ask(port: number, params: Omit<LoadParams, 'port' | 'firstNumber'>): Promise<LoadResult> {
  const result = await load.ask<LoadResult>({ ...params, port, firstNumber });
  firstNumber += params.requests * params.recipientsPerRequest;
  if (result.failed > 0) throw new Error(`${result.failed} requests failed: ${result.sampleFailure}`);
  return result;
}
