/**
 * The one PostgreSQL session that writes. It holds the node lock itself: the session that may write is by that the only
 * one, and a node whose session died has lost its right together with it. It must never write under an older token.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import type { Clock } from '../domain/clock.ts';
import type { Claim, Settlement } from '../domain/delivery.ts';
import { runGroup, type WriteCall } from './engine.ts';
import { migrate, pendingMigrations, schemaVersion } from './migrate.ts';
import type { Claimed } from './operations/claim.ts';
import { createPositions, type WriteContext } from './operations/context.ts';
import { lastPosition } from './operations/queue.ts';
import { nodeToken, raiseNodeToken } from './operations/records.ts';
import { isConflict, isConnectionLoss, meaning } from './postgres-errors.ts';
import { clientConfig, prepareSession, transaction } from './postgres-session.ts';
import { type AcceptItem, type AcceptResult, StoreBroken, StoreRefused, StoreUnavailable } from './store.ts';

/** A predecessor that was just killed gets this long until the server has noticed. */
const lockWaitMs = 3_000;
const lockEveryMs = 100;

const conflictTriesMax = 5;
const reconnectWaitsMs = [50, 100, 250, 500, 1_000, 2_000];

/** Any constant will do for the first number; the second tells apart two stores in one database. */
const lockKey = `1213156431, hashtext(coalesce(current_schema(), ''))`;

export interface PostgresOptions {
  databaseUrl: string;
  role: 'node' | 'tool';
  clock: Clock;
}

export class PostgresWriter {
  token = 0;
  /** Why nothing may be done any more; looked at before every look-up too. */
  broken: StoreBroken | null = null;
  readonly #options: PostgresOptions;
  readonly #name: string;
  #client: Client | null = null;
  #backendPid = 0;
  #positions = createPositions(0);
  #closed = false;
  #reconnecting: Promise<void> | null = null;
  /** Claims whose commit was never confirmed: nobody holds them, so they go back to the queue. */
  #lostClaims: HandedOut[] = [];

  constructor(options: PostgresOptions) {
    this.#options = options;
    this.#name = options.role === 'node' ? 'heliograph node' : 'heliograph tool';
  }

