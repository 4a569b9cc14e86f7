/** What all tables in partitions have in common: their bounds, and changes that nobody waits for longer than an instant. */
import { setTimeout as wait } from 'node:timers/promises';
import type { ClientBase } from 'pg';
import { isBusy } from './postgres-errors.ts';

/** While this waits for its lock, all other transactions wait behind it. */
const lockWait = '200ms';
const lockTries = 10;
const lockRestMs = 300;

export interface Partition {
  name: string;
  /** The first key, as the server writes it without quotes; null = from the beginning. */
  from: string | null;
  /** The key after the last one; null = no end. */
  to: string | null;
}

/** All partitions of the table, in order. */
export async function partitionsOf(client: ClientBase, table: string): Promise<Partition[]> {
  const { rows } = await client.query<{ name: string; bounds: string }>(
    `select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bounds
     from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = '${table}'::regclass`,
  );
  return rows
    .map(({ name, bounds }) => {
      const [, from, to] = /FROM \('?(\w+)'?\) TO \('?(\w+)'?\)/.exec(bounds)!;
      return { name, from: from === 'MINVALUE' ? null : from!, to: to === 'MAXVALUE' ? null : to! };
    })
    .sort((one, other) => inOrder(one.from, other.from));
}

/** Positions and times are compared as numbers, ids as text. */
function inOrder(one: string | null, other: string | null): number {
  if (one === null || other === null) return Number(one !== null) - Number(other !== null);
  if (/^\d+$/.test(one)) return Number(one) - Number(other);
  return one < other ? -1 : 1;
}

/** `for values …` of a partition. */
export const boundsOf = (from: string | null, to: string | null): string =>
  `for values from (${from === null ? 'minvalue' : `'${from}'`}) to (${to === null ? 'maxvalue' : `'${to}'`})`;

/** One transaction that waits only briefly for its locks, and is tried again. */
export async function locking(client: ClientBase, statements: readonly string[]): Promise<void> {
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

/** The only value of the only row; null without one. */
export async function only<T>(client: ClientBase, sql: string): Promise<T | null> {
  const { rows } = await client.query<Record<string, T | null>>(sql);
  return Object.values(rows[0] ?? {})[0] ?? null;
}

/**
 * Whether a write failed because its table reached an end that a killed call left on the last partition. If so, removes
 * the end, and the write may be tried again.
 */
export async function freeEnd(client: ClientBase, error: unknown): Promise<boolean> {
  const { code, table = '', constraint } = (error ?? {}) as { code?: string; table?: string; constraint?: string };
  if (code !== '23514' || constraint !== `${table}_end` || !/^\w+_(first|from_\d+)$/.test(table)) return false;
  await client.query(`alter table ${table} drop constraint if exists ${constraint}`);
  return true;
}
