/**
 * Messages of PostgreSQL in partitions: existing tables are divided in place, everything is found over several of them, and
 * retention drops old ones.
 */
import { Client } from 'pg';
import { describe, expect, it } from 'vitest';
import { openStore } from '../app/open-store.ts';
import { buildDirectory } from '../carriers/directory.ts';
import { createIds, firstIdAt } from '../kernel/ids.ts';
import { silentLogger } from '../kernel/logger.ts';
import { machineClock, machineRandom } from '../kernel/machine.ts';
import { emptyFilter } from '../model/message-search.ts';
import type { Account } from '../model/records.ts';
import { records } from '../model/world-fixture.ts';
import { createRetentionSweeper } from '../subjects/retention/retention.ts';
import { hour, type ItemFields, start } from './contract/fixture.ts';
import { mmsItem, queuedMedia } from './contract/media-fixture.ts';
import { useWorld } from './contract/world.ts';
import { StoreUnavailable } from './faults.ts';
import { endSession, olderStore, useSchema } from './postgres-fixture.ts';
import { createMessagePartitions, type MessagePartitions } from './postgres-message-partitions.ts';

const day = 24 * hour;
const keptDays = 84;
const schema = useSchema();
const query = (sql: string) => schema.server.query(schema.databaseUrl, sql);
const tables = ['messages', 'deliveries', 'account_messages', 'parts', 'conversations'];
const peer = '14155550100';

const world = useWorld(async () => ({
  childArgs: [],
  open: (role, clock) => openStore({ databaseUrl: schema.databaseUrl, dataDir: '', role, clock }),
  remove: async () => {},
}));

const partitions = (bytesMin = 0): MessagePartitions =>
  createMessagePartitions({ databaseUrl: schema.databaseUrl, clock: world.clock, logger: silentLogger, bytesMin });
const keep = (bytesMin?: number) => partitions(bytesMin).keep(keptDays * day);

/** How many partitions each table has. */
async function counts(): Promise<Record<string, number>> {
  const found = await query(
    `select inhparent::regclass::text as name, count(*) as count from pg_inherits
     where inhparent::regclass::text = any (array['${tables.join("', '")}']) group by 1`,
  );
  return Object.fromEntries(found.map(({ name, count }) => [String(name), Number(count)]));
}
const each = (count: number) => Object.fromEntries(tables.map((table) => [table, count]));
/** Where the partition with messages of this time ends. */
const endOf = async (at: number) => (await partitions().leftToDrop(at, 1e13))!.to;
const rows = async (table: string) => Number((await query(`select count(*) from ${table}`))[0]!.count);

let made = 0;

/** Ids of the clock, unlike those of the fixture. A new source each time: one never goes back. */
const ids = () => createIds(world.clock as never, machineRandom);

async function accepted(fields: ItemFields = {}): Promise<string> {
  const item = world.item(fields);
  item.message.requestId = ids().request();
  item.deliveries[0]!.messageId = ids().message();
  await world.store.accept([item]);
  return item.deliveries[0]!.messageId;
}

async function sent(fields: ItemFields = {}): Promise<{ messageId: string; carrierMessageId: string }> {
  const messageId = await accepted(fields);
  made += 1;
  const claim = (await world.claim()).find((one) => one.messageId === messageId)!;
  await world.settle(claim, { parts: [{ part: 1, carrierMessageId: `car${made}` }] });
  return { messageId, carrierMessageId: `car${made}` };
}

async function delivered(fields: ItemFields = {}): Promise<string> {
  const { messageId, carrierMessageId } = await sent(fields);
  expect(await world.receipts({ carrierMessageId, to: fields.to ?? peer })).toHaveLength(1);
  return messageId;
}

/** A delivered message on each of some days, with a round of the keeper. */
async function days(count: number, each: (n: number) => Promise<unknown> = async () => {}): Promise<string[]> {
  const made: string[] = [];
  for (let n = 0; n < count; n += 1) {
    world.clock.set(start + n * day);
    await each(n);
    made.push(await delivered());
    await keep();
  }
  return made;
}

