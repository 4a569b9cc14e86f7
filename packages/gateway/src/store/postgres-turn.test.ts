/** Turns of writers on PostgreSQL: log positions in commit order, and no write under a replaced epoch. */
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { movedClock } from '../../../../test/props/clock.ts';
import { openStore } from '../app/open-store.ts';
import type { Store } from '../app/store.ts';
import { acceptItem, start } from './contract/fixture.ts';
import { StoreBroken } from './faults.ts';
import { useSchema } from './postgres-fixture.ts';
import { leaseTimes, takeLease } from './postgres-lease.ts';
import { keepOwner, takeTurn } from './postgres-turn.ts';

const schema = useSchema();
let store: Store;
/** Writes beside the store, as a second node would. */
let other: Client;
beforeEach(async () => {
  // The clock never moves, so the lease is never renewed: only a write can detect the loss.
  store = await openStore({ databaseUrl: schema.databaseUrl, dataDir: '', role: 'node', clock: movedClock(start) });
  other = new Client({ connectionString: schema.databaseUrl });
  await other.connect();
});
afterEach(async () => {
  await other.end();
  await store.close();
});

const event = (eventId: string) => ({ eventId, accountId: 'acc1', type: 'carrier.up' as const, at: start, data: {} });

async function insertEvent(position: number, eventId: string): Promise<void> {
  await other.query(
    `insert into events (position, account_id, message_id, sequence, type, at, dup_risk, body)
     values ($1, 'acc1', $2, 0, 'carrier.up', $3, 0, '{}')`,
    [position, eventId, start],
  );
}

const log = async () => {
  const { events, position } = await store.eventsAfter({ after: 0, limit: 99 });
  return { ids: events.map(({ eventId }) => eventId), position };
};

/** Resolves once a session waits for an advisory lock, which proves that the lock is held. */
async function someoneWaits(): Promise<void> {
  const waiting = () =>
    schema.server.query(schema.databaseUrl, `select 1 from pg_locks where locktype = 'advisory' and not granted`);
  await expect.poll(waiting).toHaveLength(1);
}

describe('places in the log of events', () => {
  it('are those behind what other writers have stored, also when they wrote since', async () => {
    await store.addEvents([event('evt_1')]);
    await insertEvent(2, 'evt_2');
    await store.addEvents([event('evt_3')]);
    expect(await log()).toEqual({ ids: ['evt_1', 'evt_2', 'evt_3'], position: 3 });
  });

  it('stand in the order of commits: no reader passes one that is stored later', async () => {
    await other.query(`begin; ${takeTurn}`);
    await insertEvent(1, 'evt_1');
    const behind = store.addEvents([event('evt_2')]);
    await someoneWaits();
    expect(await log()).toEqual({ ids: [], position: 0 });
    await other.query('commit');
    await behind;
    expect(await log()).toEqual({ ids: ['evt_1', 'evt_2'], position: 2 });
  });

  it('have no gap where a transaction was undone', async () => {
    const broken = { ...event('evt_1'), at: Number.NaN };
    await expect(store.addEvents([event('evt_2'), broken])).rejects.toThrow();
    await store.addEvents([event('evt_3')]);
    expect(await log()).toEqual({ ids: ['evt_3'], position: 1 });
  });
});

describe('a node whose lease another one has taken', () => {
  it('stores nothing more, even before a renewal fails', async () => {
    await takeLease(other, store.token + 1, leaseTimes);
    expect(store.mayHandOver()).toBe(true);
    const ended = await store.accept([acceptItem(start, {})]).catch((error) => error);
    expect(ended).toBeInstanceOf(StoreBroken);
    expect(ended.message).toMatch(/another node/);
    expect(await schema.server.query(schema.databaseUrl, 'select 1 from messages')).toEqual([]);
    expect(store.mayHandOver()).toBe(false);
    await expect(store.message('acc1', 'msg_1')).rejects.toThrow(StoreBroken);
  });

  it('has what it was writing stored before the other one is the owner', async () => {
    const epochs = () => schema.server.query(schema.databaseUrl, `select epoch from leases where name = 'node'`);
    await other.query(`begin; ${keepOwner}`);
    const taker = new Client({ connectionString: schema.databaseUrl });
    await taker.connect();
    const taken = takeLease(taker, store.token + 1, leaseTimes);
    await someoneWaits();
    expect(await epochs()).toEqual([{ epoch: String(store.token) }]);
    await other.query('commit');
    await taken;
    expect(await epochs()).toEqual([{ epoch: String(store.token + 1) }]);
    await taker.end();
  });
});
