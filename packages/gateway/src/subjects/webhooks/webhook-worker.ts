/** The thread that posts webhooks: batches in, results out. Each batch carries the dialler's policy. */
import { parentPort, workerData } from 'node:worker_threads';
import { createGuardedFetch, machineAddresses, machineResolve } from '@heliograph/guarded-fetch';
import { machineClock as clock } from '../../kernel/machine.ts';
import { Secret } from '../../kernel/secret.ts';
import { createWebhookPoster, webhookFetchLimits } from './webhook-poster.ts';
import type { SentBatch, SentResult, WebhookPolicy, WebhookWorkerData } from './webhook-thread.ts';

const addressesKeptMs = 10_000;

const { version, caps } = workerData as WebhookWorkerData;
let policy: WebhookPolicy = { allowPrivate: false, extraPorts: [], ownNames: [], ownPorts: [] };
const guarded = createGuardedFetch({ clock, resolve: machineResolve, limits: webhookFetchLimits });
const own = { addresses: machineAddresses(), untilMs: clock.monotonicMs() + addressesKeptMs };
const poster = createWebhookPoster({
  clock,
  guarded,
  version,
  caps,
  policy: () => ({ ...policy, ownAddresses: ownAddresses() }),
});
let results: SentResult[] = [];

parentPort!.on('message', (text: string) => {
  const batch = JSON.parse(text) as SentBatch;
  policy = batch.policy;
  for (const { job, secrets, header, ...post } of batch.posts) {
    poster
      .post({
        ...post,
        secrets: secrets.map((secret) => new Secret(secret)),
        header: header === null ? null : { name: header.name, value: new Secret(header.value) },
      })
      .then((posted) => answer({ job, posted }));
  }
});

function answer(result: SentResult): void {
  if (results.length === 0) setImmediate(flush);
  results.push(result);
}

function flush(): void {
  parentPort!.postMessage(JSON.stringify(results));
  results = [];
}

/** The interfaces of a machine change while it runs. */
function ownAddresses(): string[] {
  const nowMs = clock.monotonicMs();
  if (nowMs >= own.untilMs) Object.assign(own, { addresses: machineAddresses(), untilMs: nowMs + addressesKeptMs });
  return own.addresses;
}
