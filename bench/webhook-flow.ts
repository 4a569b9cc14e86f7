/**
 * Webhooks under load, on the whole gateway: an open loop of messages, receipts for all of them, and an endpoint that
 * gets an event for each. Prints every few seconds how far behind the endpoint is, and at the end what an event cost.
 *
 *   node bench/webhook-flow.ts [--messages-per-second 5000] [--batch 100] [--seconds 30] [--types message.delivered|all|none]
 *                              [--answer-delay-ms 0] [--receipt-delay-ms 0] [--postgres] [--cpu-prof FOLDER]
 */
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { SmscCounts } from '../test/props/smsc.ts';
import type { OpenLoopResult } from './open-loop.ts';
import { onScene, type Scene, sender } from './webhook-scene.ts';
import type { Lags } from './webhook-sink.ts';
import { rssMb, watchCpu } from './webhook-usage.ts';

const { values } = parseArgs({
  options: {
    'messages-per-second': { type: 'string', default: '5000' },
    batch: { type: 'string', default: '100' },
    seconds: { type: 'string', default: '30' },
    types: { type: 'string', default: 'message.delivered' },
    'answer-delay-ms': { type: 'string', default: '0' },
    'receipt-delay-ms': { type: 'string', default: '0' },
    postgres: { type: 'boolean', default: false },
    'cpu-prof': { type: 'string' },
  },
});
const perSecond = Number(values['messages-per-second']);
const batch = Number(values.batch);
const seconds = Number(values.seconds);
const types = values.types === 'all' ? null : values.types.split(',');
const warmUpSeconds = 4;
const everyMs = 5_000;
const drainLimitMs = 120_000;

await onScene({ postgres: values.postgres, receiptDelayMs: Number(values['receipt-delay-ms']) }, measure);

async function measure(scene: Scene): Promise<void> {
  const receiver = scene.receiver();
  const profile = values['cpu-prof'];
  await scene.start(profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`]);
  const port = await receiver.ask<number>({ ask: 'listen', answerDelayMs: Number(values['answer-delay-ms']) });
  if (values.types !== 'none') await scene.addEndpoint(sender, port, types);
  const perMessage = values.types === 'none' ? 0 : types === null ? 2 : types.length;
  const shape = { port: scene.gateway.port, requestsPerSecond: perSecond / batch, recipientsPerRequest: batch };
  const delivered = (count: number) => async () => (await receiver.ask<number>({ ask: 'count' })) >= count * perMessage;

  const warm = await scene.load.ask<OpenLoopResult>({ ...shape, seconds: warmUpSeconds, firstNumber: 9_000_000_000 });
  await until(delivered(warm.accepted));
  await until(receipted(scene.carrier, warm.accepted));
  await receiver.ask({ ask: 'lags' });

  const { pid } = scene.gateway;
  const cpu = watchCpu(pid, { carrier: scene.carrier.pid, receiver: receiver.pid, load: scene.load.pid });
  const begunMs = performance.now();
  let running = true;
  const loaded = scene.load.ask<OpenLoopResult>({ ...shape, seconds, firstNumber: 0 }).finally(() => {
    running = false;
  });
  while (running) {
    await Promise.race([wait(everyMs), loaded]);
    const { receiptsAcknowledged } = await scene.carrier.ask<SmscCounts>({ ask: 'counts' });
    const count = await receiver.ask<number>({ ask: 'count' });
    const lags = await receiver.ask<Lags>({ ask: 'lags' });
    console.log(
      `${((performance.now() - begunMs) / 1_000).toFixed(0).padStart(4)} s  receipts ${receiptsAcknowledged - warm.accepted}` +
        `  not told ${receiptsAcknowledged * perMessage - count}  lag ms p50 ${lags.p50Ms} p95 ${lags.p95Ms}` +
        ` p99 ${lags.p99Ms} max ${lags.maxMs}  RSS ${rssMb(pid)} MB`,
    );
  }
  const loadMs = performance.now() - begunMs;
  const load = await loaded;
  await until(delivered(warm.accepted + load.accepted));
  await until(receipted(scene.carrier, warm.accepted + load.accepted));
  const allMs = performance.now() - begunMs;
  report(load, cpu(), loadMs, allMs);
}

function report(load: OpenLoopResult, used: ReturnType<ReturnType<typeof watchCpu>>, loadMs: number, allMs: number) {
  const cores = (cpuSeconds: number) => ((cpuSeconds * 1_000) / allMs).toFixed(2);
  const each = (cpuSeconds: number) => ((cpuSeconds * 1e6) / load.accepted).toFixed(0);
  console.log(`accepted            ${load.accepted}, failed requests ${load.failed} ${load.sampleFailure ?? ''}`);
  console.log(`request p99         ${load.p99Ms.toFixed(0)} ms, left late by ${load.lateMsMax.toFixed(0)} ms at most`);
  console.log(`messages/s          ${Math.round((load.accepted * 1_000) / loadMs)}`);
  console.log(`told of all after   ${(allMs / 1_000).toFixed(1)} s`);
  console.log(`CPU µs/message      ${each(used.gateway)}; by thread ${used.threads.map(each).join(', ')}`);
  const processes = [
    { name: 'gateway', seconds: used.gateway },
    ...used.helpers,
    { name: 'foreign', seconds: used.foreign },
  ];
  console.log(`cores               ${processes.map(({ name, seconds }) => `${name} ${cores(seconds)}`).join(', ')}`);
}

function receipted(carrier: Scene['carrier'], count: number): () => Promise<boolean> {
  return async () => (await carrier.ask<SmscCounts>({ ask: 'counts' })).receiptsAcknowledged >= count;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const endMs = performance.now() + drainLimitMs;
  while (!(await isSo())) {
    if (performance.now() > endMs) throw new Error(`not through within ${drainLimitMs} ms`);
    await wait(20);
  }
}
