/**
 * `helio backup restored`: waiting messages in a PostgreSQL store restored from a dump are held or marked before a
 * gateway starts on it.
 */
import { describe, expect, it } from 'vitest';
import { openStore } from '../app/open-store.ts';
import type { Store } from '../app/store.ts';
import { machineClock as clock } from '../kernel/machine.ts';
import { acceptItem } from '../store/contract/fixture.ts';
import { useSchema } from '../store/postgres-fixture.ts';
import { helio } from './helio-fixture.ts';

const schema = useSchema();
const count = 3;

async function withStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore({ databaseUrl: schema.databaseUrl, dataDir: '', role: 'node', clock });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

const restored = (...flags: string[]) =>
  helio(['backup', 'restored', ...flags], { HELIO_DATABASE_URL: schema.databaseUrl });

/** Waiting messages, as after `pg_restore`. */
const waiting = () =>
  withStore(async (store) => {
    const items = Array.from({ length: count }, () => acceptItem(clock.now(), {}));
    await store.accept(items);
    return items.map(({ deliveries }) => deliveries[0]!.messageId);
  });
const found = (ids: readonly string[]) =>
  withStore((store) => Promise.all(ids.map(async (id) => (await store.message('acc1', id))!)));

describe('helio backup restored', () => {
  it('marks what waits, or holds it, and says how much that was', async () => {
    const ids = await waiting();
    const marked = await restored();
    expect(marked).toMatchObject({ code: 0, error: '' });
    expect(marked.out).toContain(
      `${count} messages waited at the time of the backup. At the next start they are sent, marked`,
    );
    expect((await found(ids)).map(({ state, dupRisk }) => [state, dupRisk])).toEqual(ids.map(() => ['queued', true]));

    expect(await restored('--waiting', 'hold')).toMatchObject({
      code: 0,
      out: expect.stringContaining('They are held'),
    });
    expect((await found(ids)).map(({ state }) => state)).toEqual(ids.map(() => 'held'));

    expect(await restored('--waiting', 'hold')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^0 messages waited/),
    });
  });

  it('is refused while a gateway acts on the database', async () => {
    const ids = await waiting();
    const refused = await withStore(() => restored('--waiting', 'hold'));
    expect([refused.code, refused.out]).toEqual([78, '']);
    expect(refused.error).not.toBe('');
    expect((await found(ids)).map(({ state }) => state)).toEqual(ids.map(() => 'queued'));
  });
});
