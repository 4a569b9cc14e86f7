/**
 * Hints between nodes: one node sends, the other nodes of the same store receive, and nothing breaks when a hint is
 * lost.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { openStore } from '../app/open-store.ts';
import type { Store } from '../app/store.ts';
import { machineClock } from '../kernel/machine.ts';
import { useSchema } from './postgres-fixture.ts';

const schema = useSchema();
const opened: Store[] = [];
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
});

async function join(): Promise<{ store: Store; hinted: string[] }> {
  const { databaseUrl } = schema;
  const store = await openStore({ databaseUrl, dataDir: '', role: 'node', cluster: true, clock: machineClock });
  opened.push(store);
  const hinted: string[] = [];
  store.hints!.onNotified((name) => hinted.push(name));
  return { store, hinted };
}

const query = (sql: string) => schema.server.query(schema.databaseUrl, sql);
const patient = { interval: 50 };

/** Notifies until the hint arrives: the session for hints opens a moment after the start. */
async function untilNotified(from: Store, hinted: readonly string[], name: string): Promise<void> {
  await expect
    .poll(() => {
      from.hints!.notify(name);
      return hinted.includes(name);
    }, patient)
    .toBe(true);
}

describe('a hint', () => {
  it('reaches the other nodes of the store, neither its own nor those of another store', async () => {
    const [first, second] = [await join(), await join()];
    await untilNotified(first.store, second.hinted, 'c1');
    await untilNotified(second.store, first.hinted, 'c2');
    // A channel belongs to the whole database, where another schema may hold another store.
    await query(`select pg_notify('heliograph_hints', '{"store":"other","node":99,"names":["c9"]}')`);
    await untilNotified(first.store, second.hinted, 'c3');
    expect([...new Set(first.hinted)].sort()).toEqual(['c2']);
    expect([...new Set(second.hinted)].sort()).toEqual(['c1', 'c3']);
  });

  it('from no node are passed over', async () => {
    const [first, second] = [await join(), await join()];
    await untilNotified(first.store, second.hinted, 'c1');
    for (const payload of ['', 'x', '{}', '{"store":1,"node":2,"names":3}', '[]', 'null']) {
      await query(`select pg_notify('heliograph_hints', '${payload}')`);
    }
    await untilNotified(first.store, second.hinted, 'c2');
    expect(new Set(second.hinted)).toEqual(new Set(['c1', 'c2']));
  });

  it('comes again after its session was lost; the store does not notice', async () => {
    const [first, second] = [await join(), await join()];
    await untilNotified(first.store, second.hinted, 'c1');
    await query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'heliograph hints'`);
    await first.store.putSetting('a', 'b');
    await untilNotified(first.store, second.hinted, 'c2');
  });
});

it('a node alone has none', async () => {
  const { databaseUrl } = schema;
  const store = await openStore({ databaseUrl, dataDir: '', role: 'node', clock: machineClock });
  opened.push(store);
  expect(store.hints).toBeNull();
});
