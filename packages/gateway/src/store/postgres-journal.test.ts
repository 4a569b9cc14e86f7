/** The journal of the only node on a PostgreSQL database: what is a frame, when it becomes rows, and who brings it in. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type MovedClock, movedClock } from '../../../../test/props/clock.ts';
import { openStore } from '../app/open-store.ts';
import type { Store } from '../app/store.ts';
import { acceptItem, receipt, settlement, start } from './contract/fixture.ts';
import type { BroughtIn } from './hook.ts';
import { useSchema } from './postgres-fixture.ts';

const schema = useSchema();
let clock: MovedClock;
let store: Store;
let recovered: BroughtIn[];

async function open(fields: { cluster?: boolean; role?: 'node' | 'tool' } = {}): Promise<Store> {
  const told = (found: BroughtIn) => recovered.push(found);
  const { databaseUrl } = schema;
  return openStore({ databaseUrl, dataDir: '', role: 'node', clock, recovered: told, ...fields });
}

beforeEach(async () => {
  clock = movedClock(start);
  recovered = [];
  store = await open();
});
afterEach(() => store.close());

const query = (sql: string) => schema.server.query(schema.databaseUrl, sql);
const count = async (table: string) => Number((await query(`select count(*) as n from ${table}`))[0]!.n);
const counts = async () => [await count('journal_frames'), await count('deliveries')];
const look = () => store.message('acc1', 'msg_none');
const states = async () => {
  const rows = await query('select message_id as id, state, token from deliveries');
  return new Map(rows.map(({ id, state, token }) => [id, `${state} ${token}`]));
};

/** Texts that are handed over at once; resolves with their answers. */
async function send(texts: number) {
  const items = Array.from({ length: texts }, () => acceptItem(start, {}));
  const deliveries = items.flatMap((item) => item.deliveries);
  for (const delivery of deliveries) delivery.sending = true;
  await store.accept(items);
  return deliveries.map((delivery) => settlement({ ...delivery, attempt: 1 } as never, start));
}

describe('a text', () => {
  it('is a frame for each step, and rows once somebody looks: then no frame is left', async () => {
    await store.settle(await send(1));
    expect(await counts()).toEqual([2, 0]);
    await look();
    expect(await counts()).toEqual([0, 1]);
    expect(await count('events')).toBe(1);
    expect(await count('parts')).toBe(1);
  });

  it('has its rows after a second of quiet, and at a stop', async () => {
    await store.settle(await send(3));
    clock.pass(1_000);
    await expect.poll(counts).toEqual([0, 3]);
    await store.accept([acceptItem(start, {})]);
    await store.close();
    expect(await counts()).toEqual([0, 4]);
  });

  it('leaves memory behind later ones, and so do the frames before the oldest that stays', async () => {
    for (let nth = 0; nth < 150; nth += 1) await store.settle(await send(1));
    const [frames, deliveries] = await counts();
    expect(deliveries).toBe(128);
    expect(frames).toBeLessThan(300 - 128);
    await look();
    expect(await counts()).toEqual([0, 150]);
  });

  it('leaves memory after ten seconds, whatever it waits for, and is answered all the same', async () => {
    const answers = await send(2);
    await store.accept([acceptItem(start, {})]);
    clock.set(start + 10_000);
    // The group that takes them along settles one of them.
    expect(await store.settle(answers.slice(0, 1))).toEqual([['sent']]);
    expect(await count('deliveries')).toBe(3);
    expect(await store.settle(answers.slice(1))).toEqual([['sent']]);
    expect(await store.claim({ lane: 'c1', limit: 9, now: clock.now(), token: store.token })).toHaveLength(1);
  });

  it('that waited in memory is claimed from the database, though younger ones were claimed there before', async () => {
    const claimed = async (now: number) =>
      (await store.claim({ lane: 'c1', limit: 9, now, token: store.token })).map(({ messageId }) => messageId);
    const waiting = acceptItem(start, {});
    expect(await claimed(start + 5_000)).toEqual([]);
    await store.accept([waiting]);
    // Moved after the head of the queue has passed its time.
    clock.set(start + 5_000);
    await look();
    expect(await claimed(start + 5_100)).toEqual([waiting.deliveries[0]!.messageId]);
  });

  it('is in the database before a receipt for its handset, and only such a text', async () => {
    const [first] = await send(1);
    const other = acceptItem(start, { to: '14155550199' });
    await store.accept([other]);
    await store.settle([{ ...first!, parts: [{ part: 1, carrierMessageId: 'a1' }] }]);
    const moves = await store.receipts([receipt(start, {})]);
    expect(moves).toMatchObject([{ messageId: first!.messageId, state: 'delivered' }]);
    expect(await count('deliveries')).toBe(1);
  });

  it('that was erased is in no frame', async () => {
    await send(2);
    const cut = { accountId: 'acc1', bodiesBefore: 0, messagesBefore: 0, endpointIds: [] };
    await store.forgetMessages({ ...cut, now: start, limit: 9, cursor: null });
    expect(await counts()).toEqual([0, 2]);
  });
});

