/**
 * The partitions of the event log on PostgreSQL, by position: the last one has no end until it has rows, then it gets one that
 * lies about a week ahead. What exists is never copied, and nothing waits longer than an instant for any of it. Each step is
 * stored by itself and looked for before it is taken, so that the next call goes on where a killed one ended.
 */
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { Client, type ClientBase } from 'pg';
import type { EpochMs } from '../kernel/clock.ts';
import { firstIdAt } from '../kernel/ids.ts';
import type { Logger } from '../kernel/logger.ts';
import { isBusy, meaning } from './postgres-errors.ts';
import { granted } from './postgres-lock.ts';
import { clientConfig, endWithin, prepareSession } from './postgres-session.ts';
import { lockObject, logLockClass } from './postgres-turn.ts';

const dayMs = 86_400_000;
/** What a partition shall span; and for how much longer than its age an event may wait to be dropped with the others. */
const spanMs = 7 * dayMs;
const graceMs = 8 * dayMs;
/** Clocks of nodes may differ by this. */
const clocksApartMs = 3_600_000;
/** Smaller ones are not worth a table; larger ones than the second would be a wrong guess. */
const rowsMin = 1_048_576;
const rowsMax = 268_435_456;
/** From a shorter time the events of a week are not guessed. */
const guessFromMs = 3_600_000;
/** While this waits for its lock, everybody else waits behind it. */
const lockWait = '200ms';
const lockTries = 10;
const lockRestMs = 300;

export interface LogPartitions {
  /** Sets the end of the last partition once it has rows, and notes what full ones have. */
  keep(): Promise<void>;
  /**
   * Which events will soon be dropped with their partitions, where those older than `before` may go: all before the position `to`, which
   * are those of messages that did not change since `at`.
   */
  leftToDrop(before: EpochMs): Promise<{ to: number; at: EpochMs }>;
  /**
   * Drops the partitions with nothing younger than `before`, oldest first. False when one of them has to stay, because a message
   * that still exists has events in it.
   */
  drop(before: EpochMs): Promise<boolean>;
}

export interface LogPartitionsParts {
  databaseUrl: string;
  clock: { now(): EpochMs };
  logger: Logger;
  /** For tests: the fewest positions of a partition. */
  rowsMin?: number;
}

interface Partition {
  name: string;
  /** Its first position; null = from the beginning. */
  from: number | null;
  /** The one after its last; null = no end. */
  to: number | null;
}

export function createLogPartitions(parts: LogPartitionsParts): LogPartitions {
  const { databaseUrl, clock, logger, rowsMin: least = rowsMin } = parts;

  /** Runs on a session of its own, one at a time on this store. What another one does already is not done: `otherwise`. */
  async function alone<T>(otherwise: T, work: (client: Client) => Promise<T>): Promise<T> {
    const sockets = new Set<Socket>();
    const client = new Client({ ...clientConfig(databaseUrl, 'heliograph log', sockets), query_timeout: 0 });
    client.on('error', () => {});
    try {
      await client.connect();
      await prepareSession(client);
      // Reading all of a partition takes longer than a node's statements may.
      await client.query('set statement_timeout = 0');
      const locked = await granted(client, `pg_try_advisory_lock(${logLockClass}, ${lockObject})`);
      return locked ? await work(client) : otherwise;
    } catch (error) {
      throw meaning(error);
    } finally {
      await endWithin(client.end(), sockets);
    }
  }

  async function keep(client: Client): Promise<void> {
    const all = await partitions(client);
    const last = await number(client, 'select max(position) from events');
    for (const partition of all) await note(client, partition, last);
    const open = all.at(-1);
    if (open === undefined || last === null || last < (open.from ?? 0)) return;
    const to = await bound(client, open, last, await guess(client, all.slice(-2)[0]!, last));
    // Reads all of it, and nobody waits.
    await client.query(`alter table ${open.name} validate constraint ${open.name}_end`);
    const next = `events_from_${to}`;
    await locking(client, [
      `create table ${next} (like events including defaults)`,
      `alter table ${next} add primary key (position)`,
      `create unique index ${next}_message on ${next} (message_id, sequence)`,
      'lock table events in access exclusive mode',
      // Fails where a writer has taken the end away meanwhile; else all rows would be read under this lock.
      `alter table ${open.name} validate constraint ${open.name}_end`,
      `alter table events detach partition ${open.name}`,
      `alter table events attach partition ${open.name} for values from (${open.from ?? 'minvalue'}) to (${to})`,
      `alter table events attach partition ${next} for values from (${to}) to (maxvalue)`,
      `alter table ${open.name} drop constraint ${open.name}_end`,
    ]);
    logger.info({ partition: next }, 'the event log has a new partition');
  }

  /** How many positions the next `spanMs` will take, by the time since the beginning of a partition. */
  async function guess(client: Client, since: Partition, last: number): Promise<number> {
    const { rows } = await client.query<{ position: number; at: number }>(
      `select position, at from ${since.name} order by position limit 1`,
    );
    const [first] = rows;
    if (first === undefined) return least;
    const took = Math.max(guessFromMs, clock.now() - first.at);
    return Math.min(rowsMax, Math.max(least, Math.ceil(((last - first.position) / took) * spanMs)));
  }

  /**
   * The end of a partition that has none, as a condition that new rows are checked by at once and the others later. One that an
   * earlier call has left is replaced when the log has come near it: nothing could be stored behind it.
   */
  async function bound(client: Client, { name, from }: Partition, last: number, rows: number): Promise<number> {
    const found = await number(
      client,
      `select (regexp_match(pg_get_constraintdef(oid), '< ''?(\\d+)'))[1]::bigint from pg_constraint
       where conrelid = '${name}'::regclass and conname = '${name}_end'`,
    );
    if (found !== null && found - last >= least / 2) return found;
    const to = last + rows;
    const lower = from === null ? '' : `position >= '${from}'::bigint and `;
    await locking(client, [
      `alter table ${name} drop constraint if exists ${name}_end`,
      `alter table ${name} add constraint ${name}_end check (${lower}position < '${to}'::bigint) not valid`,
    ]);
    return to;
  }

  return {
    keep: () => alone(undefined, keep),
    leftToDrop: (before) =>
      alone({ to: 0, at: 0 }, async (client) => {
        const { rows } = await client.query<{ to: number; at: EpochMs }>(
          `select ends as to, newest_at - ${clocksApartMs} as at from log_partitions where newest_at < $1 order by ends desc limit 1`,
          [before + graceMs],
        );
        return rows[0] ?? { to: 0, at: 0 };
      }),
    drop: (before) =>
      alone(false, async (client) => {
        for (const { name, to } of await partitions(client)) {
          const newest = await number(client, `select newest_at from log_partitions where ends = ${to}`);
          if (newest === null || newest >= before) return true;
          if (await isNeeded(client, name, newest)) return false;
          await locking(client, [
            'lock table events in access exclusive mode',
            `drop table ${name}`,
            `delete from log_partitions where ends = ${to}`,
          ]);
          logger.info({ partition: name }, 'a partition of the event log was dropped');
        }
        return true;
      }),
  };
}

