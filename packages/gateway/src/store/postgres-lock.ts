/**
 * The node lock, held by the writing session and released exactly when that session ends. A standby waits for it, and
 * ends the session of a node whose lease has expired, because a paused node keeps its sessions.
 */
import type { Client } from 'pg';
import type { Timers } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import { machineTimers } from '../kernel/machine.ts';
import { StoreRefused } from './faults.ts';
import { leaseState, nodeLeaseName } from './postgres-lease.ts';
import { pause } from './postgres-machine.ts';
import { databaseNow, lockClass, lockObject, upgradeLockClass } from './postgres-turn.ts';

/** How long the server gets to notice that the predecessor was killed. */
const lockWaitMs = 3_000;
const lockEveryMs = 100;
/** How often a standby checks whether the place of the acting node is free. */
const standbyLookMs = 500;

const lockKey = `${lockClass}, ${lockObject}`;

/** A session at the server: its process number and start time, because numbers are reused. */
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

/** Ends an earlier session of this program that the server still believes to be alive. */
export async function endBackend(client: Client, { pid, began }: Backend, name: string): Promise<void> {
  await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where pid = $1 and backend_start::text = $2 and application_name = $3 and usename = current_user`,
    [pid, began, name],
  );
}

/** Retries for a while, then rejects with StoreRefused and the sentence. */
export async function lockWithin(
  attempt: () => Promise<boolean>,
  refusal: string,
  { waitMs = lockWaitMs, timers = machineTimers }: { waitMs?: number | undefined; timers?: Timers | undefined } = {},
): Promise<void> {
  let isOver = false;
  const cancel = timers.after(waitMs, () => {
    isOver = true;
  });
  try {
    while (!(await attempt())) {
      if (isOver) throw new StoreRefused(refusal);
      await pause(timers, lockEveryMs);
    }
  } finally {
    cancel();
  }
}

export const lockNode = (client: Client): Promise<void> =>
  lockWithin(
    () => tryLock(client),
    'Another node runs on this database: one store has one node. Stop it first, or start this one with HELIO_STANDBY=1: it then waits and takes over when that node ends. Several nodes that share a database all need HELIO_CLUSTER=1.',
  );

/**
 * Waits without limit until no other node acts: the lease was released or has expired, and this session has the lock. A
 * node that died within its lease may return first.
 */
export async function awaitLock(client: Client, logger: Logger): Promise<void> {
  for (let looks = 0; ; looks += 1) {
    const lease = await leaseState(client);
    if (lease === 'expired') await endExpired(client);
    if (lease !== 'held' && (await tryLock(client))) {
      if (looks > 0) logger.warn({ lease }, 'standby: the acting node is gone, this one takes over');
      return;
    }
    if (looks === 0) logger.warn({}, 'standby: another node acts on this database; this one takes over when it ends');
    await pause(machineTimers, standbyLookMs);
  }
}

/** Ends the session that holds the node lock, if the server finds the lease still expired. */
const endExpired = (client: Client) => endHolder(client, lockClass, lockObject, nodeLeaseName);

/** Ends the session that holds a lock, if the lease `name` has expired. */
export async function endHolder(client: Client, lock: number, object: string, name: string): Promise<void> {
  await client.query(
    `select pg_terminate_backend(l.pid) from pg_locks l
     where l.locktype = 'advisory' and l.granted
       and l.database = (select oid from pg_database where datname = current_database())
       and l.classid::bigint = ${lock} and l.objid::bigint = (${object})::bigint & 4294967295
       and exists (select 1 from leases where name = $1 and expires_at < ${databaseNow})`,
    [name],
  );
}

export const tryLock = (client: Client): Promise<boolean> => granted(client, `pg_try_advisory_lock(${lockKey})`);

/** `call`: an SQL function that tries to lock and returns whether it did. */
export async function granted(client: Client, call: string): Promise<boolean> {
  const { rows } = await client.query<{ locked: number }>(`select case when ${call} then 1 else 0 end as locked`);
  return rows[0]!.locked === 1;
}

/**
 * For tools, and for nodes that start together: upgrades the schema while no node can run. `isDue`: whether this is
 * still necessary; another one may have done it meanwhile.
 */
export function upgradeAlone(
  client: Client,
  {
    isDue,
    upgrade,
    ...limits
  }: { isDue(): Promise<boolean>; upgrade(): Promise<void>; waitMs?: number; timers?: Timers },
): Promise<void> {
  const attempt = async (): Promise<boolean> => {
    if (!(await isDue())) return true;
    if (!(await tryLock(client))) return false;
    try {
      if (await isDue()) await upgrade();
    } finally {
      await unlock(client);
    }
    return true;
  };
  return lockWithin(attempt, olderRuns, limits);
}

const olderRuns =
  'The schema of this database is of an older version, and nodes run on it. Stop all of them, then start this version.';

const upgradeKey = `${upgradeLockClass}, ${lockObject}`;

/**
 * Upgrades the schema while nodes of the previous version use it. Among nodes that start together one does it; a node
 * that does not share the database refuses to.
 */
export async function upgradeBeside(
  client: Client,
  { upgrade, ...limits }: { upgrade(): Promise<void>; waitMs: number; timers: Timers },
): Promise<void> {
  await lockWithin(() => granted(client, `pg_try_advisory_lock_shared(${lockKey})`), olderRuns, limits);
  try {
    await lockWithin(() => granted(client, `pg_try_advisory_lock(${upgradeKey})`), olderRuns, limits);
    await upgrade();
  } finally {
    await client.query(`select pg_advisory_unlock(${upgradeKey}), pg_advisory_unlock_shared(${lockKey})`);
  }
}

async function unlock(client: Client): Promise<void> {
  await client.query(`select pg_advisory_unlock(${lockKey})`);
}
