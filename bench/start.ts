/**
 * `node bench/start.ts`: how long a start takes, and how much memory and CPU the gateway uses while idle, then after
 * many texts. Each run is a fresh gateway on a fresh store. Run two versions in turn to compare them.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startGateway } from '../test/props/gateway.ts';
import { writeLiveRecords } from '../test/props/live-records.ts';
import type { LoadParams, LoadResult } from './load.ts';
import { residentMb, startHelper, usageOf } from './processes.ts';
import type { SinkCommand } from './sink.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    'idle-seconds': { type: 'string', default: '10' },
    texts: { type: 'string', short: 'n', default: '0' },
    sandbox: { type: 'boolean', default: false },
    json: { type: 'string' },
  },
});

interface Run {
  /** From the command to the first 200 of /readyz. */
  startMs: number;
  /** All processes of the gateway, after the idle seconds. */
  idleMb: number | null;
  idleCpuPercent: number | null;
  /** After the texts and the same idle time; null without texts. */
  afterTextsMb: number | null;
}

const idleMs = Number(values['idle-seconds']) * 1_000;
const all: Run[] = [];
for (let run = 0; run < Number(values.runs); run++) {
  all.push(await measure(Number(values.texts)));
  console.error(JSON.stringify(all.at(-1)));
}
console.table([medians(all)]);
if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(all, null, 2));

async function measure(texts: number): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), 'helio-start-'));
  const sink = startHelper<SinkCommand>('sink.ts', '{}');
  try {
    const recordsFile = join(folder, 'records.json');
    writeLiveRecords(recordsFile, { smscPort: await sink.ask<number>({ ask: 'port' }), window: 100, receipts: false });
    const before = performance.now();
    const gateway = await startGateway({
      folder,
      recordsFile,
      env: { HELIO_SANDBOX: values.sandbox ? '1' : '0' },
    });
    const startMs = performance.now() - before;
    try {
      const used = usageOf(gateway.pid);
      await wait(idleMs);
      const usedThen = usageOf(gateway.pid);
      const idleMb = residentMb(gateway.pid);
      const afterTextsMb = texts === 0 ? null : await memoryAfter(texts, gateway);
      const cpuMs = used && usedThen && (usedThen.cpuSeconds - used.cpuSeconds) * 1_000;
      return { startMs, idleMb, idleCpuPercent: cpuMs && (cpuMs / idleMs) * 100, afterTextsMb };
    } finally {
      await gateway.stop();
    }
  } finally {
    sink.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One recipient a request; the next request follows each answer at once. */
async function memoryAfter(texts: number, gateway: { port: number; pid: number }): Promise<number | null> {
  const load = startHelper<LoadParams>('load.ts');
  try {
    const params = { port: gateway.port, connections: 50, requests: texts, recipientsPerRequest: 1, firstNumber: 0 };
    const { failed, sampleFailure } = await load.ask<LoadResult>(params);
    if (failed > 0) throw new Error(`${failed} requests failed: ${sampleFailure}`);
    await wait(idleMs);
    return residentMb(gateway.pid);
  } finally {
    load.stop();
  }
}

function medians(runs: readonly Run[]): Record<string, number | null> {
  const middle = (key: keyof Run): number | null => {
    const sorted = runs.map((run) => run[key] ?? Number.NaN).sort((one, other) => one - other);
    const found = sorted[Math.floor(sorted.length / 2)]!;
    return Number.isNaN(found) ? null : Number(found.toFixed(1));
  };
  return {
    startMs: middle('startMs'),
    idleMb: middle('idleMb'),
    idleCpuPercent: middle('idleCpuPercent'),
    afterTextsMb: middle('afterTextsMb'),
  };
}
