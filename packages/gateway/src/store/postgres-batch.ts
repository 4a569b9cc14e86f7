/**
 * Sends several statements as one message and gets one answer: a round trip costs as much as a statement, because the
 * answer waits for the event loop. Each statement is prepared once per session.
 */
import type { ClientBase, Connection, FieldDef, Submittable } from 'pg';

/** A statement with its parameters. A name always stands for the same text. */
export interface Sent {
  name: string;
  text: string;
  values: readonly unknown[];
}

export interface Answer {
  rows: Record<string, string | number | null>[];
  rowCount: number;
}

/** int4 and int8 arrive as numbers, all of them below 2^53; everything else as text. */
export const wholeNumbers = [20, 23];

/** The prepared statements of a session: by name, the columns of their rows. */
type Prepared = Map<string, FieldDef[]>;

const preparedIn = new WeakMap<ClientBase, Prepared>();

/** The result of a message: the answers up to the failed statement; the server skips all later ones. */
export interface Outcome {
  answers: Answer[];
  error?: unknown;
}

/** Runs the statements in order. Never rejects. */
export function sendBatch(client: ClientBase, statements: readonly Sent[]): Promise<Outcome> {
  const prepared = preparedIn.get(client) ?? new Map();
  preparedIn.set(client, prepared);
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  client.query(new Batch(statements, prepared, resolve));
  return promise;
}

/** The protocol of `pg` for submitted queries (used by its cursors). */
class Batch implements Submittable {
  /** `pg` wraps it with its time-out. */
  callback: (error: unknown) => void;
  readonly #statements: readonly Sent[];
  readonly #prepared: Prepared;
  readonly #answers: Answer[] = [];
  /** Fields of the statement being answered. */
  #fields: FieldDef[] = [];
  #rows: Answer['rows'] = [];

  constructor(statements: readonly Sent[], prepared: Prepared, done: (outcome: Outcome) => void) {
    this.#statements = statements;
    this.#prepared = prepared;
    this.callback = (error) => done(error ? { answers: this.#answers, error } : { answers: this.#answers });
  }

  submit(connection: Connection): void {
    const fresh = new Set<string>();
    connection.stream.cork();
    for (const { name, text, values } of this.#statements) {
      const isNew = !this.#prepared.has(name) && !fresh.has(name);
      if (isNew) {
        fresh.add(name);
        // A statement that was prepared and then failed to run already exists.
        connection.close({ type: 'S', name }, true);
        connection.parse({ name, text, types: [] }, true);
      }
      connection.bind({ statement: name, values: values as never }, true);
      if (isNew) connection.describe({ type: 'P', name: '' }, true);
      connection.execute(null, true);
    }
    connection.sync();
    connection.stream.uncork();
  }

  handleRowDescription({ fields }: { fields: FieldDef[] }): void {
    this.#fields = fields;
  }

  handleDataRow({ fields: values }: { fields: (string | null)[] }): void {
    const fields = this.#prepared.get(this.#statement().name) ?? this.#fields;
    const row: Answer['rows'][number] = {};
    for (let i = 0; i < fields.length; i++) {
      const { name, dataTypeID } = fields[i]!;
      const value = values[i]!;
      row[name] = value !== null && wholeNumbers.includes(dataTypeID) ? Number(value) : value;
    }
    this.#rows.push(row);
  }

  handleCommandComplete({ text }: { text: string }): void {
    const { name } = this.#statement();
    if (!this.#prepared.has(name)) this.#prepared.set(name, this.#fields);
    // The tag ends with the number of rows, if the command has one: `INSERT 0 5`, `UPDATE 5`, `SELECT 5`.
    this.#answers.push({ rows: this.#rows, rowCount: Number(/\d+$/.exec(text)?.[0] ?? 0) });
    this.#fields = [];
    this.#rows = [];
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' });
  }

  handleError(error: unknown): void {
    this.callback(error);
  }

  handleReadyForQuery(): void {
    this.callback(null);
  }

  #statement(): Sent {
    return this.#statements[this.#answers.length]!;
  }
}
