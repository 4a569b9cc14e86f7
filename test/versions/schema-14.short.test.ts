/**
 * Data written by the version with schema 14, whose node died with a full journal: today's store opens it on both
 * engines, has everything acknowledged, and continues with it. `make.ts` explains how the data were made.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../../packages/gateway/src/app/open-store.ts';
import type { Store } from '../../packages/gateway/src/app/store.ts';
import { lookAtSqlite } from '../../packages/gateway/src/app/store-repair.ts';
import {
  acceptItem,
  hour,
  inboundItem,
  minute,
  receipt,
  settlement,
  start,
} from '../../packages/gateway/src/store/contract/fixture.ts';
import { mediaOf } from '../../packages/gateway/src/store/contract/media-fixture.ts';
import type { BroughtIn } from '../../packages/gateway/src/store/hook.ts';
import { startPostgres, type TestPostgres } from '../postgres.ts';
import { movedClock } from '../props/clock.ts';
import type { Expected } from './make.ts';

const folder = join(import.meta.dirname, 'schema-14');
const unzipped = (name: string) => gunzipSync(readFileSync(join(folder, `${name}.gz`)));
const expected: Record<'sqlite' | 'postgres', Expected> = JSON.parse(
  readFileSync(join(folder, 'expected.json'), 'utf8'),
);

interface Place {
  dataDir: string;
  databaseUrl?: string;
}

let server: TestPostgres;
let database: string;
beforeAll(async () => {
  server = await startPostgres();
  database = await server.createDatabase();
});
afterAll(() => server?.remove());

function copyFolder(): Place {
  const dataDir = mkdtempSync(join(tmpdir(), 'heliograph-schema-14-'));
  for (const name of ['store.journal', 'store.db', 'store.db-wal']) writeFileSync(join(dataDir, name), unzipped(name));
  return { dataDir };
}

async function copyDatabase(): Promise<Place> {
  const databaseUrl = await server.createSchema(database);
  await server.query(databaseUrl, unzipped('postgres.sql').toString());
  return { dataDir: '', databaseUrl };
}

/** The test's node, and the rows that it recovered from the journal. */
const world = {} as { store: Store; place: Place; recovered: BroughtIn[] };
const clock = movedClock(start);

async function open(): Promise<void> {
  world.store = await openStore({
    ...world.place,
    role: 'node',
    clock,
    recovered: (found) => world.recovered.push(found),
  });
}

function useCopy(copy: () => Promise<Place> | Place): void {
  beforeEach(async () => {
    clock.set(start + minute);
    world.recovered = [];
    world.place = await copy();
    await open();
  });
  afterEach(async () => {
    await world.store.close();
    if (world.place.dataDir !== '') rmSync(world.place.dataDir, { recursive: true });
  });
}

const claim = (lane: string) => world.store.claim({ lane, limit: 100, now: clock.now(), token: world.store.token });
const statesOf = async (ids: readonly string[]) =>
  Promise.all(ids.map(async (id) => (await world.store.message('acc1', id))!.state));

/** In small pages; each event as the earlier version stored it. */
async function eventsAfter(mark: number): Promise<{ eventId: string; type: string; position: number }[]> {
  const all = [];
  for (let after = mark; ; ) {
    const { events, position } = await world.store.eventsAfter({ after, limit: 3 });
    if (position === after) return all;
    all.push(...events.map(({ eventId, type, position: own }) => ({ eventId, type, position: own })));
    after = position;
  }
}

describe('a data folder of schema 14', () => {
  useCopy(copyFolder);

  it('has its last texts in the journal only; the start recovers them once', async () => {
    const { journaled } = expected.sqlite.told;
    const untouched = copyFolder();
    expect(lookAtSqlite(untouched.dataDir, start).journal).toMatchObject({ fault: null, requests: 5, messages: 7 });
    rmSync(untouched.dataDir, { recursive: true });
    expect(world.recovered).toEqual([{ frames: 8, requests: 5, messages: journaled.length, torn: false }]);
    expect(lookAtSqlite(world.place.dataDir, start).database.fault).toBeNull();
  });
});

