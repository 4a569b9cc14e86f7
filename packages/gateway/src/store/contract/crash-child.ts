/**
 * A node that tests kill: accepts, claims, settles and gives events out without end, and prints a line for each thing it
 * was told is on disk.
 *
 *   node crash-child.ts --data DIR | --database URL
 */
import { parseArgs } from 'node:util';
import { machineClock } from '../../machine.ts';
import { openStore } from '../open.ts';
import { acceptItem, nextId, settlement } from './fixture.ts';

const { values } = parseArgs({ options: { data: { type: 'string', default: '' }, database: { type: 'string' } } });
const run = String(process.pid);

const store = await openStore({
  databaseUrl: values.database,
  dataDir: values.data,
  role: 'node',
  clock: machineClock,
});
console.log(`open ${store.token}`);

async function acceptForEver(): Promise<never> {
  for (;;) {
    const item = acceptItem(machineClock.now(), {});
    for (const delivery of item.deliveries) delivery.messageId = `${nextId('msg')}_${run}`;
    item.message.requestId = `${nextId('req')}_${run}`;
    await store.accept([item]);
    console.log(`accepted ${item.deliveries[0]!.messageId}`);
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

async function tellForEver(): Promise<never> {
  for (;;) {
    const from = await store.fannedOut();
    const { events, position: to } = await store.eventsAfter({ after: from, limit: 5 });
    const deliveries = events.map((event) => ({ ...event, endpointId: 'ep_1' }));
    if (to === from) await new Promise((resolve) => setImmediate(resolve));
    else if (await store.fanOut({ from, to, deliveries })) console.log(`told ${to}`);
  }
}

await Promise.all([acceptForEver(), acceptForEver(), acceptForEver(), sendForEver(), tellForEver()]);
