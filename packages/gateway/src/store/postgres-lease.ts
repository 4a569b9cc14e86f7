/**
 * The acting node's lease: a row with its end by the database's clock. The node renews it on a separate session and
 * stops acting by its monotonic clock before the row expires, so that nothing is sent to a carrier once another node
 * may have taken over. Without contact to the database a node is not the owner.
 */
import type { Client } from 'pg';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import { changeOwner, databaseNow } from './postgres-turn.ts';

export interface LeaseTimes {
  /** Duration of a renewal, ms. A standby takes over no sooner after the last one. */
  heldMs: number;
  renewEveryMs: number;
  /** The node stops acting this long before the lease expires, ms. */
  marginMs: number;
}

export const leaseTimes: LeaseTimes = { heldMs: 6_000, renewEveryMs: 1_000, marginMs: 1_500 };

/** Name of the acting node's lease. */
export const nodeLeaseName = 'node';

/**
 * Takes the lease under a new epoch, even from another owner; only the holder of the node lock may call this. Once it
 * resolves, no write under an older epoch can commit.
 */
export async function takeLease(client: Client, epoch: number, { heldMs }: LeaseTimes): Promise<void> {
  await client.query(`begin; ${changeOwner}`);
  try {
    await client.query(
      `insert into leases (name, epoch, expires_at) values ('${nodeLeaseName}', $1, ${databaseNow} + $2)
       on conflict (name) do update set epoch = excluded.epoch, expires_at = excluded.expires_at`,
      [epoch, heldMs],
    );
  } finally {
    // After a failed insert this rolls back.
    await client.query('commit');
  }
}

/** False when the lease no longer has this epoch. */
export async function renewLease(client: Client, epoch: number, { heldMs }: LeaseTimes): Promise<boolean> {
  const { rowCount } = await client.query(
    `update leases set expires_at = ${databaseNow} + $2 where name = '${nodeLeaseName}' and epoch = $1`,
    [epoch, heldMs],
  );
  return rowCount === 1;
}

/** For a clean stop: a standby need not wait for the lease to expire. */
export async function releaseLease(client: Client, epoch: number): Promise<void> {
  await client.query(`delete from leases where name = '${nodeLeaseName}' and epoch = $1`, [epoch]);
}

/** `none`: released, or this store has no leases yet. */
export type LeaseState = 'held' | 'expired' | 'none';

export async function leaseState(client: Client): Promise<LeaseState> {
  const { rowCount: tables } = await client.query(`select 1 where to_regclass('leases') is not null`);
  if (tables === 0) return 'none';
  const { rows } = await client.query<{ left: number }>(
    `select expires_at - ${databaseNow} as left from leases where name = '${nodeLeaseName}'`,
  );
  if (rows[0] === undefined) return 'none';
  return rows[0].left > 0 ? 'held' : 'expired';
}

export interface NodeLeaseParts {
  times: LeaseTimes;
  clock: Pick<Clock, 'monotonicMs' | 'after'>;
  logger: Logger;
  /** Opens a separate session for renewals. */
  connect(): Promise<Client>;
  end(client: Client): Promise<void>;
  /** False when the lease is no longer this node's. */
  renew(client: Client): Promise<boolean>;
  /** Another node has the lease: this one must end. Called once. */
  lost(): void;
}

export class NodeLease {
  readonly #parts: NodeLeaseParts;
  /** By the monotonic clock, ms. */
  #untilMs: number;
  #client: Client | null = null;
  #cancel: () => void = () => {};
  #round: Promise<void> = Promise.resolve();
  #stopped = false;
  /** The state last logged. */
  #loggedHeld = true;

  /** `takenMs`: when `takeLease` was called, by the monotonic clock. */
  constructor(parts: NodeLeaseParts, takenMs: number) {
    this.#parts = parts;
    this.#untilMs = this.#heldFrom(takenMs);
    this.#renewLater();
  }

  /** False once another node may have taken over: nothing may be sent to a carrier. */
  isHeld(): boolean {
    return this.#parts.clock.monotonicMs() < this.#untilMs;
  }

  /** Remaining time, ms, never below 0. */
  leftMs(): number {
    return Math.max(0, this.#untilMs - this.#parts.clock.monotonicMs());
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    await this.#round;
    await this.#drop();
  }

  #heldFrom(requestedMs: number): number {
    const { heldMs, marginMs } = this.#parts.times;
    return requestedMs + heldMs - marginMs;
  }

  #renewLater(): void {
    if (this.#stopped) return;
    this.#cancel = this.#parts.clock.after(this.#parts.times.renewEveryMs, () => {
      this.#round = this.#renew().finally(() => this.#renewLater());
    });
  }

  async #renew(): Promise<void> {
    const { clock, logger, renew, lost } = this.#parts;
    try {
      this.#client ??= await this.#parts.connect();
      // Measured from before the query, because the database's period begins no sooner.
      const requestedMs = clock.monotonicMs();
      if (await renew(this.#client)) this.#untilMs = this.#heldFrom(requestedMs);
      else {
        this.#untilMs = Number.NEGATIVE_INFINITY;
        this.#stopped = true;
        lost();
        return;
      }
    } catch (error) {
      await this.#drop();
      logger.debug({ cause: (error as Error).message }, 'PostgreSQL: the lease was not renewed');
    }
    if (this.isHeld() === this.#loggedHeld) return;
    this.#loggedHeld = !this.#loggedHeld;
    logger.warn(
      {},
      this.#loggedHeld
        ? 'the lease is renewed: messages go to carriers again'
        : 'the lease could not be renewed in time: nothing goes to carriers until it is',
    );
  }

  async #drop(): Promise<void> {
    const client = this.#client;
    this.#client = null;
    if (client !== null) await this.#parts.end(client);
  }
}
