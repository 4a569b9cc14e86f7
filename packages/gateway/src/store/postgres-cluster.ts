/**
 * The place of one of several nodes on a database. Each node has its own lease, and every write compares that lease's
 * epoch. One node acts: it also holds the lease that an only node would have and renews both together, so it loses both
 * together. Other nodes remove a node whose lease has expired: they end its sessions first, so that it has nothing
 * under way, then delete its leases, after which none of its writes can commit.
 */
import type { Client } from 'pg';
import type { Clock, Timers } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import { type LeaseTimes, nodeLeaseName } from './postgres-lease.ts';
import { endHolder, granted, lockWithin } from './postgres-lock.ts';
import type { Place } from './postgres-place.ts';
import {
  changeOwner,
  databaseNow,
  lockClass,
  lockObject,
  ownNames,
  sessionLockClass,
  takenOver,
} from './postgres-turn.ts';

/**
 * An expired node gets this much longer. All leases expire while the database is away, and the first node to return
 * must not remove the others before they return too.
 */
const graceMs = 4_000;

/** A node that is paused in the middle of a write blocks the others for no longer than this, ms. */
const idleMsMax = 2_000;

const leasePrefix = 'node/';
export const clusterLease = (token: number): string => `${leasePrefix}${token}`;

interface LeaseRow {
  name: string;
  /** Ms until the lease expires. */
  left: number;
}

export interface ClusterPlaceParts {
  clock: Pick<Clock, 'monotonicMs'>;
  timers: Timers;
  logger: Logger;
  times: LeaseTimes;
}

export function clusterPlace({ clock, timers, logger, times: { heldMs, renewEveryMs } }: ClusterPlaceParts): Place {
  const acting = Promise.withResolvers<void>();
  /** Since when each node was seen as expired without a break, monotonic ms. */
  const expired = new Map<string, number>();
  let token = 0;
  let acts = false;
  let nodes = 1;
  let lookedMs = Number.NEGATIVE_INFINITY;

  /** Takes the place of the acting node if it is free, after removing the nodes in `gone`, whose grace is over. */
  async function takeOver(client: Client, gone: readonly string[]): Promise<void> {
    for (const name of gone) await endHolder(client, sessionLockClass, name.slice(leasePrefix.length), name);
    await client.query(`begin; ${changeOwner}`);
    try {
      const removed = await client.query<{ name: string }>(
        `delete from leases where name = any($1) and expires_at < ${databaseNow} returning name`,
        [gone],
      );
      for (const { name } of removed.rows)
        logger.warn({ lease: name }, 'a node did not renew its lease: it was removed');
      await client.query(
        `delete from leases where name = '${nodeLeaseName}' and not exists
           (select 1 from leases own where own.name = '${leasePrefix}' || leases.epoch)`,
      );
      const { rowCount } = await client.query(
        `insert into leases (name, epoch, expires_at)
         select '${nodeLeaseName}', epoch, expires_at from leases where name = $1 on conflict (name) do nothing`,
        [clusterLease(token)],
      );
      await client.query('commit');
      if (rowCount === 1) nowActing();
    } catch (error) {
      await client.query('rollback').catch(() => {});
      throw error;
    }
  }

  function nowActing(): void {
    acts = true;
    logger.info({}, 'this node acts: it does what only one may do');
    acting.resolve();
  }

  async function look(client: Client): Promise<void> {
    const { rows } = await client.query<LeaseRow>(
      `select name, (expires_at - ${databaseNow})::bigint as left from leases`,
    );
    const now = clock.monotonicMs();
    // A lease may have expired since the last look, unless the database was away in between.
    const earliest = now - lookedMs > 2 * renewEveryMs ? now : lookedMs;
    if (now - lookedMs > graceMs) expired.clear();
    lookedMs = now;
    const others = rows.filter(({ name }) => name !== nodeLeaseName && name !== clusterLease(token));
    for (const { name, left } of others) {
      if (left > 0) expired.delete(name);
      else if (!expired.has(name)) expired.set(name, Math.max(earliest, now + Number(left)));
    }
    nodes = 1 + others.filter(({ left }) => left > 0).length;
    const gone = others.map(({ name }) => name).filter((name) => now - (expired.get(name) ?? now) >= graceMs);
    const isFree = !rows.some(({ name }) => name === nodeLeaseName);
    if (isFree || gone.length > 0) await takeOver(client, gone);
    for (const name of gone) expired.delete(name);
  }

  /** Renews this node's lease, and the acting node's lease while it holds that. */
  async function renewOwn(client: Client): Promise<boolean> {
    const { rows } = await client.query<{ name: string }>(
      `update leases set expires_at = ${databaseNow} + $2 where epoch = $1 and name in ($3, $4) returning name`,
      [token, heldMs, nodeLeaseName, clusterLease(token)],
    );
    const held = rows.map(({ name }) => name);
    // This node took the place, and the answer to that commit was lost.
    if (!acts && held.includes(nodeLeaseName)) nowActing();
    return held.includes(clusterLease(token)) && (!acts || held.includes(nodeLeaseName));
  }

  async function lockSession(client: Client): Promise<boolean> {
    await client.query(`set idle_in_transaction_session_timeout = ${idleMsMax}`);
    if (!(await granted(client, `pg_try_advisory_lock_shared(${lockClass}, ${lockObject})`))) return false;
    return granted(client, `pg_try_advisory_lock(${sessionLockClass}, ${token})`);
  }

  return {
    isAlone: false,
    isShared: true,
    enter: async () => {},
    take: async (client, own) => {
      token = own;
      const refusal = 'A node without HELIO_CLUSTER runs on this database, which it does not share. Stop it first.';
      await lockWithin(() => lockSession(client), refusal, { timers });
      await client.query(`insert into leases (name, epoch, expires_at) values ($1, $2, ${databaseNow} + $3)`, [
        clusterLease(token),
        token,
        heldMs,
      ]);
      await look(client);
    },
    renew: async (client) => {
      try {
        if (!(await renewOwn(client))) return false;
        await look(client);
        return true;
      } catch (error) {
        expired.clear();
        throw error;
      }
    },
    resume: async (client) => {
      const { rowCount } = await client.query('select 1 from leases where name = $1', [clusterLease(token)]);
      if (rowCount === 0) throw takenOver();
      return lockSession(client);
    },
    release: async (client) => {
      await client.query('delete from leases where epoch = $1 and name in ($2, $3)', [
        token,
        nodeLeaseName,
        clusterLease(token),
      ]);
    },
    leaseName: () => clusterLease(token),
    turnColumns: () => ownNames(token),
    acts: () => acts,
    acting: acting.promise,
    nodes: () => nodes,
  };
}
