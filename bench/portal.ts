/**
 * How long the portal's lists and its start page take on a large log: fills a store with messages of one account, most of
 * them delivered, then asks what the pages ask.
 *
 *   node bench/portal.ts [--messages 1000000] [--dir DIR] [--database postgres://…] [--runs 20]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Claim } from '../packages/gateway/src/domain/delivery.ts';
import { createIds } from '../packages/gateway/src/domain/ids.ts';
import { emptyFilter, type MessageFilter, parseMessageSearch } from '../packages/gateway/src/domain/message-search.ts';
import { machineRandom } from '../packages/gateway/src/machine.ts';
import type { MessageSearch } from '../packages/gateway/src/store/message-log-store.ts';
import { openStore } from '../packages/gateway/src/store/open.ts';
import type { AcceptItem, Store } from '../packages/gateway/src/store/store.ts';

const { values } = parseArgs({
  options: {
    messages: { type: 'string', default: '1000000' },
    runs: { type: 'string', default: '20' },
    dir: { type: 'string' },
    database: { type: 'string' },
  },
});
const messages = Number(values.messages);
const runs = Number(values.runs);
const accountId = 'acc_bench';
const own = ['15550001111', '15550001112', '15550001113'];
const rareHandset = '14155559999';
const batch = 1_000;
/** The log reaches back so far; the newest hour of it holds a part of all messages that stands for a busy company. */
const backMs = 24 * 3_600_000;

const startedAt = Date.now() - backMs;
let now = startedAt;
const clock = {
  now: () => Math.floor(now),
  monotonicMs: () => performance.now(),
  after: (delayMs: number, run: () => void) => {
    const timer = setTimeout(run, delayMs).unref();
    return () => clearTimeout(timer);
  },
};
const ids = createIds(clock, machineRandom);

function item(index: number): AcceptItem {
  now = startedAt + (index / messages) * backMs;
  return {
    message: {
      ...{
        requestId: ids.request(),
        accountId,
        keyId: 'key_bench',
        direction: 'outbound',
        referenceId: `order-${index}`,
      },
      ...{ from: own[index % own.length]!, text: `Your order ${index} is on its way and comes tomorrow.` },
      ...{ wireText: null, mediaUrls: [], messageType: 'SMS', encoding: 'GSM-7', segments: 1, acceptedAt: clock.now() },
    },
    deliveries: [
      {
        messageId: ids.message(),
        to: index % 100_000 === 7 ? rareHandset : `1415${String(5_000_000 + (index % 200_000)).padStart(7, '0')}`,
        lane: 'bench',
        expiresAt: clock.now() + 10 * backMs,
        concatReference: 0,
      },
    ],
    idempotency: null,
  };
}

/** One in fifty fails for good. */
async function workOff(store: Store): Promise<void> {
  const claims = await store.claim({ lane: 'bench', limit: batch, now: clock.now(), token: store.token });
  const settled = (claim: Claim, index: number) => ({
    ...{ messageId: claim.messageId, attempt: claim.attempt, carrier: 'bench', carrierCode: null, detail: null },
    ...{ lane: 'bench', countsAttempt: true, dueAt: clock.now() + 72 * 3_600_000 },
    ...(index % 50 === 0
      ? { to: 'failed' as const, code: 'CARRIER_REJECTED', parts: [] }
      : { to: 'sent' as const, code: null, parts: [{ part: 1, carrierMessageId: claim.messageId.slice(4) }] }),
  });
  await store.settle(claims.map(settled));
}

async function fill(store: Store): Promise<void> {
  for (let first = 0; first < messages; first += batch) {
    const count = Math.min(batch, messages - first);
    await store.accept(Array.from({ length: count }, (_, index) => item(first + index)));
    await workOff(store);
    if (first % 100_000 === 0) process.stderr.write(`\r${first + count} of ${messages}`);
  }
  process.stderr.write('\n');
}

async function measure(name: string, ask: () => Promise<unknown>): Promise<void> {
  const took: number[] = [];
  for (let i = 0; i < runs; i++) {
    const before = performance.now();
    await ask();
    took.push(performance.now() - before);
  }
  took.sort((a, b) => a - b);
  const shown = [took[Math.floor(runs / 2)]!, took.at(-1)!].map((ms) => ms.toFixed(1).padStart(8));
  console.log(`${name.padEnd(44)} median ${shown[0]} ms   worst ${shown[1]} ms`);
}

const dataDir = mkdtempSync(join(values.dir ?? tmpdir(), 'heliograph-bench-portal-'));
try {
  const store = await openStore({ databaseUrl: values.database, dataDir, role: 'node', clock });
  await fill(store);
  now = Date.now();
  const search = (filter: MessageFilter, before: string | null = null) =>
    store.searchMessages({ accountId, filter, ownNumbers: own, before, after: null, limit: 50 });
  const asked = (query: string) => () => search(parseMessageSearch(query).filter);
  console.log(`${store.engine}, ${messages} messages`);
  await measure('list: newest page', () => search(emptyFilter()));
  const middle = (await search({ ...emptyFilter(), before: startedAt + backMs / 2 })).next;
  await measure('list: a page in the middle', () => search(emptyFilter(), middle));
  await measure('list: status:failed', asked('status:failed'));
  await measure('list: status:held (none)', asked('status:held'));
  await measure('list: a busy own number', asked(own[0]!));
  await measure('list: a handset with few messages', asked(rareHandset));
  await measure('list: a handset nobody wrote to', asked('14155550000'));
  await measure('list: ref: of the newest half hour', asked(`ref:order-${messages - 5_000}`));
  await measure('list: ref: not there (looks to its bound)', asked('ref:nothing'));
  await measure('list: text: not there (looks to its bound)', asked('text:"no such words"'));
  const inside = (more: Pick<MessageSearch, 'only' | 'without'>) => () =>
    store.searchMessages({
      accountId,
      filter: emptyFilter(),
      ownNumbers: own,
      before: null,
      after: null,
      limit: 50,
      ...more,
    });
  const others = (count: number) => Array.from({ length: count }, (_, index) => String(15_560_000_000 + index));
  await measure('list: without 50 numbers of the sandbox', inside({ without: others(50) }));
  await measure('list: of 50 numbers that sent nothing', inside({ only: others(50) }));
  await measure('story: how long a carrier takes', () =>
    store.receiptTimes({ accountId, carrier: 'bench', look: 500 }),
  );
  await measure('home: last hour', () => store.recentCounts({ accountId, since: now - 3_600_000, limit: 10_000 }));
  const since = now - backMs;
  await measure('home: failures', () => store.recentFailures({ accountId, since, look: 10_000, limit: 10 }));
  await measure('home: held and uncertain', () => store.stuckMessages({ accountId, look: 2_000 }));
  await store.close();
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