describe('tables of the schema before', () => {
  it('become the first partitions without being copied, and all goes on', async () => {
    await world.store.close();
    const client = await olderStore(schema, 33, start);
    const id = firstIdAt('', start - day).padEnd(26, '0');
    await client.query(`insert into messages (request_id, account_id, key_id, direction, reference_id, sender, text, media_urls,
        message_type, segments, accepted_at)
      values ('req_${id}', 'acc1', 'key1', 'outbound', 'ref', '15550001111', 'Before', '[]', 'SMS', 1, ${start - day});
      insert into deliveries (message_id, request_id, account_id, recipient, lane, state, carrier, due_at, expires_at, attempts,
        dup_risk, sequence, token, concat_reference, segments, updated_at)
      values ('msg_${id}', 'req_${id}', 'acc1', '${peer}', 'c1', 'sent', 'c1', ${start + day}, ${start}, 1, 0, 3, 1, 7, 1, ${start - day});
      insert into account_messages (account_id, direction, message_id) values ('acc1', 'outbound', 'msg_${id}');
      insert into conversations (run, own, peer, outbound, message_id)
      values (${start - day}, '15550001111', '${peer}', 1, 'msg_${id}');
      insert into parts (message_id, part, carrier, carrier_message_id, id_key, recipient, state, accepted_at, updated_at)
      values ('msg_${id}', 1, 'c1', 'old1', 'old1', '${peer}', 'accepted', ${start - day}, ${start - day})`);
    const files = (suffix: string) =>
      query(
        `select name, pg_relation_filenode(name || '${suffix}')::text as file from unnest(array['${tables.join("', '")}']) name`,
      );
    const before = await files('');
    await client.end();
    world.store = await world.place.open('node', world.clock);
    expect(await files('_first')).toEqual(before);
    const first = await delivered();
    // Of a single partition PostgreSQL might read all, so the second one does not wait until the first is large.
    await keep(1e9);
    expect(await counts()).toEqual(each(2));
    expect(await world.receipts({ carrierMessageId: 'old1' })).toHaveLength(1);
    world.clock.set(start + 9 * day);
    const second = await delivered();
    for (const messageId of [`msg_${id}`, first, second])
      expect(await world.view(messageId)).toMatchObject({ state: 'delivered' });
    expect(
      await query('select relname from pg_class c join pg_index i on i.indexrelid = c.oid where not indisvalid'),
    ).toEqual([]);
  });
});

