/**
 * Indexes that an upgrade leaves: made while messages pass, whatever holds it up or ends it.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../app/open-store.ts';
import { silentLogger } from '../kernel/logger.ts';
import { start } from './contract/fixture.ts';
import { useWorld } from './contract/world.ts';
import { olderStore, useSchema } from './postgres-fixture.ts';
import { createIndexes, type Indexes } from './postgres-indexes.ts';
import { clientConfig } from './postgres-session.ts';

const schema = useSchema();
const query = (sql: string) => schema.server.query(schema.databaseUrl, sql);

const world = useWorld(async () => ({
  childArgs: [],
  open: (role, clock) => openStore({ databaseUrl: schema.databaseUrl, dataDir: '', role, clock }),
  remove: async () => {},
}));

const made: Indexes[] = [];
afterEach(async () => {
  for (const indexes of made.splice(0)) await indexes.close();
});

function indexesOf(): Indexes {
  const indexes = createIndexes({ databaseUrl: schema.databaseUrl, logger: silentLogger });
  made.push(indexes);
  return indexes;
}

/** The indexes of what was stored before but its key, with a ? behind an invalid one. */
async function found(): Promise<string> {
  const rows = await query(
    `select c.relname || case when i.indisvalid then '' else '?' end as name
     from pg_index i join pg_class c on c.oid = i.indexrelid
     where i.indrelid = 'parts_first'::regclass and not i.indisprimary order by 1`,
  );
  return rows.map(({ name }) => name).join(' ');
}

async function until(expected: string): Promise<void> {
  for (let looks = 0; looks < 400 && (await found()) !== expected; looks += 1) await wait(25);
  expect(await found()).toBe(expected);
}

const sessions = async () =>
  (await query(`select pid from pg_stat_activity where application_name = 'heliograph indexes'`)).map(({ pid }) =>
    Number(pid),
  );

/** Somebody else's long transaction, such as a backup. */
async function holder(): Promise<Client> {
  const client = new Client(clientConfig(schema.databaseUrl, 'holder', new Set()));
  await client.connect();
  await client.query('begin isolation level repeatable read; select 1 from parts limit 1');
  return client;
}

it('are there from the start in a new store', async () => {
  expect(await found()).toBe('parts_first_period');
});

describe('a store of the schema before, with messages', () => {
  beforeEach(async () => {
    await world.store.close();
    const client = await olderStore(schema, 32, start);
    await client.query(`insert into parts (message_id, part, carrier, carrier_message_id, id_key, recipient, state,
      accepted_at, updated_at)
      select 'msg_' || n, 1, 'c1', 'old' || n, 'old' || n, '14155550100', 'accepted', ${start}, ${start}
      from generate_series(1, 1000) n`);
    await client.end();
    world.store = await world.place.open('node', world.clock);
  });

  it('keeps its index until the new one is there, and matches receipts all the while', async () => {
    expect(await found()).toBe('parts_id');
    const client = await holder();
    const early = await world.sent(['a1']);
    indexesOf().make();
    await until('parts_first_period? parts_id');
    const late = await world.sent(['a2']);
    const moves = await world.receipts({ carrierMessageId: 'a1' }, { carrierMessageId: 'a2' });
    expect(moves.map((move) => move.messageId)).toEqual([early, late]);
    await client.query('commit');
    await client.end();
    await until('parts_first_period');
    await world.sent(['a3']);
    expect(await world.receipts({ carrierMessageId: 'a3' })).toHaveLength(1);
    // Later partitions get it too.
    expect(await query(`select indisvalid from pg_index where indexrelid = 'parts_period'::regclass`)).toEqual([
      { indisvalid: true },
    ]);
  });

  it('waits for a long transaction, longer than for any other lock', async () => {
    const client = await holder();
    indexesOf().make();
    await wait(3_000);
    expect(await found()).toBe('parts_first_period? parts_id');
    await client.query('commit');
    await client.end();
    await until('parts_first_period');
  });

  it.each(['kill of the session', 'close'])('makes it anew after a %s', async (how) => {
    const client = await holder();
    const indexes = indexesOf();
    indexes.make();
    await until('parts_first_period? parts_id');
    if (how === 'close') await indexes.close();
    else for (const pid of await sessions()) await query(`select pg_terminate_backend(${pid})`);
    for (let looks = 0; looks < 400 && (await sessions()).length > 0; looks += 1) await wait(25);
    expect(await sessions()).toEqual([]);
    expect(await found()).toBe('parts_first_period? parts_id');
    await client.query('commit');
    await client.end();
    indexesOf().make();
    await until('parts_first_period');
  });

  it('is made by one of several, once', async () => {
    const client = await holder();
    for (let n = 0; n < 3; n += 1) indexesOf().make();
    await until('parts_first_period? parts_id');
    await wait(200);
    expect(await sessions()).toHaveLength(1);
    await client.query('commit');
    await client.end();
    await until('parts_first_period');
  });

  it('is made by the hourly round', async () => {
    await world.store.logPartitions!.keep();
    await until('parts_first_period');
  });
});
