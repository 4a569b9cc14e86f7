/** Work on the tables that may take long: one session at a time, ended by a stop. */
import { expect, it } from 'vitest';
import { interruptible } from './postgres-alone.ts';
import { useSchema } from './postgres-fixture.ts';
import { indexLockClass } from './postgres-turn.ts';

const schema = useSchema();
const work = () => interruptible({ databaseUrl: schema.databaseUrl, name: 'long work', lockClass: indexLockClass });
const sessions = async () =>
  (
    await schema.server.query(
      schema.databaseUrl,
      `select 1 from pg_stat_activity where query like '%pg_sleep(600)%'
    and application_name = 'long work'`,
    )
  ).length;

it('is ended by an interruption, at the server too, and the next call works', async () => {
  const long = work();
  const ended = expect(long.run((client) => client.query('select pg_sleep(600)'))).rejects.toThrow();
  await expect.poll(sessions, { timeout: 30_000 }).toBe(1);
  expect(await work().run(async () => 'at the same time')).toBeNull();
  long.interrupt();
  await ended;
  await expect.poll(sessions, { timeout: 30_000 }).toBe(0);
  expect(await long.run(async () => 'later')).toBe('later');
});