/**
 * Whether a write failed because the log has come to an end that a killed call of `keep` has left; then it is taken away, and the write
 * may be tried again.
 */
export async function freeEnd(client: ClientBase, error: unknown): Promise<boolean> {
  const { code, table = '', constraint } = (error ?? {}) as { code?: string; table?: string; constraint?: string };
  if (code !== '23514' || constraint !== `${table}_end` || !/^events_(first|from_\d+)$/.test(table)) return false;
  await client.query(`alter table ${table} drop constraint if exists ${constraint}`);
  return true;
}

/** In their order. */
async function partitions(client: Client): Promise<Partition[]> {
  const { rows } = await client.query<{ name: string; bounds: string }>(
    `select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bounds
     from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'events'::regclass`,
  );
  return rows
    .map(({ name, bounds }) => {
      const [, from, to] = /FROM \('?(\w+)'?\) TO \('?(\w+)'?\)/.exec(bounds)!;
      return { name, from: from === 'MINVALUE' ? null : Number(from), to: to === 'MAXVALUE' ? null : Number(to) };
    })
    .sort((one, other) => (one.from ?? 0) - (other.from ?? 0));
}

/** What a full partition has, and all before it: the clock of a node may have been wrong for a while. */
async function note(client: Client, { name, to }: Partition, last: number | null): Promise<void> {
  if (to === null || last === null || last < to) return;
  await client.query(
    `insert into log_partitions (ends, newest_at)
     select ${to}, greatest((select max(at) from ${name}), (select max(newest_at) from log_partitions where ends < ${to}), 0)
     where not exists (select 1 from log_partitions where ends = ${to})`,
  );
}

/** No event is older than its message. */
async function isNeeded(client: Client, name: string, newestAt: EpochMs): Promise<boolean> {
  const { rowCount } = await client.query(
    `select 1 from deliveries d where d.message_id < $1
       and exists (select 1 from ${name} e where e.message_id = d.message_id) limit 1`,
    [firstIdAt('msg_', newestAt + clocksApartMs)],
  );
  return rowCount !== 0;
}

/** One transaction that waits for its locks hardly at all, and tries again. */
async function locking(client: Client, statements: readonly string[]): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await client.query(['begin', `set local lock_timeout = '${lockWait}'`, ...statements, 'commit'].join('; '));
      return;
    } catch (error) {
      await client.query('rollback');
      if (!isBusy(error) || tries === lockTries) throw error;
      await wait(lockRestMs);
    }
  }
}

async function number(client: Client, sql: string): Promise<number | null> {
  const { rows } = await client.query<Record<string, number | null>>(sql);
  return Object.values(rows[0] ?? {})[0] ?? null;
}
