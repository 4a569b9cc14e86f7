/**
 * Webhooks alone: events are written into a fresh store; a notifier assigns them to one endpoint and sends them. The
 * endpoint is a server in its own process that answers 200 at once. Measures deliveries a second and the CPU of one
 * delivery, in all threads of this process and in its main thread, from the start of the notifier until the last
 * outcome is on disk.
 *
 *   node bench/webhooks.ts [--events 30000] [--database URL]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openStore } from '../packages/gateway/src/app/open-store.ts';
import type { Store } from '../packages/gateway/src/app/store.ts';
import { buildDirectory } from '../packages/gateway/src/carriers/directory.ts';
import { createIds } from '../packages/gateway/src/kernel/ids.ts';
import { silentLogger } from '../packages/gateway/src/kernel/logger.ts';
import { machineClock as clock, machineRandom as random } from '../packages/gateway/src/kernel/machine.ts';
import { Secret } from '../packages/gateway/src/kernel/secret.ts';
import { type Endpoint, noRecords } from '../packages/gateway/src/model/records.ts';
import { createNotifier } from '../packages/gateway/src/subjects/webhooks/notify/notifier.ts';
import { createWebhookSecret } from '../packages/gateway/src/subjects/webhooks/webhook-signature.ts';
import { openWebhookThread } from '../packages/gateway/src/subjects/webhooks/webhook-thread.ts';
import { startHelper } from './processes.ts';
import type { WebhookSinkCommand } from './webhook-sink.ts';

const { values } = parseArgs({
  options: { events: { type: 'string', default: '30000' }, database: { type: 'string' } },
});
const warmUp = 5_000;
const events = Number(values.events);
const limitMs = 120_000;
const accountId = 'bench';
const endpointId = 'ep_bench';
const policy = { allowPrivate: true, extraPorts: [], ownNames: [], ownPorts: [] };

async function write(store: Store, count: number): Promise<void> {
  const ids = createIds(clock, random);
  // As long as the body of a message event.
  const data = { endpointId, filler: 'x'.repeat(300) };
  for (let left = count; left > 0; left -= 500) {
    const batch = Array.from({ length: Math.min(left, 500) }, () => {
      return { eventId: ids.next('evt_'), accountId, type: 'webhook.test' as const, at: clock.now(), data };
    });
    await store.addEvents(batch);
  }
}

function endpointAt(port: number): Endpoint {
  return {
    endpointId,
    accountId,
    environment: 'live',
    name: 'bench',
    url: `http://127.0.0.1:${port}/`,
    types: null,
    format: 'standard',
    number: null,
    campaignId: null,
    header: null,
    secrets: [{ secret: createWebhookSecret(random).reveal(), expiresAt: null }],
    createdAt: 0,
    disabled: null,
    deletedAt: null,
  };
}

async function delivered(store: Store, count: number): Promise<void> {
  const endMs = clock.monotonicMs() + limitMs;
  const last = async () => (await store.webhookQueues()).length === 0 && (await sink.ask({ ask: 'count' })) === count;
  while (!(await last())) {
    if (clock.monotonicMs() > endMs) throw new Error(`not delivered within ${limitMs} ms`);
    await wait(50);
  }
}

const folder = mkdtempSync(join(tmpdir(), 'heliograph-bench-'));
const sink = startHelper<WebhookSinkCommand>('webhook-sink.ts');
try {
  const store = await openStore({ databaseUrl: values.database, dataDir: folder, role: 'node', clock });
  const records = noRecords();
  const endpoints = [endpointAt(await sink.ask<number>({ ask: 'listen' }))];
  const directory = buildDirectory({ version: 1, ...records, endpoints });
  const notifier = createNotifier({
    clock,
    random,
    logger: silentLogger,
    store,
    disable: () => Promise.reject(new Error('the sink answers everything')),
    directory: () => directory,
    poster: openWebhookThread({ clock, logger: silentLogger, policy: () => policy, version: 'bench' }),
    openSecret: (sealed) => new Secret(sealed),
    onCarrierOptOut: async () => {},
    onMmsNotSupported: async () => {},
    broken: (error) => {
      throw error;
    },
  });
  await write(store, warmUp);
  await notifier.start();
  await delivered(store, warmUp);
  await write(store, events);
  const before = { ms: clock.monotonicMs(), all: process.cpuUsage(), main: process.threadCpuUsage() };
  notifier.nudge();
  await delivered(store, warmUp + events);
  const all = process.cpuUsage(before.all);
  const main = process.threadCpuUsage(before.main);
  const each = ({ user, system }: NodeJS.CpuUsage) => ((user + system) / events).toFixed(1);
  console.log(`deliveries/s        ${Math.round((events * 1_000) / (clock.monotonicMs() - before.ms))}`);
  console.log(`CPU µs each, all    ${each(all)}`);
  console.log(`CPU µs each, main   ${each(main)}`);
  await notifier.stop();
  await store.close();
} finally {
  sink.stop();
  rmSync(folder, { recursive: true, force: true });
}
