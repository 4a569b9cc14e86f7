/** Work on the tables themselves, on a session of its own, without the time limits of a node's statements. */
import type { Socket } from 'node:net';
import { Client } from 'pg';
import { meaning } from './postgres-errors.ts';
import { granted } from './postgres-lock.ts';
import { clientConfig, endWithin, prepareSession } from './postgres-session.ts';
import { lockObject } from './postgres-turn.ts';

export interface AloneOptions {
  databaseUrl: string;
  /** Of the session. */
  name: string;
  /** Only one session of all nodes works under the same class at a time. */
  lockClass: number;
  /** Ends the session, and what the server does for it. */
  givenUp?: AbortSignal | undefined;
}

export interface Interruptible {
  /** As `alone`. Rejects when it is interrupted. */
  run<T>(work: (client: Client) => Promise<T>): Promise<T | null>;
  /** Ends what is under way, such as reading a large table. Later calls work. */
  interrupt(): void;
}

export function interruptible(options: AloneOptions): Interruptible {
  let stopping = new AbortController();
  return {
    run: (work) => {
      const signals = options.givenUp === undefined ? [] : [options.givenUp];
      return alone({ ...options, givenUp: AbortSignal.any([stopping.signal, ...signals]) }, work);
    },
    interrupt: () => {
      stopping.abort();
      stopping = new AbortController();
    },
  };
}

/** What `work` returns; null, without a call, while another session is at the same work. */
export async function alone<T>(
  { databaseUrl, name, lockClass, givenUp }: AloneOptions,
  work: (client: Client) => Promise<T>,
): Promise<T | null> {
  const sockets = new Set<Socket>();
  const client = new Client({ ...clientConfig(databaseUrl, name, sockets, givenUp), query_timeout: 0 });
  client.on('error', () => {});
  try {
    await client.connect();
    await prepareSession(client);
    // Reading a whole table takes longer than a node's statements may.
    await client.query('set statement_timeout = 0');
    // The server notices during a long statement that this process has gone; not on every operating system.
    await client.query(`set client_connection_check_interval = '2s'`).catch(() => {});
    if (!(await granted(client, `pg_try_advisory_lock(${lockClass}, ${lockObject})`))) return null;
    return await work(client);
  } catch (error) {
    throw meaning(error);
  } finally {
    await endWithin(client.end(), sockets);
  }
}
