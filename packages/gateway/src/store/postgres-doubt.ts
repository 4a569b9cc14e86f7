/**
 * A commit whose answer was lost. Every transaction of the node writes its number, which shows whether it committed,
 * even after a server crash, when transaction ids are reused. Callers wait for the look-up for a bounded time.
 */
import type { ClientBase } from 'pg';
import type { Timers } from '../kernel/clock.ts';
import { CommitInDoubt } from './engine.ts';
import { type StoreBroken, StoreUnavailable } from './faults.ts';
import type { Sent } from './postgres-batch.ts';

/** Identifies a transaction: its number under this token. */
export interface CommitMark {
  name: string;
  number: number;
}

/** The mark of the node's last transaction on disk, in a row of its own. */
export class CommitMarks {
  readonly #name: string;
  #count = 0;
  #confirmed = 0;

  constructor(token: number) {
    this.#name = `${marks}${token}`;
  }

  /** A mark that no other transaction has. */
  next(): CommitMark {
    this.#count += 1;
    return { name: this.#name, number: this.#count };
  }

  /** The server has confirmed this commit: from now on no server may lack it. */
  confirm({ number }: CommitMark): void {
    this.#confirmed = number;
  }

  /** Whether a server has every commit that was confirmed to this node. */
  async areIn(client: ClientBase): Promise<boolean> {
    if (this.#confirmed === 0) return true;
    const { rowCount } = await client.query('select 1 from counters where name = $1 and value >= $2', [
      this.#name,
      this.#confirmed,
    ]);
    return rowCount === 1;
  }
}

const marks = 'commit ';

export const writeMark = ({ name, number }: CommitMark): Sent => ({
  name: 'write_mark',
  text: `insert into counters (name, value) values ($1, $2::bigint)
    on conflict (name) do update set value = excluded.value`,
  values: [name, String(number)],
});

/**
 * Whether the transaction of the newest mark is on disk, and at the standby if the server waits for one. Only certain once the
 * session that wrote it is gone. Ending a session that waits for a standby commits on the server alone; the commit of this
 * update waits for everything before it.
 */
export async function hasMark(client: ClientBase, { name, number }: CommitMark): Promise<boolean> {
  const { rowCount } = await client.query('update counters set value = value where name = $1 and value = $2', [
    name,
    number,
  ]);
  return rowCount === 1;
}

/** Removes the marks of earlier starts; other live nodes keep theirs. */
export async function forgetMarks(client: ClientBase): Promise<void> {
  await client.query(
    `delete from counters where name like '${marks}%' and not exists
       (select 1 from leases where counters.name = '${marks}' || leases.epoch)`,
  );
}

/** How long callers wait for the server to return and for the outcome of their commit. */
const doubtMsMax = 10_000;

export class Doubt {
  readonly mark: CommitMark;
  /** The claims that its callers were to get. */
  readonly handedOut: readonly unknown[];
  /** True when the callers got no answer in time: stored claims then have no owner. */
  givenUp = false;
  readonly error: CommitInDoubt;
  readonly #results: unknown[][];
  readonly #callers = Promise.withResolvers<unknown[][]>();
  readonly #cancel: () => void;

  constructor(mark: CommitMark, results: unknown[][], handedOut: readonly unknown[], timers: Timers) {
    this.mark = mark;
    this.handedOut = handedOut;
    this.#results = results;
    this.error = new CommitInDoubt(this.#callers.promise);
    this.#cancel = timers.after(doubtMsMax, () => {
      this.givenUp = true;
      this.#callers.reject(inDoubt());
    });
  }

  /** Does nothing for callers that have given up. */
  settle(outcome: 'stored' | 'nothing' | StoreBroken): void {
    this.#cancel();
    if (outcome === 'stored') this.#callers.resolve(this.#results);
    else if (outcome === 'nothing')
      this.#callers.reject(new StoreUnavailable('down', 'PostgreSQL: the session was lost'));
    else this.#callers.reject(outcome);
  }
}

export function inDoubt(): StoreUnavailable {
  return new StoreUnavailable('down', 'PostgreSQL: the session was lost in a commit', { inDoubt: true });
}
