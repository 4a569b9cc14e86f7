/**
 * A commit whose answer was lost. Every transaction of the node writes a mark, replacing the one before, which tells
 * whether it committed, even after a server crash, when transaction ids are reused. Callers wait for the look-up for a
 * bounded time.
 */
import type { ClientBase } from 'pg';
import { CommitInDoubt } from './engine.ts';
import { type StoreBroken, StoreUnavailable } from './faults.ts';

const likeMark = 'commit %';

export class CommitMarks {
  readonly #token: number;
  #count = 0;
  #newest: string | null = null;

  constructor(token: number) {
    this.#token = token;
  }

  /** A name that no other transaction has, and the statements that write it. */
  next(): { name: string; write: string } {
    this.#count += 1;
    const name = `commit ${this.#token}-${this.#count}`;
    const former = this.#newest === null ? '' : `; delete from counters where name = '${this.#newest}'`;
    return { name, write: `insert into counters (name, value) values ('${name}', 0)${former}` };
  }

  /** Its transaction is on disk. */
  committed(name: string): void {
    this.#newest = name;
  }
}

/** Whether the transaction of a mark is on disk. Only certain once the session that wrote it is gone. */
export async function hasMark(client: ClientBase, name: string): Promise<boolean> {
  const { rowCount } = await client.query('select 1 from counters where name = $1', [name]);
  return rowCount === 1;
}

/** Removes the marks of earlier starts; other nodes that live keep theirs. */
export async function forgetMarks(client: ClientBase): Promise<void> {
  await client.query(
    `delete from counters where name like $1 and not exists
       (select 1 from leases where counters.name like 'commit ' || leases.epoch || '-%')`,
    [likeMark],
  );
}

/** How long callers wait until the server is back and what became of their commit is known. */
const doubtMsMax = 10_000;

export class Doubt {
  readonly mark: string;
  /** What its callers were to get. */
  readonly handedOut: readonly unknown[];
  /** True when the callers got no answer in time: what is stored then belongs to nobody. */
  givenUp = false;
  readonly error: CommitInDoubt;
  readonly #results: unknown[][];
  readonly #callers = Promise.withResolvers<unknown[][]>();
  readonly #timer: NodeJS.Timeout;

  constructor(mark: string, results: unknown[][], handedOut: readonly unknown[]) {
    this.mark = mark;
    this.handedOut = handedOut;
    this.#results = results;
    this.error = new CommitInDoubt(this.#callers.promise);
    this.#timer = setTimeout(() => {
      this.givenUp = true;
      this.#callers.reject(inDoubt());
    }, doubtMsMax);
  }

  /** Without effect on callers that have given up. */
  settle(outcome: 'stored' | 'nothing' | StoreBroken): void {
    clearTimeout(this.#timer);
    if (outcome === 'stored') this.#callers.resolve(this.#results);
    else if (outcome === 'nothing')
      this.#callers.reject(new StoreUnavailable('down', 'PostgreSQL: the session was lost'));
    else this.#callers.reject(outcome);
  }
}

export function inDoubt(): StoreUnavailable {
  return new StoreUnavailable('down', 'PostgreSQL: the session was lost in a commit', { inDoubt: true });
}
