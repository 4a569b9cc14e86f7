/**
 * How long the portal's lists and its start page take on a large log: fills a store with messages of one account, most
 * of them sent, then runs the queries of those pages.
 *
 *   node bench/portal.ts [--messages 1000000] [--dir DIR] [--keep DIR] [--database postgres://…] [--runs 20]
 *
 * With --keep the store stays in that folder and is used again the next time; an interrupted fill resumes there.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openStore } from '../packages/gateway/src/app/open-store.ts';
import type { Store } from '../packages/gateway/src/app/store.ts';
import { buildDirectory } from '../packages/gateway/src/carriers/directory.ts';
import { createIds } from '../packages/gateway/src/kernel/ids.ts';
import { machineRandom } from '../packages/gateway/src/kernel/machine.ts';
import type { AcceptItem, InboundItem } from '../packages/gateway/src/messaging/store/items.ts';
import type { MessageSearch } from '../packages/gateway/src/messaging/store/message-log-items.ts';
import type { Claim } from '../packages/gateway/src/model/delivery.ts';
import { emptyFilter, type MessageFilter, parseMessageSearch } from '../packages/gateway/src/model/message-search.ts';
import { noRecords } from '../packages/gateway/src/model/records.ts';
import { periods, spansOf } from '../packages/gateway/src/subjects/home/spans.ts';
import { groupedPage } from '../packages/gateway/src/subjects/message-log/message-groups.ts';
import { hourlyLedger } from '../packages/gateway/src/subjects/usage/follow.ts';

const { values } = parseArgs({
  options: {
    messages: { type: 'string', default: '1000000' },
    runs: { type: 'string', default: '20' },
    dir: { type: 'string' },
    keep: { type: 'string' },
    database: { type: 'string' },
  },
});
const messages = Number(values.messages);
const runs = Number(values.runs);
const accountId = 'acc_bench';
const own = ['15550001111', '15550001112', '15550001113'];
const rareHandset = '14155559999';
const batch = 1_000;
/** How far back the log reaches. Messages are spread evenly, so its newest hour has as many as a busy company sends. */
const backMs = 24 * 3_600_000;

let startedAt = Date.now() - backMs;
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

/**
 * One in this many requests has several recipients, one in this many messages is a reply; a few belong to another key.
 */
const severalEvery = 40;
const several = 4;
const replyEvery = 20;
const rareKeyEvery = 10_000;

function recipient(index: number): string {
  return index % 100_000 === 7 ? rareHandset : `1415${String(5_000_000 + (index % 200_000)).padStart(7, '0')}`;
}

function item(index: number): AcceptItem {
  now = startedAt + (index / messages) * backMs;
  const count = index % severalEvery === 0 ? several : 1;
  const requestId = ids.request();
  return {
    message: {
      requestId,
      accountId,
      keyId: index % rareKeyEvery === 5 ? 'key_rare' : 'key_bench',
      direction: 'outbound',
      referenceId: `order-${index}`,
      from: own[index % own.length]!,
      wireText: null,
      mediaUrls: [],
      text: `Your order ${index} is on its way and comes tomorrow.`,
      messageType: 'SMS',
      encoding: 'GSM-7',
      segments: 1,
      acceptedAt: clock.now(),
    },
    deliveries: Array.from({ length: count }, (_, other) => ({
      messageId: ids.message(),
      to: recipient(index + other),
      lane: 'bench',
      expiresAt: clock.now() + 10 * backMs,
      concatReference: 0,
    })),
    idempotency: null,
  };
}

function reply(index: number): InboundItem {
  return {
    accountId,
    messageId: ids.message(),
    requestId: ids.request(),
    consent: null,
    part: {
      carrier: 'bench',
      from: recipient(index),
      to: own[index % own.length]!,
      text: `Thanks for order ${index}`,
      octets: null,
      encoding: 'GSM-7',
      concat: null,
      receivedAt: clock.now(),
    },
  };
}

/** One message in fifty fails for good. */
async function workOff(store: Store): Promise<void> {
  const claims = await store.claim({ lane: 'bench', limit: 2 * batch, now: clock.now(), token: store.token });
  const settled = (claim: Claim, index: number) => ({
    messageId: claim.messageId,
    attempt: claim.attempt,
    carrier: 'bench',
    carrierCode: null,
    detail: null,
    lane: 'bench',
    countsAttempt: true,
    dueAt: clock.now() + 72 * 3_600_000,
    ...(index % 50 === 0
      ? { to: 'failed' as const, code: 'CARRIER_REJECTED' as const, parts: [] }
      : { to: 'sent' as const, code: null, parts: [{ part: 1, carrierMessageId: claim.messageId.slice(4) }] }),
  });
  await store.settle(claims.map(settled));
}

const mark = 'bench filled';

