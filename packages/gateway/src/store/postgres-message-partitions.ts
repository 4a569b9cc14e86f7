/**
 * The partitions of messages on PostgreSQL, by the time at which they were accepted. The last partition of a table has no end
 * until it is large; then it gets one in the future. The first one is an empty table from the beginning of time to where the
 * stored messages begin, so that an id of a wrong clock has its place. Existing rows are never copied, and no other
 * transaction waits longer than an instant. Each step is stored separately, so that the next call goes on after a kill: the
 * tables of one time may then have different bounds until those are dropped.
 */
import type { Client } from 'pg';
import { dayMs, type EpochMs } from '../kernel/clock.ts';
import { firstIdAt, idTime } from '../kernel/ids.ts';
import type { Logger } from '../kernel/logger.ts';
import { clocksApartMs } from './dialect.ts';
import { partsPeriod } from './migrations/033-parts-by-period.ts';
import { interruptible } from './postgres-alone.ts';
import { boundsOf, locking, only, type Partition, partitionsOf } from './postgres-partition-steps.ts';
import { logLockClass } from './postgres-turn.ts';

/** A partition spans this part of the time for which messages are kept, and no less than a week: each costs every look-up a little. */
const partsOfKept = 12;
const spanMinMs = 7 * dayMs;
/** An end lies so far ahead that no message reaches it while it is set. */
const aheadMs = dayMs;
/** Smaller partitions are not worth a table: about a million messages. */
const bytesMin = 268_435_456;

interface Divided {
  name: string;
  key: string;
  /** Of the ids that are the key; null = it is a time, ms since the epoch. */
  prefix: string | null;
}

/** In the order in which they are divided and dropped: what decides whether a time may be dropped comes last. */
const tables: readonly Divided[] = [
  { name: 'parts', key: 'message_id', prefix: 'msg_' },
  { name: 'conversations', key: 'run', prefix: null },
  { name: 'account_messages', key: 'message_id', prefix: 'msg_' },
  { name: 'messages', key: 'request_id', prefix: 'req_' },
  { name: 'deliveries', key: 'message_id', prefix: 'msg_' },
];
const last = tables.at(-1)!;

/** Times of acceptance, ms since the epoch; 0 = from the beginning. */
export interface Span {
  from: EpochMs;
  to: EpochMs;
}

export interface MessagePartitions {
  /** Divides the last partition where it is large enough. `keptMs`: the longest that an account keeps its messages. */
  keep(keptMs: number): Promise<void>;
  /** The ends of all partitions with nothing younger than `before`, oldest first. */
  old(before: EpochMs): Promise<EpochMs[]>;
  /**
   * The partition with messages of the time `before`, if it will be dropped within the span of a partition; otherwise its
   * messages would wait too long for that. `keptMs` as for `keep`.
   */
  leftToDrop(before: EpochMs, keptMs: number): Promise<Span | null>;
  /** Drops everything of the messages accepted before the end `to`; `before` as for `old`. */
  drop(to: EpochMs, before: EpochMs): Promise<void>;
  /** Ends what is under way: a stop must not wait until a large table has been read. The next call goes on. */
  interrupt(): void;
}

export interface MessagePartitionsParts {
  databaseUrl: string;
  clock: { now(): EpochMs };
  logger: Logger;
  givenUp?: AbortSignal | undefined;
  /** For tests: the smallest size of a partition. */
  bytesMin?: number;
}

