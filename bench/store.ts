/**
 * How many single-recipient messages a second the store carries through accept, claim, settle (and receipt), driven as
 * the gateway drives it: the four run concurrently in batches and share transactions.
 *
 *   node bench/store.ts [--messages 200000] [--batch 256] [--dir DIR] [--database postgres://…] [--receipts]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openStore } from '../packages/gateway/src/app/open-store.ts';
import type { Store } from '../packages/gateway/src/app/store.ts';
import { firstIdAt } from '../packages/gateway/src/kernel/ids.ts';
import { machineClock } from '../packages/gateway/src/kernel/machine.ts';
import type { AcceptItem } from '../packages/gateway/src/messaging/store/items.ts';
import type { Claim } from '../packages/gateway/src/model/delivery.ts';
import { benchItem, benchReceipt, benchSent } from './store-messages.ts';

const { values } = parseArgs({
  options: {
    messages: { type: 'string', default: '200000' },
    batch: { type: 'string', default: '256' },
    dir: { type: 'string' },
    database: { type: 'string' },
    receipts: { type: 'boolean', default: false },
  },
});
const messages = Number(values.messages);
const batch = Number(values.batch);
const begun = firstIdAt('', Date.now());
function item(index: number): AcceptItem {
  const id = begun + String(index).padStart(16, '0');
  return benchItem(index, { requestId: `req_${id}`, messageId: `msg_${id}` });
}

/** Accepts `messages` in batches, two at a time, as many connections would. */
async function acceptAll(store: Store): Promise<void> {
  let next = 0;
  const caller = async () => {
    while (next < messages) {
      const first = next;
      next += batch;
      const count = Math.min(batch, messages - first);
      await store.accept(Array.from({ length: count }, (_, index) => item(first + index)));
    }
  };
  await Promise.all([caller(), caller()]);
}

/** Claims messages, settles them as sent and, with `--receipts`, brings their receipts, until all are done. */
async function workOff(store: Store): Promise<void> {
  let through = 0;
  const finish = async (claims: Claim[]) => {
    await store.settle(claims.map((claim) => benchSent(claim, claim.messageId.slice(4))));
    if (values.receipts) await store.receipts(claims.map((claim) => benchReceipt(claim.to, claim.messageId.slice(4))));
    through += claims.length;
  };
  const running = new Set<Promise<void>>();
  let claimed = 0;
  while (claimed < messages) {
    const claims = await store.claim({ lane: 'bench', limit: batch, now: machineClock.now(), token: store.token });
    claimed += claims.length;
    const done = finish(claims).finally(() => running.delete(done));
    running.add(done);
    if (running.size > 2) await Promise.race(running);
  }
  await Promise.all(running);
  if (through !== messages) throw new Error(`${through} of ${messages} messages came through`);
}

const dataDir = mkdtempSync(join(values.dir ?? tmpdir(), 'heliograph-bench-'));
try {
  const store = await openStore({ databaseUrl: values.database, dataDir, role: 'node', clock: machineClock });
  const start = performance.now();
  let worstLagMs = 0;
  let lastTick = start;
  const ticks = setInterval(() => {
    worstLagMs = Math.max(worstLagMs, performance.now() - lastTick - 5);
    lastTick = performance.now();
  }, 5);
  await Promise.all([acceptAll(store), workOff(store)]);
  clearInterval(ticks);
  const seconds = (performance.now() - start) / 1_000;
  const steps = values.receipts ? 'accept+claim+settle+receipt' : 'accept+claim+settle';
  console.log(
    `${store.engine}: ${Math.round(messages / seconds)} messages/s through ${steps}, batches of ${batch}, ` +
      `${messages} messages, worst stall of the main loop ${worstLagMs.toFixed(1)} ms`,
  );
  await store.close();
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
