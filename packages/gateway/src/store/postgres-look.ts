/** Inspects a PostgreSQL server like a start does, for commands: changes nothing and does not become a node. */
import type { Socket } from 'node:net';
import { Client } from 'pg';
import { isServerError, meaning } from './postgres-errors.ts';
import { requireOwnSchema } from './postgres-own-schema.ts';
import { refuseSharedSessions } from './postgres-pooler.ts';
import { clientConfig, endWithin, prepareSession } from './postgres-session.ts';
import { transaction } from './postgres-transaction.ts';
import { type PostgresState, postgresState } from './system/postgres-state.ts';

export interface PostgresLook {
  version: string;
  /** Null if the server does not report it. */
  state: PostgresState | null;
}

/** Throws the errors of a start: StoreRefused or StoreUnavailable. */
export function lookAtPostgres(databaseUrl: string): Promise<PostgresLook> {
  return onSession(databaseUrl, async (client) => {
    const { rows } = await client.query<{ server_version: string }>('show server_version');
    const state = await transaction(client, postgresState('postgres')).catch((error) => {
      if (isServerError(error)) return null;
      throw error;
    });
    return { version: rows[0]!.server_version, state };
  });
}

/** Whether a start has ever made its tables there. Throws the errors of a start. */
export function hasPostgresStore(databaseUrl: string): Promise<boolean> {
  return onSession(databaseUrl, async (client) => {
    const { rowCount } = await client.query(`select 1 where to_regclass('schema_versions') is not null`);
    return rowCount === 1;
  });
}

async function onSession<T>(databaseUrl: string, work: (client: Client) => Promise<T>): Promise<T> {
  const sockets = new Set<Socket>();
  let client: Client | null = null;
  try {
    await refuseSharedSessions(databaseUrl);
    client = new Client(clientConfig(databaseUrl, 'heliograph look', sockets));
    client.on('error', () => {});
    await client.connect();
    await prepareSession(client);
    await requireOwnSchema(client);
    return await work(client);
  } catch (error) {
    throw meaning(error);
  } finally {
    if (client !== null) await endWithin(client.end(), sockets);
  }
}
