/**
 * The partitions of the event log on PostgreSQL, by position. The last partition has no end until it has rows; then it
 * gets one about a week ahead. Existing rows are never copied, and no other transaction waits longer than an instant.
 * Each step is stored separately and checked before it is taken, so that the next call continues after a kill.
 */
import type { Client } from 'pg';
import { dayMs, type EpochMs } from '../kernel/clock.ts';
import { firstIdAt } from '../kernel/ids.ts';
import type { Logger } from '../kernel/logger.ts';
import { clocksApartMs } from './dialect.ts';
import { interruptible } from './postgres-alone.ts';
import type { Indexes } from './postgres-indexes.ts';
import { boundsOf, locking, only, partitionsOf } from './postgres-partition-steps.ts';
import { logLockClass } from './postgres-turn.ts';

/**
 * The time that a partition should span, which is also how much longer than its age an event may wait to be dropped
 * with its partition.
 */
const spanMs = 7 * dayMs;
const graceMs = 8 * dayMs;
/** Smaller partitions are not worth a table; larger ones than the second number would be a wrong guess. */
const rowsMin = 1_048_576;
const rowsMax = 268_435_456;
/** Less time than this is too short to estimate the events of a week. */
const guessFromMs = 3_600_000;

export interface LogPartitions {
  /**
   * Sets the end of the last partition once it has rows, and notes the newest event of full ones. Then begins to make
   * the indexes that an upgrade has left.
   */
  keep(): Promise<void>;
  /**
   * Which events will soon be dropped with their partitions when those older than `before` may go: all before the
   * position `to`, which belong to messages unchanged since `at`.
   */
  leftToDrop(before: EpochMs): Promise<{ to: number; at: EpochMs }>;
  /**
   * Drops the partitions with nothing younger than `before`, oldest first. False when one must stay, because an
   * existing message has events in it.
   */
  drop(before: EpochMs): Promise<boolean>;
  /** Ends what is under way: a stop must not wait until a large table has been read. The next call goes on. */
  interrupt(): void;
}

export interface LogPartitionsParts {
  databaseUrl: string;
  clock: { now(): EpochMs };
  logger: Logger;
  givenUp?: AbortSignal | undefined;
  /** Those that an upgrade has left to make. */
  indexes?: Pick<Indexes, 'make'>;
  /** For tests: the smallest number of positions in a partition. */
  rowsMin?: number;
}

interface Partition {
  name: string;
  /** The first position; null = from the beginning. */
  from: number | null;
  /** The position after the last one; null = no end. */
  to: number | null;
}

export function createLogPartitions(parts: LogPartitionsParts): LogPartitions {
  const { databaseUrl, clock, logger, givenUp, indexes, rowsMin: least = rowsMin } = parts;
  const session = interruptible({ databaseUrl, name: 'heliograph log', lockClass: logLockClass, givenUp });

  async function keep(client: Client): Promise<void> {
    const all = await partitions(client);
    const last = await only<number>(client, 'select max(position) from events');
    for (const partition of all) await note(client, partition, last);
    const open = all.at(-1);
    if (open === undefined || last === null || last < (open.from ?? 0)) return;
    const to = await bound(client, open, last, await guess(client, all.slice(-2)[0]!, last));
    // Reads the whole partition without blocking anybody.
    await client.query(`alter table ${open.name} validate constraint ${open.name}_end`);
    const next = `events_from_${to}`;
    await locking(client, [
      `create table ${next} (like events including defaults)`,
      `alter table ${next} add primary key (position)`,
      `create unique index ${next}_message on ${next} (message_id, sequence)`,
      'lock table events in access exclusive mode',
      // Fails if a writer has removed the end meanwhile; otherwise all rows would be read under this lock.
      `alter table ${open.name} validate constraint ${open.name}_end`,
      `alter table events detach partition ${open.name}`,
      `alter table events attach partition ${open.name} ${between(open.from, to)}`,
      `alter table events attach partition ${next} ${between(to, null)}`,
      `alter table ${open.name} drop constraint ${open.name}_end`,
    ]);
    logger.info({ partition: next }, 'the event log has a new partition');
  }

  /** Estimates how many positions the next `spanMs` will use, from the time since the partition began. */
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
   * Gives an open partition an end, as a condition that is checked for new rows at once and for existing rows later. An
   * end left by an earlier call is replaced when the log has come near it: no row could be stored behind it.
   */
  async function bound(client: Client, { name, from }: Partition, last: number, rows: number): Promise<number> {
    const found = await only<number>(
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
    interrupt: session.interrupt,
    keep: async () => {
      await session.run(keep);
      indexes?.make();
    },
    leftToDrop: async (before) => {
      const left = await session.run(async (client) => {
        const { rows } = await client.query<{ to: number; at: EpochMs }>(
          `select ends as to, newest_at - ${clocksApartMs} as at from log_partitions where newest_at < $1 order by ends desc limit 1`,
          [before + graceMs],
        );
        return rows[0];
      });
      return left ?? { to: 0, at: 0 };
    },
    drop: async (before) => {
      const done = await session.run(async (client) => {
        for (const { name, to } of await partitions(client)) {
          const newest = await only<number>(client, `select newest_at from log_partitions where ends = ${to}`);
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
      });
      return done ?? false;
    },
  };
}

/** All partitions in order, with positions. */
async function partitions(client: Client): Promise<Partition[]> {
  const all = await partitionsOf(client, 'events');
  const position = (bound: string | null) => (bound === null ? null : Number(bound));
  return all.map(({ name, from, to }) => ({ name, from: position(from), to: position(to) }));
}

const between = (from: number | null, to: number | null): string =>
  boundsOf(from === null ? null : String(from), to === null ? null : String(to));

/** Notes the newest event of a full partition and of all before it: a node's clock may have been wrong for a while. */
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
