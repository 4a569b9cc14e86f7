/**
 * One measured case: a fresh gateway on a fresh store, a fresh carrier, a warm-up, then N messages in a closed loop.
 * README.md and the comment of each field explain the numbers.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Gateway, startGateway } from '../test/props/gateway.ts';
import { writeLiveRecords } from '../test/props/live-records.ts';
import { type MessageLog, readMessageLog } from '../test/props/message-log.ts';
import type { SmscBehaviour, SmscCounts } from '../test/props/smsc.ts';
import type { LoadQuestion, LoadResult } from './load.ts';
import { type Helper, machineCpuSeconds, startHelper, type Usage, usageOf } from './processes.ts';
import type { SinkQuestion } from './sink.ts';

export interface CaseOptions {
  messages: number;
  recipientsPerRequest: number;
  receipts: boolean;
  window: number;
  connections: number;
  /** How long the carrier waits before each answer. */
  carrierDelayMs: number;
  /** Null = SQLite. */
  databaseUrl: string | null;
  nodeArguments: string[];
}

export interface CaseResult {
  store: 'sqlite' | 'postgres';
  recipientsPerRequest: number;
  receipts: boolean;
  messages: number;
  /** 2xx answers × recipients ÷ (first request → last 2xx). */
  acceptedPerSecond: number;
  /** Messages at the carrier ÷ (first request → last submit_sm). */
  endToEndPerSecond: number;
  /** With receipts: receipts the gateway acknowledged (each is committed by then) ÷ (first request → the last of them). */
  deliveredPerSecond: number | null;
  p50Ms: number;
  p99Ms: number;
  /** CPU of the gateway with all its threads, over the whole case; null without /proc. */
  cpuMicrosecondsPerMessage: number | null;
  rssPeakMb: number | null;
  /** Cores that other processes used meanwhile: above 0.2 the result is unreliable; null without /proc. */
  foreignCores: number | null;
  /** Messages that were acknowledged and never reached the carrier. */
  lost: number;
  /** Copies at the carrier beyond the first. */
  duplicates: number;
  /** Requests not answered with 200, and one such answer. */
  failedRequests: number;
  sampleFailure: string | null;
}

const warmUpMessages = 1_000;
const quietMs = 4_000;
const drainLimitMs = 180_000;

