/** The PostgreSQL database of a run: used only when it is empty, and emptied afterwards. */
import type { Socket } from 'node:net';
import { Client } from 'pg';
import { StoreRefused } from '../../store/faults.ts';
import { meaning } from '../../store/postgres-errors.ts';
import { clientConfig, endWithin } from '../../store/postgres-session.ts';

const relations = `
  select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = any(current_schemas(false)) and c.relkind in ('r', 'p', 'v', 'm', 'S', 'f')`;
const tables = `
  select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = any(current_schemas(false)) and c.relkind in ('r', 'p')`;

/** Throws StoreRefused when it is not empty or cannot be reached. */
export async function refuseFilledDatabase(databaseUrl: string): Promise<void> {
  const found = await withClient(databaseUrl, async (client) => (await client.query(relations)).rows);
  if (found.length === 0) return;
  throw new StoreRefused(
    `The database of --database is not empty: it has ${found[0].name}. Make one for this run: createdb helio_prove`,
  );
}

/** Call only after `refuseFilledDatabase`: then the run made everything in it. */
export async function emptyDatabase(databaseUrl: string): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ name: string }>(tables);
    if (rows.length > 0) await client.query(`drop table ${rows.map(({ name }) => name).join(', ')} cascade`);
  });
}

async function withClient<T>(databaseUrl: string, work: (client: Client) => Promise<T>): Promise<T> {
  const sockets = new Set<Socket>();
  const client = new Client(clientConfig(databaseUrl, 'heliograph prove', sockets));
  client.on('error', () => {});
  try {
    await client.connect();
    return await work(client);
  } catch (error) {
    throw meaning(error);
  } finally {
    await endWithin(client.end(), sockets);
  }
}