describe('partitions of messages', () => {
  it('are two in a new store, and stay so while it is small', async () => {
    expect(await counts()).toEqual(each(2));
    await delivered();
    await keep(1e9);
    expect(await counts()).toEqual(each(2));
  });

  it('begin a week after each other or later, and all is found over them', async () => {
    const all = await days(30);
    expect(await counts()).toEqual(each(7));
    for (const messageId of all) expect((await world.timeline(messageId)).at(-1)).toBe('delivered');
    const query = { accountId: 'acc1', direction: 'outbound', from: null, to: null, before: null, limit: 50 } as const;
    expect((await world.store.messages(query)).map(({ messageId }) => messageId)).toEqual(all.toReversed());
    const thread = { accountId: 'acc1', own: '15550001111', peer, before: null, limit: 50 };
    const messages = await world.store.threadMessages(thread);
    expect(messages.map(({ messageId }) => messageId)).toEqual(all.toReversed());
    const search = { accountId: 'acc1', filter: emptyFilter(), ownNumbers: [], before: null, after: null, limit: 50 };
    expect((await world.store.searchMessages(search as never)).messages).toHaveLength(30);
  });

  it('lie at longer intervals where messages are kept for longer', async () => {
    await delivered();
    await partitions().keep(1_200 * day);
    expect(await endOf(start)).toBe(start + 100 * day);
  });

  it('do not end before an id of a clock that was wrong', async () => {
    world.clock.set(start + 300 * day);
    const future = await delivered();
    world.clock.set(start);
    const messageId = await delivered();
    await keep();
    expect(await endOf(start)).toBeGreaterThan(start + 300 * day);
    world.clock.set(start - 3_000 * day);
    const past = await delivered();
    for (const one of [future, messageId, past]) expect(await world.view(one)).toMatchObject({ state: 'delivered' });
  });

  it('match a receipt however long the message waited before it was sent', async () => {
    await delivered();
    await keep();
    const messageId = await accepted({ expiresAt: start + 400 * day, lane: 'c2' });
    world.clock.set(start + 60 * day);
    await delivered();
    await keep();
    const [claim] = await world.claim('c2');
    await world.settle(claim!, { parts: [{ part: 1, carrierMessageId: 'late' }] });
    expect(await world.receipts({ carrier: 'c2', carrierMessageId: 'late' })).toMatchObject([{ messageId }]);
  });

  it('give a message that was held for long to its carrier with the next look at the whole queue', async () => {
    const messageId = await accepted({ expiresAt: start + 400 * day, lane: 'c2' });
    await world.restart();
    const put = (state: string) =>
      query(
        `update deliveries set state = '${state}', due_at = ${world.clock.now()} where message_id = '${messageId}'`,
      );
    await put('held');
    world.clock.set(start + 60 * day);
    expect(await world.claim('c2')).toEqual([]);
    await put('queued');
    world.clock.set(start + 60 * day + 11_000);
    expect(await world.claim('c2')).toMatchObject([{ messageId }]);
  });

  it('lose an end that a killed call has left where messages come to it, and no write is refused', async () => {
    const open = (
      await query(`select max(inhrelid::regclass::text) as name from pg_inherits where inhparent = 'parts'::regclass`)
    )[0]!.name;
    const end = firstIdAt('msg_', start + day);
    await query(`alter table ${open} add constraint ${open}_end check (message_id < '${end}') not valid`);
    world.clock.set(start + 2 * day);
    const messageId = await delivered();
    expect(await world.view(messageId)).toMatchObject({ state: 'delivered' });
    await keep();
    expect(await counts()).toEqual(each(3));
  });

  it('wait for a long transaction of somebody else no longer than an instant, and let all others work', async () => {
    await delivered();
    const reader = new Client({ connectionString: schema.databaseUrl });
    await reader.connect();
    await reader.query('begin isolation level repeatable read; select * from messages');
    const refused = expect(keep()).rejects.toThrow(StoreUnavailable);
    for (let n = 0; n < 3; n += 1) await delivered();
    await refused;
    expect((await counts()).messages).toBe(2);
    await reader.query('commit');
    await reader.end();
    await keep();
    expect(await counts()).toEqual(each(3));
  });

  it('are made under load by calls that are killed at any moment: nothing is lost, refused or doubled', async () => {
    const made: string[] = [];
    let stopped = false;
    const traffic = async () => {
      while (!stopped) made.push(await delivered({ expiresAt: start + 9_000 * day }));
    };
    const load = traffic();
    load.catch(() => {});
    for (let kills = 0; kills < 30; ) {
      const called = keep().then(
        () => {
          // The next one begins a week later.
          world.clock.set(world.clock.now() + 8 * day);
        },
        () => {},
      );
      kills += await endSession(schema, 'heliograph partitions', kills % 10);
      await called;
    }
    await keep();
    stopped = true;
    await load;
    expect(made.length).toBeGreaterThan(10);
    expect(await rows('deliveries')).toBe(made.length);
    expect(await rows('parts')).toBe(made.length);
    for (const messageId of made) expect((await world.timeline(messageId)).at(-1)).toBe('delivered');
    expect(await query(`select conname from pg_constraint where conname like '%\\_end'`)).toEqual([]);
    expect(
      await query('select relname from pg_class c join pg_index i on i.indexrelid = c.oid where not indisvalid'),
    ).toEqual([]);
  });
});

