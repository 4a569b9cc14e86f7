/**
 * The event log of PostgreSQL in partitions: an existing log is divided in place, and retention drops old partitions.
 */
import { Client } from 'pg';
import { describe, expect, it } from 'vitest';
import { openStore } from '../app/open-store.ts';
import { buildDirectory } from '../carriers/directory.ts';
import { silentLogger } from '../kernel/logger.ts';
import { machineClock } from '../kernel/machine.ts';
import type { Account } from '../model/records.ts';
import { records } from '../model/world-fixture.ts';
import { createRetentionSweeper } from '../subjects/retention/retention.ts';
import { hour, nextId, start } from './contract/fixture.ts';
import { useWorld } from './contract/world.ts';
import { StoreUnavailable } from './faults.ts';
import { endSession, olderStore, useSchema } from './postgres-fixture.ts';
import { createLogPartitions, type LogPartitions } from './postgres-partitions.ts';

const day = 24 * hour;
const schema = useSchema();
const query = (sql: string) => schema.server.query(schema.databaseUrl, sql);

/** Partitions of a few positions; by the clock, the log has grown for years. */
function logOf(rowsMin = 4): LogPartitions {
  const clock = { now: () => start + 9_000 * day };
  return createLogPartitions({ databaseUrl: schema.databaseUrl, clock, logger: silentLogger, rowsMin });
}

