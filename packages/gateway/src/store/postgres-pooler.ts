/**
 * Refuses a pooler that assigns one session of PostgreSQL to several connections, a transaction at a time (pgbouncer's
 * `pool_mode = transaction` and the like): a session's locks, settings and prepared statements would belong to no
 * connection. No pooler reports this, so two connections compare their sessions.
 */
import type { Socket } from 'node:net';
import type { Client, ClientBase } from 'pg';
import { StoreRefused } from './faults.ts';
import { type PostgresMachine, postgresMachine } from './postgres-machine.ts';
import { clientConfig, endWithin } from './postgres-session.ts';

const way = 'Set pool_mode = session there (or the like), or let HELIO_DATABASE_URL name the PostgreSQL server itself.';
const shared = `A pooler stands before PostgreSQL and gives one session to several connections, a transaction at a time: the node lock and the settings that keep messages safe would not hold. ${way}`;

/** SQLSTATE protocol_violation: how poolers refuse a transaction (statement pooling) or an option of the session. */
const protocolViolation = '08P01';

/** Throws StoreRefused. Opens two sessions for some milliseconds. */
export async function refuseSharedSessions(
  databaseUrl: string,
  machine: Pick<PostgresMachine, 'client'> = postgresMachine,
): Promise<void> {
  const sockets = new Set<Socket>();
  const clients = [0, 1].map(() => machine.client(clientConfig(databaseUrl, 'heliograph start', sockets)));
  for (const client of clients) client.on('error', () => {});
  try {
    if (await areShared(clients[0]!, clients[1]!)) throw new StoreRefused(shared);
  } catch (error) {
    const { code, message } = error as { code?: string; message?: string };
    if (code !== protocolViolation) throw error;
    throw new StoreRefused(`The pooler before PostgreSQL refuses what the store needs: ${message} (${code}). ${way}`);
  } finally {
    await endWithin(Promise.all(clients.map((client) => client.end())), sockets);
  }
}

/**
 * Whether several sessions serve one connection, or one session serves both. Asked twice before the other connection is
 * used: a pooler that rotates its sessions shows the next one; one with a single session must pass it on.
 */
async function areShared(one: Client, other: Client): Promise<boolean> {
  await one.connect();
  const own = await servedBy(one);
  if ((await servedBy(one)) !== own) return true;
  await other.connect();
  // Keeps the session until this transaction ends.
  await other.query('begin');
  if ((await servedBy(other)) === own) return true;
  return (await servedBy(one)) !== own;
}

async function servedBy(client: ClientBase): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]!.pid;
}