describe('retention over partitions of messages', () => {
  const account = { accountId: 'acc1', retention: { bodyDays: 7, metadataDays: keptDays } } as unknown as Account;

  /** One round of retention on this day, without pauses. */
  async function round(dayOf: number, accounts: Account[] = [account]): Promise<void> {
    world.clock.set(start + dayOf * day);
    const clock = { ...world.clock, after: (_: number, run: () => void) => machineClock.after(0, run) };
    const store = {
      ...world.store,
      messagePartitions: partitions(1e12),
      records: async () => records({ accounts }),
    };
    const directory = () => buildDirectory(records({ accounts }));
    await createRetentionSweeper({ clock, logger: silentLogger, directory, store }).sweep();
  }

  it('drops messages once all of their partition are old, and empties texts before', async () => {
    const all = await days(30);
    await round(keptDays + 5);
    expect(await rows('deliveries')).toBe(30);
    expect(await world.view(all[0]!)).toMatchObject({ text: '' });
    await round(keptDays + 7.2);
    for (const table of tables.filter((name) => name !== 'conversations'))
      expect([table, await rows(table)]).toEqual([table, 23]);
    expect(await world.view(all[6]!)).toBeNull();
    expect(await world.view(all[7]!)).toMatchObject({ state: 'delivered' });
    expect((await counts()).deliveries).toBe(6);
    world.clock.set(start - 50 * day);
    const past = await delivered();
    expect(await world.view(past)).toMatchObject({ state: 'delivered' });
    await round(keptDays + 40);
    expect(await rows('deliveries')).toBe(0);
    expect(await rows('parts')).toBe(0);
    await delivered();
  });

  it('deletes one by one where the end of a partition lies far ahead', async () => {
    const messageId = await delivered();
    world.clock.set(start + 200 * day);
    await delivered();
    await keep();
    await round(keptDays + 150);
    expect(await world.view(messageId)).toBeNull();
    expect(await rows('deliveries')).toBe(1);
  });

  it('deletes what is stored beside the tables of messages, and nothing younger', async () => {
    const beside = ['mms_deliveries', 'message_media', 'refused_recipients', 'threads'];
    const add = async () => {
      const item = mmsItem(world.clock.now());
      item.message.requestId = ids().request();
      item.deliveries[0]!.messageId = ids().message();
      await world.store.accept([item]);
      await world.store.prepareMedia([queuedMedia(item, world.clock.now())]);
      const [claim] = await world.claim();
      await world.settle(claim!, { to: 'failed', code: 'CARRIER_REJECTED', parts: [] });
      const from = `1415555${String(made).padStart(4, '0')}`;
      const reply = world.inboundItem({ from });
      reply.messageId = ids().message();
      reply.requestId = ids().request();
      await world.store.inbound([reply]);
      await query(
        `insert into refused_recipients (request_id, place, recipient, status, detail) values ('${item.message.requestId}', 1, '1', 'invalid', '')`,
      );
      await query(`insert into retention_left values ('acc1', '${claim!.messageId}')`);
    };
    await days(10, (n) => (n === 0 || n === 9 ? add() : Promise.resolve()));
    for (const table of beside) expect([table, await rows(table)]).not.toEqual([table, 0]);
    const before = await Promise.all(beside.map(rows));
    await round(keptDays + 8);
    expect(await Promise.all(beside.map(rows))).toEqual(before.map((count) => count / 2));
    expect(await rows('retention_left')).toBe(0);
  });

  it('deletes at once the messages of an account that keeps them for a shorter time', async () => {
    const other = { ...account, accountId: 'acc2', retention: { bodyDays: 1, metadataDays: 2 } } as Account;
    await days(10, () => delivered({ accountId: 'acc2', to: '14155550188' }));
    // Messages of the other account are in the partition that is left to be dropped.
    await round(keptDays + 5, [account, other]);
    expect(await query('select distinct account_id, count(*) from deliveries group by 1')).toEqual([
      { account_id: 'acc1', count: '10' },
    ]);
    // Partitions without a row are dropped like others.
    await query('delete from deliveries');
    const before = (await counts()).deliveries!;
    await round(keptDays + 30, [account, other]);
    expect((await counts()).deliveries).toBe(before - 2);
  });

  it('keeps the partition of a message that may still be sent, and deletes the others there one by one', async () => {
    let held = '';
    await days(10, async (n) => {
      if (n > 0) return;
      held = await accepted({ to: '14155550177', expiresAt: start + 500 * day });
      const claim = (await world.claim()).find(({ messageId }) => messageId === held)!;
      await world.settle(claim, { to: 'uncertain', parts: [], dueAt: world.clock.now() });
      await world.sweep({ holdAccountIds: ['acc1'] });
    });
    expect(await world.view(held)).toMatchObject({ state: 'held' });
    await round(keptDays + 20);
    expect(await rows('deliveries')).toBe(1);
    const partitionsThen = await counts();
    await world.store.decide({ accountId: 'acc1', messageId: held, to: 'canceled', now: world.clock.now() });
    await round(keptDays + 20);
    expect(await rows('deliveries')).toBe(0);
    expect((await counts()).deliveries).toBeLessThan(partitionsThen.deliveries!);
  });
});
