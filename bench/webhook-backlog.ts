/**
 * A dead endpoint with many waiting deliveries beside a healthy endpoint of another account under load, on the whole
 * gateway: how late the healthy one gets its webhooks while the dead one refuses connections, hangs, and is back; how
 * long a start takes; memory.
 *
 *   node bench/webhook-backlog.ts [--waiting 1000000] [--messages-per-second 500] [--seconds 30] [--postgres]
 */
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openStore } from '../packages/gateway/src/app/open-store.ts';
import { createIds } from '../packages/gateway/src/kernel/ids.ts';
import { machineClock as clock, machineRandom as random } from '../packages/gateway/src/kernel/machine.ts';
import type { OpenLoopResult } from './open-loop.ts';
import { bystander, onScene, type Scene, sender } from './webhook-scene.ts';
import type { Lags } from './webhook-sink.ts';
import { rssMb, watchCpu } from './webhook-usage.ts';

const { values } = parseArgs({
  options: {
    waiting: { type: 'string', default: '1000000' },
    'messages-per-second': { type: 'string', default: '500' },
    seconds: { type: 'string', default: '30' },
    postgres: { type: 'boolean', default: false },
  },
});
const waiting = Number(values.waiting);
const perSecond = Number(values['messages-per-second']);
const seconds = Number(values.seconds);
const pageEvents = 2_000;
const drainLimitMs = 900_000;
let firstNumber = 0;

await onScene({ postgres: values.postgres }, measure);

async function measure(scene: Scene): Promise<void> {
  const [dead, healthy] = [scene.receiver(), scene.receiver()];
  await scene.start();
  const port = await dead.ask<number>({ ask: 'listen' });
  const deadId = await scene.addEndpoint(bystander, port, null);
  await scene.addEndpoint(sender, await healthy.ask<number>({ ask: 'listen' }), ['message.sent', 'message.delivered']);
  await dead.ask({ ask: 'shut' });
  const load = async (what: string, loadSeconds = seconds) => {
    const cpu = watchCpu(scene.gateway.pid, { carrier: scene.carrier.pid, load: scene.load.pid });
    const shape = { port: scene.gateway.port, requestsPerSecond: perSecond, recipientsPerRequest: 1, firstNumber };
    const loaded = await scene.load.ask<OpenLoopResult>({ ...shape, seconds: loadSeconds });
    firstNumber += loaded.accepted + loaded.failed;
    await wait(500);
    const lags = await healthy.ask<Lags>({ ask: 'lags' });
    const used = cpu();
    console.log(
      `${what.padEnd(34)} told ${lags.count} of ${2 * loaded.accepted}, lag ms p50 ${lags.p50Ms} p95 ${lags.p95Ms}` +
        ` p99 ${lags.p99Ms} max ${lags.maxMs}; gateway ${(used.gateway / loadSeconds).toFixed(2)} cores,` +
        ` foreign ${(used.foreign / loadSeconds).toFixed(2)}; RSS ${rssMb(scene.gateway.pid)} MB`,
    );
  };
  await load('nothing waits');
  await load('nothing waits');
  await scene.gateway.stop();

  const fillMs = await timed(() => fill(scene, deadId));
  console.log(`${waiting} deliveries written in ${(fillMs / 1_000).toFixed(0)} s`);

  await dead.ask({ ask: 'listen', port, answers: false });
  await dead.ask({ ask: 'shut' });
  console.log(`ready after ${(await scene.start()).toFixed(0)} ms`);
  await load('the dead one refuses');
  await load('the dead one refuses');
  await dead.ask({ ask: 'listen', port, answers: false });
  await load('the dead one hangs');
  await load('the dead one hangs');
  await dead.ask({ ask: 'shut' });
  await scene.gateway.stop();

  // Set before the start, so that the first 32 deliveries hang at once.
  await dead.ask({ ask: 'listen', port, answers: false });
  console.log(`ready after ${(await scene.start()).toFixed(0)} ms`);
  await load('the dead one hangs since the start');
  await dead.ask({ ask: 'shut' });
  await dead.ask({ ask: 'listen', port });
  const before = await dead.ask<number>({ ask: 'count' });
  const left = () => dead.ask<number>({ ask: 'count' }).then((count) => waiting - (count - before));
  const drainedMs = await timed(async () => {
    const endMs = performance.now() + drainLimitMs;
    while ((await left()) > 0 && performance.now() < endMs) {
      await load('the dead one is back', 10);
      console.log(`  ${await left()} left`);
    }
  });
  console.log(`drained in ${(drainedMs / 1_000).toFixed(0)} s`);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begunMs = performance.now();
  await work();
  return performance.now() - begunMs;
}

/** Stores test events for this endpoint, each with a waiting delivery. */
async function fill({ dataDir, databaseUrl }: Scene, endpointId: string): Promise<void> {
  const { accountId } = bystander;
  const store = await openStore({ databaseUrl, dataDir, role: 'node', clock });
  const ids = createIds(clock, random);
  const data = { endpointId, filler: 'x'.repeat(300) };
  for (let left = waiting; left > 0; left -= pageEvents) {
    const events = Array.from({ length: Math.min(left, pageEvents) }, () => {
      return { eventId: ids.next('evt_'), accountId, type: 'webhook.test' as const, at: clock.now(), data };
    });
    await store.addEvents(events);
    for (let from = await store.fannedOut(); ; ) {
      const page = await store.eventsAfter({ after: from, limit: pageEvents, types: null });
      if (page.position === from) break;
      const deliveries = page.events
        .filter((event) => event.accountId === accountId)
        .map(({ position, eventId, type, at }) => ({ endpointId, accountId, position, eventId, type, at }));
      await store.fanOut({ from, to: page.position, deliveries });
      from = page.position;
    }
  }
  await store.close();
}
