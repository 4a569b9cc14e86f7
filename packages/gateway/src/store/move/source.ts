/** The SQLite side of a move: reads the tables of a store that no process uses. */
import { DatabaseSync } from 'node:sqlite';
import { type Sum, TableSum } from './checksum.ts';
import { columnsOf, listed, quoted, type Row, type SourceTable, sqliteTables } from './tables.ts';

export interface Page {
  rows: Row[];
  /** The key of the last row, after which the next page begins. Null without rows. */
  last: Row | null;
}

export class MoveSource {
  readonly tables: readonly SourceTable[];
  readonly #db: DatabaseSync;

  constructor(path: string) {
    this.#db = new DatabaseSync(path, { readOnly: true });
    this.tables = sqliteTables(this.#db);
  }

  rowsOf({ name }: SourceTable): number {
    return Number(this.#db.prepare(`select count(*) as n from ${quoted(name)}`).get()!.n);
  }

  /** In the order of the key, after `after`. */
  page(table: SourceTable, { after, limit }: { after: Row | null; limit: number }): Page {
    const key = listed(table.key);
    const behind = after === null ? '' : `where (${key}) > (${table.key.map(() => '?').join(', ')})`;
    const statement = this.#db.prepare(
      `select ${key}, ${columnsOf(table)} from ${quoted(table.name)} ${behind} order by ${key} limit ?`,
    );
    statement.setReturnArrays(true);
    const found = statement.all(...(after ?? []), limit) as unknown as Row[];
    return {
      rows: found.map((row) => storable(row.slice(table.key.length))),
      last: found.at(-1)?.slice(0, table.key.length) ?? null,
    };
  }

  sum(table: SourceTable): Sum {
    const sum = new TableSum();
    const statement = this.#db.prepare(`select ${columnsOf(table)} from ${quoted(table.name)}`);
    statement.setReturnArrays(true);
    for (const row of statement.iterate()) sum.add(storable(row as unknown as Row));
    return sum.total();
  }

  close(): void {
    this.#db.close();
  }
}

/** PostgreSQL cannot store NUL: it becomes the replacement character, as in texts from carriers. */
function storable(row: Row): Row {
  return row.map((value) =>
    typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value,
  );
}