export function createMessagePartitions(parts: MessagePartitionsParts): MessagePartitions {
  const { databaseUrl, clock, logger, givenUp, bytesMin: least = bytesMin } = parts;
  const session = interruptible({ databaseUrl, name: 'heliograph partitions', lockClass: logLockClass, givenUp });

  async function keep(client: Client, keptMs: number): Promise<void> {
    // A new partition would be without the index that is still being made.
    if ((await only(client, `select to_regclass('${partsPeriod.name}')::text`)) === null) return;
    const all = await partitionsOf(client, last.name);
    const open = all.at(-1)!;
    // Of a single one, PostgreSQL 18 overlooks that reading it whole is disabled.
    if (all.length > 1 && (await only<number>(client, `select pg_relation_size('${open.name}')`))! < least) return;
    const to = (await nextBegun(client)) ?? (await endOf(client, open, keptMs));
    for (const table of tables) await divide(client, table, to);
    logger.info({ at: new Date(to).toISOString() }, 'messages have a new partition');
  }

  /** Where a call that was killed has divided some of the tables. */
  async function nextBegun(client: Client): Promise<EpochMs | null> {
    const newest = await newestIn(client, last.name);
    for (const { name, prefix } of tables) {
      const { from } = (await partitionsOf(client, name)).at(-1)!;
      if (from !== null && timeOf(prefix, from) > Math.max(newest, clock.now()) + clocksApartMs)
        return timeOf(prefix, from);
    }
    return null;
  }

  async function endOf(client: Client, { name }: Partition, keptMs: number): Promise<EpochMs> {
    const begun = idTime((await only<string>(client, `select min(message_id) from ${name}`)) ?? '') ?? 0;
    // A clock that was wrong once may have left ids of the future.
    const newest = await newestIn(client, name);
    return Math.max(begun + spanOf(keptMs), clock.now() + aheadMs, newest + clocksApartMs);
  }

  async function divide(client: Client, { name: table, key, prefix }: Divided, to: EpochMs): Promise<void> {
    const { name, from } = (await partitionsOf(client, table)).at(-1)!;
    if (from !== null && timeOf(prefix, from) >= to) return;
    const end = keyAt(prefix, to);
    const lower = from === null ? '' : `${key} >= '${from}' and `;
    await locking(client, [
      `alter table ${name} drop constraint if exists ${name}_end`,
      `alter table ${name} add constraint ${name}_end check (${lower}${key} < '${end}') not valid`,
    ]);
    // Reads the whole partition without blocking anybody.
    await client.query(`alter table ${name} validate constraint ${name}_end`);
    const next = `${table}_from_${to}`;
    await locking(client, [
      await created(client, next, name),
      `lock table ${table} in access exclusive mode`,
      // Fails if a writer has removed the end meanwhile; otherwise all rows would be read under this lock.
      `alter table ${name} validate constraint ${name}_end`,
      `alter table ${table} detach partition ${name}`,
      `alter table ${table} attach partition ${name} ${boundsOf(from, end)}`,
      `alter table ${table} attach partition ${next} ${boundsOf(end, null)}`,
      `alter table ${name} drop constraint ${name}_end`,
    ]);
  }

  /** Replaces the partitions, the first ones, by an empty one. */
  async function dropAll(client: Client, { name: table, prefix }: Divided, old: readonly Partition[]): Promise<void> {
    const names = old.map(({ name }) => name);
    const end = old.at(-1)!.to!;
    const start = `${table}_before_${timeOf(prefix, end)}_${clock.now()}`;
    await locking(client, [
      await created(client, start, names[0]!),
      `lock table ${table} in access exclusive mode`,
      ...names.map((name) => `alter table ${table} detach partition ${name}`),
      `alter table ${table} attach partition ${start} ${boundsOf(null, end)}`,
      ...names.map((name) => `drop table ${name}`),
    ]);
    logger.info({ partitions: names }, 'partitions of messages were dropped');
  }

  return {
    interrupt: session.interrupt,
    keep: async (keptMs) => {
      await session.run((client) => keep(client, keptMs));
    },
    old: async (before) => (await session.run((client) => oldEnds(client, before))) ?? [],
    leftToDrop: (before, keptMs) =>
      session.run(async (client) => {
        const ends = (await partitionsOf(client, last.name)).flatMap(({ to }) =>
          to === null ? [] : [timeOf(last.prefix, to)],
        );
        const next = ends.findIndex((end) => end > before);
        if (next === -1 || ends[next]! - before > spanOf(keptMs)) return null;
        return { from: ends[next - 1] ?? 0, to: ends[next]! };
      }),
    drop: async (to, before) => {
      await session.run(async (client) => {
        for (const table of tables) {
          const old: Partition[] = [];
          for (const one of await partitionsOf(client, table.name)) {
            if (one.to === null || timeOf(table.prefix, one.to) > to) break;
            if (table.prefix === null && !(await isOver(client, one.to, before))) break;
            old.push(one);
          }
          if (!(await isStart(client, old))) await dropAll(client, table, old);
        }
      });
    },
  };
}

const spanOf = (keptMs: number): number => Math.max(spanMinMs, Math.ceil(keptMs / partsOfKept));

const keyAt = (prefix: string | null, at: EpochMs): string => (prefix === null ? String(at) : firstIdAt(prefix, at));
const timeOf = (prefix: string | null, bound: string): EpochMs =>
  prefix === null ? Number(bound) : idTime(bound.padEnd('msg_'.length + 26, '0'))!;

async function newestIn(client: Client, table: string): Promise<EpochMs> {
  return idTime((await only<string>(client, `select max(message_id) from ${table}`)) ?? '') ?? 0;
}

/** Oldest first. */
async function oldEnds(client: Client, before: EpochMs): Promise<EpochMs[]> {
  const old: Partition[] = [];
  for (const one of await partitionsOf(client, last.name)) {
    if (one.to === null || timeOf(last.prefix, one.to) + clocksApartMs > before) break;
    old.push(one);
  }
  if (await isStart(client, old)) return [];
  return old.map(({ to }) => timeOf(last.prefix, to!));
}

/** Whether there is nothing to drop: at most the empty partition with which time begins. */
async function isStart(client: Client, old: readonly Partition[]): Promise<boolean> {
  if (old.length !== 1) return old.length === 0;
  return old[0]!.from === null && (await only(client, `select 1 as found from ${old[0]!.name} limit 1`)) === null;
}

/** SQL: a table like the partition. */
async function created(client: Client, name: string, like: string): Promise<string> {
  const options = await only<string>(
    client,
    `select array_to_string(reloptions, ', ') from pg_class where oid = '${like}'::regclass`,
  );
  return `create table ${name} (like ${like} including defaults including indexes)${options === null ? '' : ` with (${options})`}`;
}

/** A run has messages accepted until the next one begins. */
async function isOver(client: Client, end: string, before: EpochMs): Promise<boolean> {
  const next = await only<number>(client, `select min(run) from conversations where run >= ${end}`);
  return next !== null && Number(next) + clocksApartMs <= before;
}
