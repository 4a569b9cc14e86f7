/** A commit that waits for a standby: ending its session must not confirm it before the standby has it. */
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startPostgres, type TestPostgres } from '../../../../test/postgres.ts';
import { openStore } from '../app/open-store.ts';
import { machineClock } from '../kernel/machine.ts';
import { acceptItem, start } from './contract/fixture.ts';

let leader: TestPostgres;
let standby: TestPostgres;
beforeAll(async () => {
  leader = await startPostgres();
  standby = await leader.addStandby();
});
afterAll(async () => {
  await standby?.remove();
  await leader?.remove();
});

it('is confirmed only once the standby has it, though its session was ended and it is on the server', async () => {
  const databaseUrl = await leader.createDatabase();
  const query = (sql: string) => leader.query(databaseUrl, sql);
  const count = async (sql: string) => (await query(`select count(*)::int as n from ${sql}`))[0]!.n;
  await query(`alter system set synchronous_standby_names = '*'`);
  await query('select pg_reload_conf()');
  const store = await openStore({ databaseUrl, dataDir: '', role: 'node', clock: machineClock });
  let answer: unknown = null;
  let isDown = false;
  try {
    await store.accept([acceptItem(start, {})]);
    await standby.stop('crash');
    isDown = true;
    const item = acceptItem(start, {});
    const accepted = store
      .accept([item])
      .catch((error: unknown) => error)
      .then((outcome) => {
        answer = outcome;
      });
    const waiting = (what: string) =>
      `pg_stat_activity where application_name = 'heliograph node' and wait_event = 'SyncRep' and query like '${what}%'`;
    await expect.poll(() => count(waiting('commit'))).toBe(1);
    await query(`select pg_terminate_backend(pid) from ${waiting('commit')}`);
    const stored = `journal_frames where text like '%${item.deliveries[0]!.messageId}%'`;
    await expect.poll(() => count(stored)).toBe(1);
    // The session that looks the commit up waits for the standby too.
    await expect.poll(() => count(waiting('update counters'))).toBe(1);
    await wait(300);
    const inDoubt = expect.objectContaining({ inDoubt: true });
    // On a busy machine the caller may already have got the answer that the outcome is unknown.
    expect([null, inDoubt]).toContainEqual(answer);
    isDown = false;
    await standby.start();
    await accepted;
    expect([[{ kind: 'stored' }], inDoubt]).toContainEqual(answer);
  } finally {
    if (isDown) await standby.start();
    await store.close();
  }
});
