/**
 * A node that tests kill: accepts, prepares media, claims, settles and assigns events to endpoints in an endless loop,
 * and prints a line for each item that is confirmed on disk.
 *
 * node crash-child.ts --data DIR | --database URL
 */
import { writeSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { openStore } from '../../app/open-store.ts';
import { brokenExitCode, endAtOnce } from '../../kernel/end-at-once.ts';
import { machineClock } from '../../kernel/machine.ts';
import type { AcceptItem } from '../../messaging/store/items.ts';
import { acceptItem, nextId, settlement } from './fixture.ts';
import { medium, mmsItem } from './media-fixture.ts';

const { values } = parseArgs({ options: { data: { type: 'string', default: '' }, database: { type: 'string' } } });
const run = String(process.pid);

const store = await openStore({
  databaseUrl: values.database,
  dataDir: values.data,
  role: 'node',
  clock: machineClock,
  broken(error) {
    writeSync(2, `the store cannot be trusted any more: ${error.message}\n`);
    endAtOnce(brokenExitCode);
  },
});
console.log(`open ${store.token}`);

async function acceptForEver(): Promise<never> {
  for (;;) {
    const item = named(acceptItem(machineClock.now(), {}));
    await store.accept([item]);
    console.log(`accepted ${item.deliveries[0]!.messageId}`);
  }
}

/** With ids of this run only. */
function named(item: AcceptItem): AcceptItem {
  for (const delivery of item.deliveries) delivery.messageId = `${nextId('msg')}_${run}`;
  item.message.requestId = `${nextId('req')}_${run}`;
  return item;
}

/** In a lane that is never claimed; each with a medium named like the message. */
async function prepareForEver(): Promise<never> {
  for (;;) {
    const now = machineClock.now();
    const item = named(mmsItem(now, { lane: 'c2' }));
    const { messageId } = item.deliveries[0]!;
    await store.accept([item]);
    console.log(`waiting ${messageId}`);
    const media = { original: [medium('m', { hash: messageId })], fitted: [] };
    await store.prepareMedia([{ requestId: item.message.requestId, now, outcome: { to: 'queued', media } }]);
    console.log(`prepared ${messageId}`);
  }
}

async function sendForEver(): Promise<never> {
  for (;;) {
    const claims = await store.claim({ lane: 'c1', limit: 5, now: machineClock.now(), token: store.token });
    for (const claim of claims) console.log(`claimed ${claim.messageId}`);
    await store.settle(claims.map((claim) => settlement(claim, machineClock.now())));
    for (const claim of claims) console.log(`settled ${claim.messageId}`);
  }
}

async function fanOutForEver(): Promise<never> {
  for (;;) {
    const from = await store.fannedOut();
    const { events, position: to } = await store.eventsAfter({ after: from, limit: 5 });
    const deliveries = events.map((event) => ({ ...event, endpointId: 'ep_1' }));
    if (to === from) await new Promise((resolve) => setImmediate(resolve));
    else if (await store.fanOut({ from, to, deliveries })) console.log(`notified ${to}`);
  }
}

await Promise.all([
  acceptForEver(),
  acceptForEver(),
  acceptForEver(),
  prepareForEver(),
  sendForEver(),
  fanOutForEver(),
]);