/** The bounds of the partitions, in order. */
async function bounds(): Promise<string[]> {
  const found = await query(
    `select pg_get_expr(c.relpartbound, c.oid) as bounds from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'events'::regclass order by c.oid`,
  );
  return found.map(({ bounds }) => String(bounds).replace(/^FOR VALUES FROM |'/g, ''));
}

const world = useWorld(async () => ({
  childArgs: [],
  open: (role, clock) => openStore({ databaseUrl: schema.databaseUrl, dataDir: '', role, clock }),
  remove: async () => {},
}));

async function delivered(carrierId: string, fields: Parameters<typeof world.accept>[0] = {}): Promise<string> {
  const messageId = await world.sent([carrierId], fields);
  await world.receipts({ carrierMessageId: carrierId, to: fields.to ?? '14155550100' });
  return messageId;
}

const log = async () => (await world.store.eventsAfter({ after: 0, limit: 999 })).events.map(({ eventId }) => eventId);
const positions = async () =>
  (await query('select position from events order by position')).map((row) => Number(row.position));

describe('a log of the schema before', () => {
  it('becomes the first partition without being copied, and goes on', async () => {
    await world.store.close();
    const client = await olderStore(schema, 29, start);
    await client.query(`insert into events (position, account_id, message_id, sequence, type, at, dup_risk, body)
      select n, 'acc1', 'evt_' || n, 0, 'carrier.up', ${start}, 0, '{}' from generate_series(1, 9) n`);
    const file = `select pg_relation_filenode('events')::text as file`;
    const { rows } = await client.query(file);
    await client.end();
    world.store = await world.place.open('node', world.clock);
    expect(await query(file.replace("'events'", "'events_first'"))).toEqual([rows[0]]);
    await world.store.addEvents([{ eventId: 'evt_1', accountId: 'acc1', type: 'carrier.up', at: start, data: {} }]);
    await delivered('a1');
    expect(await log()).toHaveLength(11);
    await logOf().keep();
    expect(await bounds()).toEqual(['(MINVALUE) TO (15)', '(15) TO (MAXVALUE)']);
    expect(await log()).toHaveLength(11);
  });
});

describe('the partitions of the log', () => {
  it('begin when the one before is full, and all is found over them', async () => {
    const long = await world.sent(['a0']);
    const ids: string[] = [];
    for (let n = 1; n <= 6; n += 1) {
      world.clock.set(start + n * day);
      ids.push(await delivered(`a${n}`));
      await logOf().keep();
    }
    expect((await bounds()).length).toBeGreaterThan(3);
    await world.receipts({ carrierMessageId: 'a0' });
    for (const messageId of [long, ...ids])
      expect(await world.timeline(messageId)).toEqual(['accepted', 'queued', 'sending', 'sent', 'delivered']);
    const { taken } = await world.store.countsAfter({ after: 0, limit: 999 });
    expect(taken.reduce((sum, { messages }) => sum + messages, 0)).toBe(7);
    expect(await log()).toHaveLength(14);
    expect(await positions()).toEqual(Array.from({ length: 14 }, (_, n) => n + 1));
  });

  it('are found by a node that starts, and by one whose log was emptied by hand', async () => {
    for (const name of ['a1', 'a2', 'a3']) await delivered(name);
    await logOf().keep();
    await world.restart();
    await delivered('a4');
    expect(await positions()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    await query('delete from events');
    await delivered('a5');
    expect(await positions()).toEqual([1, 2]);
  });

  it('stay as they are while the last one is empty, and while another call is at work', async () => {
    await logOf().keep();
    expect(await bounds()).toEqual(['(MINVALUE) TO (MAXVALUE)']);
    await delivered('a1');
    await Promise.all([logOf().keep(), logOf().keep(), logOf().keep()]);
    await logOf().keep();
    expect(await bounds()).toEqual(['(MINVALUE) TO (6)', '(6) TO (MAXVALUE)']);
  });

  it('take the end that a killed call has left, or another one if the log has come near it', async () => {
    await delivered('a1');
    await query('alter table events_first add constraint events_first_end check (position < 8) not valid');
    await logOf().keep();
    expect(await bounds()).toEqual(['(MINVALUE) TO (8)', '(8) TO (MAXVALUE)']);
    for (const name of ['a2', 'a3', 'a4']) await delivered(name);
    await query('alter table events_from_8 add constraint events_from_8_end check (position < 9) not valid');
    await logOf().keep();
    expect((await bounds()).slice(1)).toEqual(['(8) TO (12)', '(12) TO (MAXVALUE)']);
    for (const name of ['a5', 'a6', 'a7']) await delivered(name);
    expect(await positions()).toHaveLength(14);
  });

  it('lose an end that a killed call has left where the log comes to it, and no write is refused', async () => {
    await delivered('a1');
    await query('alter table events_first add constraint events_first_end check (position < 4) not valid');
    for (const name of ['a2', 'a3', 'a4']) await delivered(name);
    expect(await positions()).toHaveLength(8);
    await logOf().keep();
    expect(await bounds()).toEqual(['(MINVALUE) TO (12)', '(12) TO (MAXVALUE)']);
  });

  it('wait for a long transaction of somebody else no longer than an instant, and let all others work', async () => {
    await delivered('a1');
    const reader = new Client({ connectionString: schema.databaseUrl });
    await reader.connect();
    await reader.query('begin isolation level repeatable read; select * from events');
    const refused = expect(logOf().keep()).rejects.toThrow(StoreUnavailable);
    for (const name of ['a2', 'a3', 'a4']) await delivered(name);
    await refused;
    expect(await bounds()).toHaveLength(1);
    await reader.query('commit');
    await reader.end();
    await logOf().keep();
    expect(await bounds()).toHaveLength(2);
  });

  it('are made under load by calls that are killed at any moment: nothing is lost, refused or doubled', async () => {
    const sent: string[] = [];
    let stopped = false;
    const traffic = async () => {
      while (!stopped) sent.push(await delivered(nextId('car')));
    };
    const load = traffic();
    load.catch(() => {});
    for (let kills = 0; kills < 40; ) {
      const called = logOf(40)
        .keep()
        .then(
          () => true,
          () => false,
        );
      kills += await endSession(schema, 'heliograph log', kills % 8);
      await called;
    }
    await expect.poll(() => logOf(40).keep().then(bounds)).toSatisfy((all) => all.length > 3);
    stopped = true;
    await load;
    expect(sent.length).toBeGreaterThan(20);
    expect(await positions()).toEqual(Array.from({ length: 2 * sent.length }, (_, n) => n + 1));
    for (const messageId of sent.slice(-20)) expect((await world.timeline(messageId)).at(-1)).toBe('delivered');
    expect(await query(`select conname from pg_constraint where conname like 'events%\\_end'`)).toHaveLength(0);
  });
});

describe('retention over partitions', () => {
  const account = { accountId: 'acc1', retention: { bodyDays: 1, metadataDays: 10 } } as unknown as Account;

  /** One round of retention at this time, without pauses. */
  async function round(atMs: number, accounts: Account[] = [account]): Promise<void> {
    world.clock.set(start + atMs);
    const clock = { ...world.clock, after: (_: number, run: () => void) => machineClock.after(0, run) };
    const store = { ...world.store, logPartitions: logOf(), records: async () => records({ accounts }) };
    const directory = () => buildDirectory(records({ accounts }));
    await createRetentionSweeper({ clock, logger: silentLogger, directory, store }).sweep();
  }

  /** For each of some days: the day's messages, then two that fill its partition. */
  async function days(count: number, each: (n: number) => Promise<unknown> = async () => {}): Promise<void> {
    for (let n = 0; n < count; n += 1) {
      world.clock.set(start + n * day);
      await each(n);
      for (const name of [`fill${n}-1`, `fill${n}-2`]) await delivered(name, { to: '14155550199' });
      await logOf().keep();
    }
  }

  const messages = async () => Number((await query('select count(*) from deliveries'))[0]!.count);

  it('deletes old messages and leaves their events to be dropped with the partition', async () => {
    await days(6);
    const [all, before] = [await bounds(), await positions()];
    await round(10.5 * day);
    expect(await messages()).toBe(10);
    expect([await bounds(), await positions()]).toEqual([all, before]);
    await round(15.5 * day);
    expect(await messages()).toBe(0);
    expect((await bounds()).length).toBeLessThan(all.length - 1);
    expect((await positions())[0]).toBeGreaterThan(8);
    await delivered('new');
    expect((await positions()).slice(-2)).toEqual([25, 26]);
  });

  it('deletes at once the events of an account that keeps messages for a shorter time', async () => {
    const longer = { ...account, retention: { bodyDays: 1, metadataDays: 30 } } as Account;
    const other = { ...account, accountId: 'acc2', retention: { bodyDays: 1, metadataDays: 2 } } as Account;
    await days(6, () => delivered(nextId('car'), { accountId: 'acc2', to: '14155550188' }));
    await round(9 * day, [longer, other]);
    expect(await query(`select count(*) from events where account_id = 'acc2'`)).toEqual([{ count: '0' }]);
    expect(await messages()).toBe(12);
    expect(await query('select count(*) from events')).toEqual([{ count: '24' }]);
  });

  it('keeps the partition of a message that may still be sent, and deletes the events of the others there', async () => {
    let held = '';
    await days(6, async (n) => {
      if (n === 0) held = await world.uncertain();
    });
    await world.sweep({ holdAccountIds: ['acc1'] });
    await round(20 * day);
    expect(await messages()).toBe(1);
    expect(await world.timeline(held)).toEqual(['accepted', 'queued', 'sending', 'uncertain', 'held']);
    expect((await query('select distinct message_id from events')).map((row) => row.message_id)).toContain(held);
    expect((await positions()).length).toBeLessThan(5);
    await world.store.decide({ accountId: 'acc1', messageId: held, to: 'canceled', now: world.clock.now() });
    await round(20 * day);
    expect(await bounds()).toHaveLength(2);
  });

  it('erases a number from every partition', async () => {
    await days(4, (n) => delivered(`own${n}`, { to: '14155550155' }));
    world.clock.set(start + 9 * day);
    const erasure = {
      accountId: 'acc1',
      peer: '14155550155',
      requestedAt: world.clock.now(),
      requestedBy: 'a@b.example',
    };
    await world.store.addErasure({ erasureId: 'era_1', ...erasure });
    const step = { erasureId: 'era_1', endpointIds: [], limit: 3, now: world.clock.now() };
    while (await world.store.erase({ ...step, settledBefore: world.clock.now() - 1 }));
    expect(await messages()).toBe(8);
    expect(await positions()).toHaveLength(16);
    expect(
      await query(
        'select 1 from events e where not exists (select 1 from deliveries d where d.message_id = e.message_id)',
      ),
    ).toEqual([]);
  });
});
