/** The node lock, held by the writing session: it is released exactly when that session ends. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from 'pg';
import { StoreRefused } from './faults.ts';

/** A predecessor that was just killed gets this long until the server has noticed. */
const lockWaitMs = 3_000;
const lockEveryMs = 100;

/** Any constant will do for the first number; the second tells apart two stores in one database. */
const lockKey = `1213156431, hashtext(coalesce(current_schema(), ''))`;

/** A session at the server: its process, and when that began, as a number is used again. */
export interface Backend {
  pid: number;
  began: string;
}

export async function backendOf(client: Client): Promise<Backend> {
  const { rows } = await client.query<Backend>(
    'select pid, backend_start::text as began from pg_stat_activity where pid = pg_backend_pid()',
  );
  return rows[0]!;
}

/** Ends a former session of this program that the server has not noticed to be gone. */
export async function endBackend(client: Client, { pid, began }: Backend, name: string): Promise<void> {
  await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where pid = $1 and backend_start::text = $2 and application_name = $3 and usename = current_user`,
    [pid, began, name],
  );
}

export async function lockNode(client: Client): Promise<void> {
  for (let waitedMs = 0; !(await tryLock(client)); waitedMs += lockEveryMs) {
    if (waitedMs >= lockWaitMs) {
      throw new StoreRefused('Another node runs on this database: one store has one node. Stop it first.');
    }
    await wait(lockEveryMs);
  }
}

export async function tryLock(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ locked: number }>(
    `select case when pg_try_advisory_lock(${lockKey}) then 1 else 0 end as locked`,
  );
  return rows[0]!.locked === 1;
}

export async function unlock(client: Client): Promise<void> {
  await client.query(`select pg_advisory_unlock(${lockKey})`);
}
