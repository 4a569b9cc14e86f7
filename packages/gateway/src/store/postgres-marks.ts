/**
 * A mark that every transaction of the node writes, replacing the one before. It tells whether a transaction
 * committed, even after a server crash, when transaction ids are reused.
 */
import type { ClientBase } from 'pg';

const likeMark = 'commit %';

export class CommitMarks {
  readonly #token: number;
  #count = 0;
  #newest: string | null = null;

  constructor(token: number) {
    this.#token = token;
  }

  /** A name that no other transaction has, and the statements that begin the transaction and write it. */
  next(): { name: string; begin: string } {
    this.#count += 1;
    const name = `commit ${this.#token}-${this.#count}`;
    const former = this.#newest === null ? '' : `; delete from counters where name = '${this.#newest}'`;
    return { name, begin: `begin; insert into counters (name, value) values ('${name}', 0)${former}` };
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

/** Removes the marks of earlier starts. */
export async function forgetMarks(client: ClientBase): Promise<void> {
  await client.query('delete from counters where name like $1', [likeMark]);
}
