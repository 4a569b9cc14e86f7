/**
 * Indexes that an upgrade leaves to the running gateway, since making one over a large table takes from minutes to hours.
 * Nobody waits for it; the index that it replaces serves until then. A kill leaves an invalid one, which the next call
 * drops and makes anew.
 */
import type { ClientBase } from 'pg';
import type { Logger } from '../kernel/logger.ts';
import { firstPartsPeriod } from './migrations/034-message-partitions.ts';
import { interruptible } from './postgres-alone.ts';
import { indexLockClass } from './postgres-turn.ts';

const due = [firstPartsPeriod];

export interface Indexes {
  /** Makes what is missing, in the background. Does nothing while it is at it, or another node is. */
  make(): void;
  /** Ends the work under way; the next start begins it anew. */
  close(): Promise<void>;
}

export interface IndexesParts {
  databaseUrl: string;
  logger: Logger;
  givenUp?: AbortSignal | undefined;
}

export function createIndexes({ databaseUrl, logger, givenUp }: IndexesParts): Indexes {
  const session = interruptible({ databaseUrl, name: 'heliograph indexes', lockClass: indexLockClass, givenUp });
  let closed = false;
  let making: Promise<void> | null = null;

  async function make(): Promise<void> {
    try {
      await session.run((client) => makeDue(client, logger));
    } catch (error) {
      if (!closed) logger.warn({ err: error }, 'an index could not be made; tried again within the hour');
    } finally {
      making = null;
    }
  }

  return {
    make: () => {
      if (!closed) making ??= make();
    },
    close: async () => {
      closed = true;
      session.interrupt();
      await making;
    },
  };
}

async function makeDue(client: ClientBase, logger: Logger): Promise<void> {
  // Waits for all transactions that began earlier, however long a backup or a report takes; only a vacuum waits behind it.
  await client.query('set lock_timeout = 0');
  for (const { name, on, replaces, whole } of due) {
    if (!(await isThere(client, replaces))) continue;
    if (!(await isThere(client, name, 'and indisvalid'))) {
      logger.info({ index: name }, 'an index is being made; everything goes on meanwhile');
      await client.query(`drop index concurrently if exists ${name}`);
      await client.query(`create index concurrently ${name} on ${on}`);
    }
    await client.query(whole);
    await client.query(`drop index concurrently ${replaces}`);
    logger.info({ index: name, replaces }, 'an index is in use');
  }
}

async function isThere(client: ClientBase, name: string, condition = ''): Promise<boolean> {
  const { rowCount } = await client.query(
    `select 1 from pg_index where indexrelid = to_regclass('${name}') ${condition}`,
  );
  return rowCount !== 0;
}