  /** The first session: lock, schema, token. */
  async open(): Promise<void> {
    const client = await this.#connect();
    try {
      if (this.#options.role === 'node') await lockNode(client);
      await this.#migrate(client);
      if (this.#options.role === 'node') this.token = await transaction(client, raiseNodeToken());
      this.#positions = createPositions(await transaction(client, lastPosition()));
      await this.#use(client);
    } catch (error) {
      await client.end().catch(() => {});
      throw meaning(error);
    }
  }

  async commit(calls: readonly WriteCall[]): Promise<unknown[][]> {
    for (let attempt = 1; ; attempt += 1) {
      if (this.broken) throw this.broken;
      const client = this.#client;
      if (!client) throw new StoreUnavailable('down', 'PostgreSQL is not connected; the session is being renewed');
      const context = this.#context();
      let claims: HandedOut[] = [];
      const done = (results: unknown[][]) => {
        claims = handedOut(calls, results);
      };
      try {
        return await transaction(client, runGroup(calls, context), { done });
      } catch (error) {
        if (isConnectionLoss(error)) {
          this.#lostClaims.push(...claims);
          this.#lose(client);
        }
        if (!isConflict(error) || attempt === conflictTriesMax) throw meaning(error);
      }
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#reconnecting;
    const client = this.#client;
    this.#client = null;
    await client?.end();
  }

  async #connect(): Promise<Client> {
    const client = new Client(clientConfig(this.#options.databaseUrl, this.#name));
    // An idle session that dies says so here; without a listener that would end the process.
    client.on('error', () => this.#lose(client));
    try {
      await client.connect();
      await prepareSession(client);
      return client;
    } catch (error) {
      client.end().catch(() => {});
      throw meaning(error);
    }
  }

  async #use(client: Client): Promise<void> {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    this.#backendPid = rows[0]!.pid;
    this.#client = client;
  }

  /** A tool may change the schema only while no node runs. */
  async #migrate(client: Client): Promise<void> {
    const pending = pendingMigrations(await transaction(client, schemaVersion()));
    if (pending.length === 0) return;
    if (this.#options.role === 'tool') await lockNode(client);
    const now = this.#options.clock.now();
    for (const migration of pending) await transaction(client, migrate(migration, now));
    if (this.#options.role === 'tool') await client.query(`select pg_advisory_unlock(${lockKey})`);
  }

  #lose(client: Client): void {
    if (client !== this.#client) return;
    this.#client = null;
    client.end().catch(() => {});
    this.#reconnecting = this.#reconnect().finally(() => {
      this.#reconnecting = null;
    });
  }

  async #reconnect(): Promise<void> {
    for (let tries = 0; !this.#closed && !this.broken && !this.#client; tries += 1) {
      await wait(reconnectWaitsMs[Math.min(tries, reconnectWaitsMs.length - 1)]);
      let client: Client | null = null;
      try {
        client = await this.#connect();
        if (this.#options.role === 'node') await this.#resume(client);
        await this.#use(client);
      } catch (error) {
        client?.end().catch(() => {});
        if (error instanceof StoreBroken) this.broken = error;
        if (error instanceof StoreRefused) this.broken = new StoreBroken(error.message);
      }
    }
  }

  /** Nothing is remembered from one transaction to the next: the answer to a commit may be lost. */
  #context(): WriteContext {
    return { token: this.token, now: this.#options.clock.now(), positions: this.#positions, sending: new Map() };
  }

  /** Takes the lock anew and makes sure that nobody had it meanwhile. */
  async #resume(client: Client): Promise<void> {
    // The server may not have noticed that the old session is gone, which would hold the lock against ourselves.
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where pid = $1 and application_name = $2 and usename = current_user`,
      [this.#backendPid, this.#name],
    );
    const locked = await tryLock(client);
    if ((await transaction(client, nodeToken())) !== this.token) {
      throw new StoreBroken('another node has taken over this store');
    }
    if (!locked) throw new StoreUnavailable('busy', 'the node lock is not free yet');
    const context = this.#context();
    const items = this.#lostClaims.map((claim) => givenBack(claim, context.now));
    if (items.length > 0) await transaction(client, runGroup([{ kind: 'settle', items }], context));
    this.#lostClaims = [];
  }
}

async function lockNode(client: Client): Promise<void> {
  for (let waitedMs = 0; !(await tryLock(client)); waitedMs += lockEveryMs) {
    if (waitedMs >= lockWaitMs) {
      throw new StoreRefused('Another node runs on this database: one store has one node. Stop it first.');
    }
    await wait(lockEveryMs);
  }
}

async function tryLock(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ locked: number }>(
    `select case when pg_try_advisory_lock(${lockKey}) then 1 else 0 end as locked`,
  );
  return rows[0]!.locked === 1;
}

type HandedOut = Pick<Claim, 'messageId' | 'attempt' | 'lane'>;

/** What a transaction made `sending`: claimed, or accepted for a lane that has room. */
function handedOut(calls: readonly WriteCall[], results: readonly unknown[][]): HandedOut[] {
  return calls.flatMap(({ kind, items }, index) => {
    if (kind === 'claim') return (results[index] as Claimed[]).flatMap(({ deliveries }) => deliveries);
    if (kind !== 'accept') return [];
    return (items as readonly AcceptItem[])
      .filter((_, place) => (results[index] as AcceptResult[])[place]!.kind === 'stored')
      .flatMap((item) => item.deliveries.filter((delivery) => delivery.sending))
      .map(({ messageId, lane }) => ({ messageId, lane, attempt: 1 }));
  });
}

/** As if it had never been claimed. Without effect when the claim was not committed. */
function givenBack(claim: HandedOut, now: number): Settlement {
  return {
    messageId: claim.messageId,
    attempt: claim.attempt,
    to: 'queued',
    code: null,
    carrierCode: null,
    detail: 'the connection to the database was lost before it could be sent',
    carrier: claim.lane,
    parts: [],
    dueAt: now,
    lane: claim.lane,
    countsAttempt: false,
  };
}
