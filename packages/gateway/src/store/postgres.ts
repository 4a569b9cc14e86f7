/**
 * The PostgreSQL engine: one session that writes, a small pool that answers look-ups, so that a long one never holds the
 * writer. Batches go as arrays, one statement each. It must never be pointed at a pooler that hands out sessions per
 * transaction: the node lock and the prepared statements belong to a session.
 */
import { type ClientBase, Pool } from 'pg';
import { type Engine, type LookUpKind, lookUp } from './engine.ts';
import { isConnectionLoss, meaning } from './postgres-errors.ts';
import { clientConfig, prepareSession, transaction } from './postgres-session.ts';
import { type PostgresOptions, PostgresWriter } from './postgres-writer.ts';

const lookUpSessionsMax = 4;
/** A look-up that gets no session within this is answered with `busy`. */
const sessionWaitMs = 1_000;

export async function openPostgres(options: PostgresOptions): Promise<Engine> {
  const writer = new PostgresWriter(options);
  await writer.open();
  const pool = new Pool({
    ...clientConfig(options.databaseUrl, 'heliograph look-ups'),
    max: lookUpSessionsMax,
    connectionTimeoutMillis: sessionWaitMs,
  });
  // Idle sessions that die are replaced by the pool; without a listener that would end the process.
  pool.on('error', () => {});
  const prepared = new WeakSet<ClientBase>();

  async function answer(kind: LookUpKind, question: unknown): Promise<unknown> {
    const client = await pool.connect();
    let lost = false;
    try {
      if (!prepared.has(client)) await prepareSession(client);
      prepared.add(client);
      const begin = 'begin isolation level repeatable read read only';
      return await transaction(client, lookUp(kind, question), { begin });
    } catch (error) {
      lost = isConnectionLoss(error);
      throw error;
    } finally {
      client.release(lost);
    }
  }

  return {
    kind: 'postgres',
    token: writer.token,
    ahead: 1,
    enoughRows: 48,
    commit: (calls) => writer.commit(calls),
    async lookUp(kind, question) {
      if (writer.broken) throw writer.broken;
      try {
        return await answer(kind, question);
      } catch (error) {
        throw meaning(error);
      }
    },
    async close() {
      await pool.end();
      await writer.close();
    },
  };
}