/** Resumes an interrupted fill. A fill of another size needs another folder. */
async function fill(store: Store): Promise<void> {
  const kept = JSON.parse((await store.getSetting(mark)) ?? 'null') as { startedAt: number; filled: number } | null;
  if (kept !== null) startedAt = kept.startedAt;
  for (let first = kept?.filled ?? 0; first < messages; first += batch) {
    const count = Math.min(batch, messages - first);
    const indexes = Array.from({ length: count }, (_, index) => first + index);
    await store.accept(indexes.map(item));
    await store.inbound(indexes.filter((index) => index % replyEvery === 3).map(reply));
    await workOff(store);
    await store.putSetting(mark, JSON.stringify({ startedAt, filled: first + count }));
    if (first % 20_000 === 0) process.stderr.write(`\r${first + count} of ${messages}`);
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

async function measureLists(store: Store): Promise<void> {
  const search = (filter: MessageFilter, more: Partial<MessageSearch> = {}) =>
    store.searchMessages({ accountId, filter, ownNumbers: own, before: null, after: null, limit: 50, ...more });
  const searchFor = (query: string) => () => search(parseMessageSearch(query).filter);
  const day = (at: number) => new Date(at).toISOString().slice(0, 16);
  await measure('list: newest page', () => search(emptyFilter()));
  const middle = startedAt + backMs / 2;
  const cursor = (await search({ ...emptyFilter(), before: middle })).next;
  await measure('list: a page in the middle', () => search(emptyFilter(), { before: cursor }));
  const newest = (await search({ ...emptyFilter(), direction: 'outbound' })).messages[0]!;
  const queries: [name: string, query: string][] = [
    ['after: and before:', `after:${day(middle)} before:${day(middle + 600_000)}`],
    ['status:failed', 'status:failed'],
    ['status:undelivered (none)', 'status:undelivered'],
    ['status:held (none)', 'status:held'],
    ['reason:CARRIER_REJECTED', 'reason:CARRIER_REJECTED'],
    ['reason: not there', 'reason:OPTED_OUT'],
    ['a busy own number', own[0]!],
    ['from: a busy own number', `from:${own[0]}`],
    ['from: nobody', 'from:15559990000'],
    ['to: a handset with few messages', `to:${rareHandset}`],
    ['a handset with few messages', rareHandset],
    ['a handset nobody wrote to', '14155550000'],
    ['ref: of the newest half hour', `ref:order-${messages - 5_000}`],
    ['ref: of the first hour', `ref:order-${Math.floor(messages / 50)}`],
    ['ref: not there', 'ref:nothing'],
    ['text: often', 'text:order'],
    ['text: not there', 'text:"no such words"'],
    ['type:sms', 'type:sms'],
    ['type:mms (none)', 'type:mms'],
    ['direction:inbound', 'direction:inbound'],
    ['request:', `request:${newest.requestId}`],
    ['a message by its id', newest.messageId],
    ['all at once, not there', `from:${own[0]} status:failed reason:OPTED_OUT ref:x text:"x" type:mms direction:out`],
  ];
  for (const [name, query] of queries) await measure(`list: ${name}`, searchFor(query));
  const counted = (query: string) => () =>
    store.countMessages({ accountId, filter: parseMessageSearch(query).filter, ownNumbers: own, look: 10_000 });
  for (const query of ['', 'status:failed', 'text:"no such words"', rareHandset, `after:${day(startedAt)}`]) {
    await measure(`histogram: ${query === '' ? 'all' : query}`, counted(query));
  }
  const byRequest = (query: string) => () =>
    groupedPage(store.searchMessages, {
      accountId,
      filter: parseMessageSearch(query).filter,
      ownNumbers: own,
      before: null,
      after: null,
      limit: 50,
    });
  await measure('by request: newest page', byRequest(''));
  await measure('by request: status:failed', byRequest('status:failed'));
  await measure('by request: text: not there', byRequest('text:"no such words"'));
  for (const key of ['key_bench', 'key_rare', 'key_none']) {
    await measure(`list: key: ${key}`, () => search({ ...emptyFilter(), keys: [key] }));
  }
  const others = (count: number) => Array.from({ length: count }, (_, index) => String(15_560_000_000 + index));
  await measure('list: without 50 numbers of the sandbox', () => search(emptyFilter(), { without: others(50) }));
  await measure('list: of 50 numbers that sent nothing', () => search(emptyFilter(), { only: others(50) }));
}

async function measureHome(store: Store): Promise<void> {
  await measure('story: how long a carrier takes', () =>
    store.receiptTimes({ accountId, carrier: 'bench', look: 500 }),
  );
  const log = hourlyLedger(store, () => buildDirectory({ version: 1, ...noRecords() }));
  const began = performance.now();
  for (let after = await log.countedTo(); ; ) {
    const page = await store.countsAfter({ after, limit: 5_000 });
    if (page.position === after) break;
    await log.add(after, page);
    after = page.position;
  }
  console.log(`home: counting the whole log by the hour took ${((performance.now() - began) / 1_000).toFixed(1)} s`);
  for (const period of periods) {
    const { bars, before } = spansOf(period, now, 'Europe/Berlin');
    const spans = [...bars, before];
    await measure(`home: figures of ${period}`, () =>
      store.hourlyOutcomes({ accountId, environment: 'sandbox', spans }),
    );
  }
  await measure('home: held and uncertain', () => store.stuckMessages({ accountId, look: 2_000 }));
}

if (values.keep !== undefined) mkdirSync(values.keep, { recursive: true });
const dataDir = values.keep ?? mkdtempSync(join(values.dir ?? tmpdir(), 'heliograph-bench-portal-'));
try {
  const store = await openStore({ databaseUrl: values.database, dataDir, role: 'node', clock });
  await fill(store);
  now = startedAt + backMs;
  console.log(`${store.engine}, ${messages} messages`);
  await measureLists(store);
  await measureHome(store);
  await store.close();
} finally {
  if (values.keep === undefined) rmSync(dataDir, { recursive: true, force: true });
}
