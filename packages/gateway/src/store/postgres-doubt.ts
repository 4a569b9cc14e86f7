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
  token: number;
  number: number;
}

/**
 * While somebody holds a snapshot, the server keeps every version of a row, and a write reads all of them. So a row takes
 * this many marks, then the next one begins.
 */
const marksOfRow = 256;
const prefix = 'mark ';
/** How marks were named when one row took all of them; `commit` and the token. */
const formerPrefix = 'commit ';

/** The row of a mark, and all rows of its token. */
const rowOf = ({ token, number }: CommitMark): string => `${prefix}${token} ${Math.floor(number / marksOfRow)}`;
const rowsOf = (token: number): string => `${prefix}${token} %`;

/** The mark of the node's last transaction on disk. */
export class CommitMarks {
  readonly #token: number;
  #count = 0;
  #confirmed = 0;

  constructor(token: number) {
    this.#token = token;
  }

  /** A mark that no other transaction has. */
  next(): CommitMark {
    this.#count += 1;
    return { token: this.#token, number: this.#count };
  }

  /** The server has confirmed this commit: from now on no server may lack it. */
  confirm({ number }: CommitMark): void {
    this.#confirmed = number;
  }

  /** Whether a server has every commit that was confirmed to this node. */
  async areIn(client: ClientBase): Promise<boolean> {
    if (this.#confirmed === 0) return true;
    const { rows } = await client.query('select 1 from counters where name like $1 and value >= $2 limit 1', [
      rowsOf(this.#token),
      this.#confirmed,
    ]);
    return rows.length === 1;
  }
}

/** The first mark of a row takes away the rows before. */
export function writeMark(mark: CommitMark): Sent[] {
  const write = {
    name: 'write_mark',
    text: `insert into counters (name, value) values ($1, $2::bigint)
    on conflict (name) do update set value = excluded.value`,
    values: [rowOf(mark), String(mark.number)],
  };
  if (mark.number % marksOfRow !== 0) return [write];
  const forget = {
    name: 'forget_marks',
    text: 'delete from counters where name like $1 and name <> $2',
    values: [rowsOf(mark.token), rowOf(mark)],
  };
  return [write, forget];
}

/**
 * Whether the transaction of the newest mark is on disk, and at the standby if the server waits for one. Only certain once the
 * session that wrote it is gone. Ending a session that waits for a standby commits on the server alone; the commit of this
 * update waits for everything before it.
 */
export async function hasMark(client: ClientBase, mark: CommitMark): Promise<boolean> {
  const { rowCount } = await client.query('update counters set value = value where name = $1 and value = $2', [
    rowOf(mark),
    mark.number,
  ]);
  return rowCount === 1;
}

/** Removes the marks of earlier starts; other live nodes keep theirs, also those of the version before. */
export async function forgetMarks(client: ClientBase): Promise<void> {
  await client.query(
    `delete from counters where name like '${prefix}%' and not exists
       (select 1 from leases where counters.name like '${prefix}' || leases.epoch || ' %')`,
  );
  await client.query(
    `delete from counters where name like '${formerPrefix}%' and not exists
       (select 1 from leases where counters.name = '${formerPrefix}' || leases.epoch)`,
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
    this.#cancel = timers.after(doubtMsMax, () => this.giveUp());
  }

  /** The callers wait no longer. */
  giveUp(): void {
    this.#cancel();
    this.givenUp = true;
    this.#callers.reject(inDoubt());
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