export async function measureCase(options: CaseOptions): Promise<CaseResult> {
  const folder = mkdtempSync(join(tmpdir(), 'helio-bench-'));
  const behaviour: Partial<SmscBehaviour> = {
    receipts: options.receipts ? 'after' : 'off',
    responseDelayMs: options.carrierDelayMs,
  };
  const sink = startHelper<SinkQuestion>('sink.ts', JSON.stringify(behaviour));
  const load = startHelper<LoadQuestion>('load.ts');
  let gateway: Gateway | null = null;
  try {
    const recordsFile = join(folder, 'records.json');
    const smscPort = await sink.ask<number>({ ask: 'port' });
    writeLiveRecords(recordsFile, { smscPort, window: options.window, receipts: options.receipts });
    gateway = await startGateway({
      folder,
      recordsFile,
      ...(options.databaseUrl === null ? {} : { databaseUrl: options.databaseUrl }),
      nodeArguments: options.nodeArguments,
    });
    return await measure(options, gateway, sink, load);
  } finally {
    await gateway?.stop();
    sink.stop();
    load.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(
  options: CaseOptions,
  gateway: Gateway,
  sink: Helper<SinkQuestion>,
  load: Helper<LoadQuestion>,
): Promise<CaseResult> {
  const { recipientsPerRequest, receipts } = options;
  const ask = (messages: number, firstNumber: number): Promise<LoadResult> =>
    load.ask({
      port: gateway.port,
      connections: options.connections,
      requests: Math.ceil(messages / recipientsPerRequest),
      recipientsPerRequest,
      firstNumber,
    });
  const warmUp = await ask(Math.max(warmUpMessages, 20 * recipientsPerRequest), 9_000_000_000);
  if (warmUp.failed > 0) throw new Error(`the warm-up failed: ${warmUp.sampleFailure}`);
  await drain(sink, warmUp.ok * recipientsPerRequest, receipts);
  await wait(500);
  await sink.ask({ ask: 'reset' });
  const pids = [gateway.pid, sink.pid, load.pid, process.pid];
  const before = usageOf(gateway.pid);
  const foreign = watchForeignCores(pids);
  const result = await ask(options.messages, 0);
  const acknowledged = result.ok * recipientsPerRequest;
  const counts = await drain(sink, acknowledged, receipts);
  const after = usageOf(gateway.pid);
  const foreignCores = foreign();
  if (receipts && acknowledged > 0) await expectDelivered(readMessageLog(gateway.port));
  const perSecond = (count: number, untilMs: number): number =>
    count === 0 ? 0 : count / ((untilMs - result.firstSentAtMs) / 1_000);
  return {
    store: options.databaseUrl === null ? 'sqlite' : 'postgres',
    recipientsPerRequest,
    receipts,
    messages: acknowledged,
    acceptedPerSecond: perSecond(acknowledged, result.last200AtMs),
    endToEndPerSecond: perSecond(counts.distinct, counts.lastSubmitAtMs),
    deliveredPerSecond: receipts ? perSecond(counts.receiptsAcknowledged, counts.lastReceiptAtMs) : null,
    p50Ms: result.p50Ms,
    p99Ms: result.p99Ms,
    cpuMicrosecondsPerMessage: cpuPerMessage(before, after, acknowledged),
    rssPeakMb: after?.rssPeakMb ?? null,
    foreignCores,
    lost: Math.max(0, acknowledged - counts.distinct),
    duplicates: counts.accepted - counts.distinct,
    failedRequests: result.failed,
    sampleFailure: result.sampleFailure,
  };
}

function cpuPerMessage(before: Usage | null, after: Usage | null, messages: number): number | null {
  if (before === null || after === null || messages === 0) return null;
  return ((after.cpuSeconds - before.cpuSeconds) / messages) * 1e6;
}

/** Starts to watch; the returned function gives the cores that other processes used since then. */
function watchForeignCores(pids: number[]): () => number | null {
  const others = (): number | null => {
    const machine = machineCpuSeconds();
    return machine === null ? null : machine - pids.reduce((sum, pid) => sum + (usageOf(pid)?.cpuSeconds ?? 0), 0);
  };
  const before = others();
  const begun = performance.now();
  return () => {
    const after = others();
    if (before === null || after === null) return null;
    return (after - before) / ((performance.now() - begun) / 1_000);
  };
}

/** Waits until `messages` (and as many receipts) have arrived, or nothing has changed for a while. */
async function drain(sink: Helper<SinkQuestion>, messages: number, receipts: boolean): Promise<SmscCounts> {
  const end = performance.now() + drainLimitMs;
  let last = -1;
  let quietSince = performance.now();
  for (;;) {
    const counts = await sink.ask<SmscCounts>({ ask: 'counts' });
    const now = performance.now();
    if (counts.distinct >= messages && (!receipts || counts.receiptsAcknowledged >= messages)) return counts;
    if (counts.submits + counts.receiptsAcknowledged !== last) {
      last = counts.submits + counts.receiptsAcknowledged;
      quietSince = now;
    }
    if (now - quietSince > quietMs || now > end) return counts;
    await wait(50);
  }
}

/** A receipt is acknowledged only after its commit, so everything must read `delivered` now. */
async function expectDelivered(log: MessageLog): Promise<void> {
  const other = (await log.all()).filter((message) => message.state !== 'delivered');
  if (other.length === 0) return;
  throw new Error(`${other.length} messages are not delivered, ${other[0]!.messageId} is ${other[0]!.state}`);
}
