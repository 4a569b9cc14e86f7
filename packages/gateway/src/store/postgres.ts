/**
 * The PostgreSQL engine: one writing session and a small pool for reads, so a long read never blocks the writer.
 * Batches travel as arrays, one statement each. Lock and prepared statements belong to a session.
 */
import type { Socket } from 'node:net';
import type { ClientBase } from 'pg';
import type { Engine } from './engine.ts';
import { StoreRefused, StoreUnavailable } from './faults.ts';
import { JournaledCommits } from './journaled-commits.ts';
import { isConnectionLoss, meaning } from './postgres-errors.ts';
import { openHints } from './postgres-hints.ts';
import { createIndexes } from './postgres-indexes.ts';
import { postgresMachine } from './postgres-machine.ts';
import { createMessagePartitions } from './postgres-message-partitions.ts';
import { createLogPartitions } from './postgres-partitions.ts';
import { refuseSharedSessions } from './postgres-pooler.ts';
import { clientConfig, endWithin, prepareSession } from './postgres-session.ts';
import { stated, transaction } from './postgres-transaction.ts';
import { type PostgresOptions, PostgresWriter } from './postgres-writer.ts';

const beginLook = [stated('begin_look', 'begin isolation level repeatable read read only')];
const lookUpSessionsMax = 4;
/** A look-up that gets no session within this time fails as `busy`. */
const sessionWaitMs = 1_000;
/** A write that hangs at the server for this long fails as `busy`. */
const writeWaitMs = 5_000;

export async function openPostgres(options: PostgresOptions): Promise<Engine> {
  const { machine = postgresMachine } = options;
  await refuseSharedSessions(options.databaseUrl, machine).catch((error) => {
    throw meaning(error);
  });
  const writer = new PostgresWriter(options);
  await writer.open();
  const { databaseUrl, clock, logger, role, givenUp, cluster = false } = options;
  const hints =
    cluster && role === 'node' && machine.listens
      ? openHints({ databaseUrl, clock, logger, givenUp, token: writer.token })
      : null;
  const indexes = createIndexes(options);
  const { journal } = writer;
  const journaled = journal && new JournaledCommits(writer, journal, { clock, timers: machine.timers });
  const sockets = new Set<Socket>();
  const pool = machine.pool({
    ...clientConfig(databaseUrl, 'heliograph look-ups', sockets, givenUp),
    max: lookUpSessionsMax,
    connectionTimeoutMillis: sessionWaitMs,
  });
  // The pool replaces sessions that die. Without a listener, a session that dies would end the process; the look-up in
  // progress is rejected separately.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const prepared = new WeakSet<ClientBase>();

  async function answer(name: string, params: readonly unknown[]): Promise<unknown> {
    const client = await pool.connect();
    let lost = false;
    try {
      if (!prepared.has(client)) await prepareSession(client);
      prepared.add(client);
      return await transaction(client, options.catalogue.lookUp(name, params), { begin: beginLook });
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
    ahead: () => journaled?.ahead() ?? 1,
    enoughRows: 48,
    waitMsMax: writeWaitMs,
    mayHandOver: () => writer.mayHandOver(),
    leaseLeftMs: () => writer.leaseLeftMs(),
    place: writer.place,
    ...(hints !== null && { hints }),
    logPartitions: createLogPartitions({ ...options, indexes }),
    messagePartitions: createMessagePartitions(options),
    newest: () => writer.newest,
    commit: (calls) => (journaled ?? writer).commit(calls),
    async lookUp(name, params) {
      if (writer.broken) throw writer.broken;
      if (journaled !== null && options.catalogue.needsOf(name, params, journaled.sinceCommitMs()) !== 'nothing')
        await journaled.newest();
      try {
        return await answer(name, params);
      } catch (error) {
        const meant = meaning(error);
        // The writing session decides whether a server that came back may be used at all.
        throw meant instanceof StoreRefused ? new StoreUnavailable('down', meant.message) : meant;
      }
    },
    async close() {
      await hints?.close();
      await indexes.close();
      await endWithin(pool.end(), sockets);
      await journaled?.close();
      await writer.close();
    },
  };
}
