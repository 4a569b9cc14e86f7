/**
 * Runs an operation as a transaction of a PostgreSQL session. Statements whose rows the operation does not need are
 * sent with the next one whose rows it needs, so that a group of writes takes two or three round trips, whatever its
 * number of statements.
 */
import type { ClientBase } from 'pg';
import { renderPostgres } from './dialect.ts';
import { type Answer, type Sent, sendBatch } from './postgres-batch.ts';
import { isConnectionLoss } from './postgres-errors.ts';
import { binaryArray } from './postgres-values.ts';
import type { Operation, Query, Statement, Value } from './query.ts';

interface Rendered {
  name: string;
  text: string;
  columns: string[];
  batch: boolean;
  /** An insert, update or delete that returns nothing. */
  silent: boolean;
  seldom: boolean;
  /** The statement may change rows. */
  writes: boolean;
}

const known = new Map<Statement, Rendered>();

function renderedOf(statement: Statement): Rendered {
  const found = known.get(statement);
  if (found !== undefined) return found;
  const { sql, columns, batch } = renderPostgres(statement);
  const silent = /^\s*(insert|update|delete)\b/.test(sql) && !/\breturning\b/.test(sql);
  const writes = /\b(insert|update|delete)\b/.test(sql);
  const entry = { name: statement.name, text: sql, columns, batch, silent, seldom: statement.seldom === true, writes };
  known.set(statement, entry);
  return entry;
}

type Check = (answer: Answer) => void;

/** The transaction assumed something that turned out to be wrong: begin it again without the assumption. */
export class Unforeseen extends Error {}

const nothing: Check = ({ rows }) => {
  if (rows.length > 0) throw new Unforeseen();
};

/** Statements on their way to a session, in order. */
class Pipeline {
  /** Whether a write of the operation has changed a row. */
  wrote = false;
  readonly #client: ClientBase;
  #waiting: Sent[] = [];
  /** By a statement's place in the line: a check of its answer, which may throw. */
  #checks = new Map<number, Check>();

  constructor(client: ClientBase) {
    this.#client = client;
  }

  add(sent: Sent, check?: Check): void {
    if (check !== undefined) this.#checks.set(this.#waiting.length, check);
    this.#waiting.push(sent);
  }

  addWrite(sent: Sent, check?: Check): void {
    this.add(sent, (answer) => {
      if (answer.rowCount > 0) this.wrote = true;
      check?.(answer);
    });
  }

  /** Sends the waiting statements; returns their answers. An error thrown by a check explains a later failure. */
  async flush(): Promise<Answer[]> {
    if (this.#waiting.length === 0) return [];
    const [waiting, checks] = [this.#waiting, this.#checks];
    this.#waiting = [];
    this.#checks = new Map();
    const { answers, error } = await sendBatch(this.#client, waiting);
    for (const [place, check] of checks) if (place < answers.length) check(answers[place]!);
    if (error !== undefined) throw error;
    return answers;
  }
}

/**
 * Drives an operation. Pure writes wait for the first statement whose rows it needs, or for its end, so that they share
 * one message.
 */
async function drive<T>(operation: Operation<T>, pipeline: Pipeline, foresees: boolean): Promise<T> {
  let step = operation.next();
  while (!step.done) {
    const { silent, seldom } = renderedOf(step.value.statement);
    const waits = !silent && !(seldom && foresees);
    const count = add(pipeline, step.value, !silent && !waits ? nothing : undefined);
    const found = waits ? (await pipeline.flush()).slice(-count).flatMap((answer) => answer.rows) : [];
    step = operation.next(found);
  }
  await pipeline.flush();
  return step.value;
}

/** How many statements it takes. */
function add(pipeline: Pipeline, { statement, rows }: Query, check?: Check): number {
  const { name, text, columns, batch, writes } = renderedOf(statement);
  const send = (sent: Sent, look?: Check) => (writes ? pipeline.addWrite(sent, look) : pipeline.add(sent, look));
  if (!batch) {
    for (const row of rows) send({ name, text, values: columns.map((column) => plain(row[column])) }, check);
    return rows.length;
  }
  const types = statement.columns;
  const values = columns.map((column) =>
    binaryArray(
      types[column]!,
      rows.map((row) => row[column]),
    ),
  );
  send({ name, text, values }, statement.exact ? exactly(name, rows.length) : check);
  return 1;
}

const plain = (value: Value | undefined): string | null => (value == null ? null : String(value));

const exactly =
  (name: string, rows: number): Check =>
  ({ rowCount }) => {
    if (rowCount !== rows) throw new Error(`${name} changed ${rowCount} rows instead of ${rows}`);
  };

export interface TransactionOptions<T> {
  /** Statements at the beginning of the transaction. */
  begin?: readonly Sent[];
  /** Gets their answers; may throw. */
  begun?(answers: Answer[]): void;
  /** The operation needs none of their answers, and its `seldom` reads find no row; otherwise it throws Unforeseen. */
  foresees?: boolean;
  /** If the operation changed nothing, the transaction is rolled back, and nothing is written to disk. */
  mayBeIdle?: boolean;
  /** Gets the result just before the commit is sent: a session lost after that leaves the outcome unknown. */
  committing?(result: T): void;
}

const plainBegin = [stated('begin', 'begin')];

/** A statement without parameters. */
export function stated(name: string, text: string): Sent {
  return { name, text, values: [] };
}

/** Runs an operation as one transaction, on disk when it resolves. */
export async function transaction<T>(
  client: ClientBase,
  operation: Operation<T>,
  { begin = plainBegin, begun, foresees = false, mayBeIdle = false, committing }: TransactionOptions<T> = {},
): Promise<T> {
  const pipeline = new Pipeline(client);
  let result: T;
  try {
    const answers: Answer[] = [];
    begin.forEach((statement, place) => {
      pipeline.add(statement, (answer) => {
        answers.push(answer);
        if (place === begin.length - 1) begun?.(answers);
      });
    });
    if (begun !== undefined && !foresees) await pipeline.flush();
    result = await drive(operation, pipeline, foresees);
  } catch (error) {
    // If the session is lost, the server rolls back by itself, and a query would only run into its time-out.
    if (!isConnectionLoss(error)) await client.query('rollback').catch(() => {});
    throw error;
  }
  if (mayBeIdle && !pipeline.wrote) {
    await client.query('rollback');
    return result;
  }
  committing?.(result);
  await client.query('commit');
  return result;
}