describe.each([
  { engine: 'sqlite', copy: copyFolder },
  { engine: 'postgres', copy: copyDatabase },
] as const)('data of schema 14 on $engine', ({ engine, copy }) => {
  useCopy(copy);
  const { told: acked, seen } = expected[engine];

  it('hold every acknowledged message with its state and timeline', async () => {
    for (const [state, ids] of Object.entries(acked.states)) {
      expect(await statesOf(ids), state).toEqual(ids.map(() => state));
    }
    const timelines = Object.keys(seen.timelines).map(async (id) => {
      const { events } = (await world.store.message('acc1', id))!;
      return [id, events.map(({ state }) => state)] as const;
    });
    expect(Object.fromEntries(await Promise.all(timelines))).toEqual(seen.timelines);
  });

  it('hold the answers of repeats, replies, opt-outs, receipts and settings', async () => {
    const { key, answer, requestId } = acked.keyed;
    expect(await world.store.answerFor('acc1', key, clock.now())).toEqual({ answer, requestId, bodyHash: 'hash-1' });
    const repeat = renamed(acceptItem(clock.now(), { lane: 'c2', key: { key, bodyHash: 'hash-1' } }), 'repeat');
    expect(await world.store.accept([repeat])).toEqual([{ kind: 'replay', answer }]);

    const replies = await Promise.all(acked.replies.map((id) => world.store.message('acc1', id)));
    expect(replies.map((reply) => reply?.text)).toEqual(['Danke', 'Look']);
    expect(replies[1]!.mediaUrls).toHaveLength(2);
    expect(await world.store.optOutPage({ after: null, limit: 10 })).toEqual(acked.optOuts);
    const unmatched = await world.store.unmatchedReceipts(10);
    expect(unmatched.map(({ carrierMessageId }) => carrierMessageId)).toEqual(['nobody-1']);
    expect(await world.store.getSetting('demo')).toBe('on');
  });

  it('hold a part of a reply that the missing part completes', async () => {
    const second = inboundItem(clock.now(), { text: 'second', concat: { reference: 5, total: 2, sequence: 2 } });
    Object.assign(second, { messageId: 'msg_completed', requestId: 'req_completed' });
    expect((await world.store.inbound([second])).messageIds).toEqual(['msg_completed']);
    expect((await world.store.message('acc1', 'msg_completed'))!.text).toBe('first second');
  });

  it('give out each event once, in the order of the log', async () => {
    const all = await eventsAfter(0);
    expect(all.map(({ eventId, type }) => ({ eventId, type }))).toEqual(seen.events);
    expect(all.map(({ position }) => position)).toEqual(all.map(({ position }) => position).toSorted((a, b) => a - b));
    const mark = await world.store.fannedOut();
    const rest = await eventsAfter(mark);
    expect(rest.map(({ eventId }) => eventId)).toEqual(seen.events.slice(seen.fannedOut).map(({ eventId }) => eventId));
    expect(await world.store.fanOut({ from: mark, to: rest.at(-1)!.position, deliveries: [] })).toBe(true);
    expect(await eventsAfter(await world.store.fannedOut())).toEqual([]);
    const due = await world.store.dueWebhooks({ endpointId: 'ep_1', now: clock.now(), limit: 10 });
    expect(due.map(({ event }) => event.eventId)).toEqual(seen.events.slice(0, seen.fannedOut).map((e) => e.eventId));
  });

  it('are processed: queued messages are claimed once and settle, receipts match, `sending` ones become uncertain', async () => {
    const recovery = { token: world.store.token, now: clock.now(), dueAt: start + hour, limit: 100 };
    const doubtful = await world.store.recover(recovery);
    expect(doubtful.map(({ messageId }) => messageId).sort()).toEqual([...acked.states.sending!].sort());

    expect((await world.store.mediaJobs({ now: clock.now(), limit: 10 })).map(({ requestId }) => requestId)).toEqual(
      acked.waitingMedia,
    );
    const waiting = (await claim('c1')).concat(await claim('c2'));
    const withoutMedia = acked.states.queued!.filter((id) => !waiting.some(({ messageId }) => messageId === id));
    expect(waiting).toHaveLength(acked.states.queued!.length - 1);
    expect((await world.store.message('acc1', withoutMedia[0]!))!.requestId).toBe(acked.waitingMedia[0]);
    expect(waiting.filter((one) => mediaOf(one) !== null)).toHaveLength(2);
    await world.store.settle(waiting.map((one) => settlement(one, clock.now())));
    expect(new Set(await statesOf(waiting.map(({ messageId }) => messageId)))).toEqual(new Set(['sent']));
    expect([...(await claim('c1')), ...(await claim('c2'))]).toEqual([]);

    const moves = await world.store.receipts(acked.partsInJournal.map((part) => receipt(clock.now(), part)));
    expect(moves.map(({ messageId, state }) => [messageId, state])).toEqual(
      acked.journaled.slice(0, 2).map((id) => [id, 'delivered']),
    );
  });

  it('open a second time unchanged', async () => {
    const before = { states: await statesOf(Object.keys(seen.states)), events: await eventsAfter(0) };
    await world.store.close();
    world.recovered = [];
    await open();
    expect(world.recovered).toEqual([]);
    expect({ states: await statesOf(Object.keys(seen.states)), events: await eventsAfter(0) }).toEqual(before);
    expect(before.states).toEqual(Object.values(seen.states));
  });
});

/** The fixtures number their ids from the start again, like the fixtures of the data. */
function renamed<T extends ReturnType<typeof acceptItem>>(item: T, name: string): T {
  item.message.requestId = `req_${name}`;
  for (const delivery of item.deliveries) delivery.messageId = `msg_${name}`;
  return item;
}
