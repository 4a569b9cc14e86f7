/**
 * The language of operations: a generator yields statements with rows and receives rows. Engine-independent and free
 * of I/O, so the same code runs on SQLite (synchronously) and PostgreSQL (awaited).
 */

/** What a column can hold. Flags are 0 and 1; times are ms since the epoch. */
export type Value = string | number | null;

export type ColumnType = 'text' | 'int';
export type Columns = Readonly<Record<string, ColumnType>>;

/** One row for a statement: every named column, `null` where the value is unknown. */
export type RowFor<C extends Columns> = { [K in keyof C]: (C[K] extends 'text' ? string : number) | null };

/**
 * SQL written once for both engines; see `dialect.ts` for what `r.column` and `{rows}` become. With `{rows}` it runs on
 * a whole batch, without it on exactly one row.
 */
export interface Statement<C extends Columns = Columns, Row = unknown> {
  readonly name: string;
  readonly columns: C;
  readonly sql: string;
  /** Each row must change exactly one row of the table; anything else is a bug and rolls the transaction back. */
  readonly exact: boolean;
  /**
   * Seldom finds a row: PostgreSQL continues as if there were none, and begins the transaction again when there is one.
   */
  readonly seldom?: true;
  /** Only for the type of the returned rows; never set. */
  readonly row?: Row;
}

export interface Query {
  statement: Statement;
  rows: readonly Record<string, Value>[];
}

/** A step of work that queries the database and returns a `T`. */
export type Operation<T> = Generator<Query, T, unknown[]>;

/** Declares a statement; the type argument is the shape of the rows it returns. */
export function statement<Row = never>() {
  return <const C extends Columns>(name: string, columns: C, sql: string, exact = false): Statement<C, Row> => ({
    name,
    columns,
    sql,
    exact,
  });
}

/** Marks a read that seldom finds a row, so that the transaction need not wait for its answer. */
export function seldom<S extends Statement>(read: S): S {
  return { ...read, seldom: true };
}

/** Runs a statement on the rows; sends nothing when there are none. */
export function* run<C extends Columns, Row>(
  statement: Statement<C, Row>,
  rows: readonly RowFor<C>[],
): Generator<Query, Row[], unknown[]> {
  if (rows.length === 0) return [];
  return (yield { statement, rows } as unknown as Query) as Row[];
}

/** Drives an operation on a synchronous engine. */
export function runSync<T>(operation: Operation<T>, execute: (query: Query) => unknown[]): T {
  let step = operation.next();
  while (!step.done) step = operation.next(execute(step.value));
  return step.value;
}

/** The same in pieces of at most `rowsMax` rows of one statement, so that the caller may do other work in between. */
export function* inPieces<T>(
  operation: Operation<T>,
  execute: (query: Query) => unknown[],
  rowsMax: number,
): Generator<void, T> {
  let step = operation.next();
  while (!step.done) {
    const { statement, rows } = step.value;
    const found: unknown[] = [];
    for (let at = 0; at < rows.length; at += rowsMax) {
      if (at > 0) yield;
      found.push(...execute({ statement, rows: rows.slice(at, at + rowsMax) }));
    }
    yield;
    step = operation.next(found);
  }
  return step.value;
}