describe('what a node that ended left', () => {
  /** Frames of texts in each state, without their rows: as after a kill. */
  async function leave() {
    const [sent, sending] = await send(2);
    await store.settle([sent!]);
    const waiting = acceptItem(start, {});
    await store.accept([waiting]);
    const frames = await query('select place, text from journal_frames');
    const { token } = store;
    await store.close();
    for (const table of ['messages', 'deliveries', 'account_messages', 'conversations', 'parts', 'events'])
      await query(`delete from ${table}`);
    const rows = frames.map(({ place, text }) => `(${place}, '${String(text).replaceAll("'", "''")}')`);
    const restore = () => query(`insert into journal_frames (place, text) values ${rows.join(', ')}`);
    await restore();
    const expected = new Map([
      [sent!.messageId, `sent ${token}`],
      [sending!.messageId, `sending ${token}`],
      [waiting.deliveries[0]!.messageId, 'queued 0'],
    ]);
    return { restore, expected };
  }

  it.each([false, true])('is brought in by the next one, once; one of several nodes: %s', async (cluster) => {
    const { restore, expected } = await leave();
    store = await open({ cluster });
    expect(recovered).toEqual([{ frames: 3, requests: 3, messages: 3, torn: false }]);
    expect(await states()).toEqual(expected);
    expect(await count('journal_frames')).toBe(0);
    await store.close();
    // A node that ended right after it had moved them.
    await restore();
    store = await open({ cluster });
    expect(recovered[1]).toEqual({ frames: 3, requests: 0, messages: 0, torn: false });
    expect(await states()).toEqual(expected);
    expect(await count('journal_frames')).toBe(0);
  });

  it('is brought in without the frames before, which nothing in memory needed', async () => {
    const { expected } = await leave();
    await query('delete from journal_frames where place = 1');
    store = await open();
    expect(recovered).toEqual([{ frames: 2, requests: 1, messages: 1, torn: false }]);
    expect([...(await states()).values()]).toEqual(['queued 0']);
    expect(expected.size).toBe(3);
  });

  it('is left alone by a tool', async () => {
    await leave();
    const tool = await open({ role: 'tool' });
    await tool.close();
    expect(await counts()).toEqual([3, 0]);
    store = await open();
  });
});

describe('several nodes', () => {
  it('write their rows at once', async () => {
    await store.close();
    store = await open({ cluster: true });
    await store.accept([acceptItem(start, {})]);
    expect(await counts()).toEqual([0, 1]);
  });
});

describe('a database that refuses what the journal holds', () => {
  it('is the end of the node', async () => {
    const [answer] = await send(1);
    await query(
      `insert into account_messages (account_id, direction, message_id) values ('acc1', 'outbound', '${answer!.messageId}')`,
    );
    const refused = { name: 'StoreBroken', message: expect.stringContaining('the database refuses what the journal') };
    await expect(look()).rejects.toMatchObject(refused);
    await expect(store.accept([acceptItem(start, {})])).rejects.toMatchObject(refused);
  });
});
