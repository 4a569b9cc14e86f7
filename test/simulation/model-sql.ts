/**
 * The SQL of the modelled server. Statements of the product's modules run as the product itself writes them for SQLite
 * (`store/dialect.ts`; the contract suite of the store compares the two engines). The few that only PostgreSQL's engine has
 * (leases, the look of a turn) are translated here.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { renderSqlite } from '../../packages/gateway/src/store/dialect.ts';
import { migrateAll } from '../../packages/gateway/src/store/migrate.ts';
import type { Sent } from '../../packages/gateway/src/store/postgres-batch.ts';
import { type Query, runSync, type Statement } from '../../packages/gateway/src/store/query.ts';

export interface Rows {
  names: string[];
  rows: unknown[][];
  /** Found or changed. */
  count: number;
}

/** A statement with its parameters, ready to be run, and to be run again. */
export interface Ready {
  /** The table it changes; null = none. */
  changes: string | null;
  run(): Rows;
}

const source = fileURLToPath(new URL('../../packages/gateway/src/', import.meta.url));

/** By name, all that the modules declare. */
const declared: ReadonlyMap<string, Statement> = await statements();

async function statements(): Promise<Map<string, Statement>> {
  const found = new Map<string, Statement>();
  const seen = new Set<object>();
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    const { name, sql } = value as Partial<Statement>;
    if (typeof name === 'string' && typeof sql === 'string') found.set(name, value as Statement);
    else for (const inside of Object.values(value)) collect(inside);
  };
  const paths = readdirSync(source, { recursive: true, encoding: 'utf8' }).sort();
  for (const path of paths)
    if (/store\/(statements\/[a-z-]+|(system\/)?statements)\.ts$/.test(path))
      collect({ ...(await import(join(source, path))) });
  return found;
}

interface Prepared {
  handle: StatementSync;
  names: string[];
  changes: string | null;
  /** Of a statement of a module: its parameters, by name. */
  declared: { statement: Statement; columns: readonly string[] } | null;
}

export class ModelSql {
  readonly db = new DatabaseSync(':memory:');
  readonly #prepared = new Map<string, Prepared>();

  /** `now`: the clock of the server. */
  constructor(now: () => number) {
    this.db.function('db_now', () => now());
    migrateAll({ write: (operation) => runSync(operation, (query) => this.#runDirectly(query)) }, 0);
  }

  ready({ name, text, values }: Sent): Ready {
    const prepared = this.#prepared.get(declared.has(name) ? name : text) ?? this.#prepare(name, text);
    const { declared: of, changes } = prepared;
    const list =
      of === null
        ? [values.map(asValue)]
        : rowsOf(of.statement, values).map((row) => of.columns.map((column) => row[column] as SQLInputValue));
    return { changes, run: () => execute(prepared, list) };
  }

  /** For those who watch: in the transaction that is open, else of what is committed. */
  rows<Row>(sql: string, ...values: SQLInputValue[]): Row[] {
    const { handle, names } = this.#prepared.get(sql) ?? this.#prepare('', sql);
    const found = handle.all(...values) as unknown as unknown[][];
    return found.map((cells) => Object.fromEntries(names.map((name, place) => [name, cells[place]])) as Row);
  }

  close(): void {
    this.db.close();
  }

  #runDirectly({ statement, rows }: Query): unknown[] {
    const { sql, columns } = renderSqlite(withOneTable(statement));
    const handle = this.db.prepare(sql);
    return rows.flatMap((row) => {
      const values = columns.map((column) => row[column]!);
      if (handle.columns().length > 0) return handle.all(...values);
      handle.run(...values);
      return [];
    });
  }

  #prepare(name: string, text: string): Prepared {
    const statement = declared.get(name);
    const { sql, columns } =
      statement === undefined ? { sql: translated(text), columns: [] } : renderSqlite(withOneTable(statement));
    const handle = this.db.prepare(sql);
    handle.setReturnArrays(true);
    const names = handle.columns().map((column) => column.name);
    const of = statement === undefined ? null : { statement, columns };
    const prepared = { handle, names, changes: changedBy(sql), declared: of };
    this.#prepared.set(statement === undefined ? text : name, prepared);
    return prepared;
  }
}

/** PostgreSQL has sent messages in one table. */
const withOneTable = (statement: Statement): Statement => ({
  ...statement,
  sql: statement.sql.replaceAll('{conversations_end}', 'conversations'),
});

function execute({ handle, names }: Prepared, list: readonly SQLInputValue[][]): Rows {
  const rows: unknown[][] = [];
  let count = 0;
  for (const values of list) {
    if (names.length === 0) count += Number(handle.run(...values).changes);
    else rows.push(...(handle.all(...values) as unknown as unknown[][]));
  }
  return { names, rows, count: names.length === 0 ? count : rows.length };
}

const databaseNow = '(extract(epoch from clock_timestamp()) * 1000)::bigint';

const translated = (text: string): string =>
  text
    .replaceAll(databaseNow, 'db_now()')
    .replace(/::(bigint|text|int)\b(\[\])?/g, '')
    .replace(/= any\((\$\d+)\)/g, 'in (select value from json_each($1))')
    .replaceAll('json_agg(', 'json_group_array(')
    .replace(/\$(\d+)/g, '?$1');

const changedBy = (sql: string): string | null =>
  /^\s*(?:insert into|update|delete from)\s+(\w+)/.exec(sql)?.[1] ?? null;

function asValue(value: unknown): SQLInputValue {
  return Array.isArray(value) ? JSON.stringify(value) : (value as SQLInputValue);
}

/** What the engine sends: one array a column for a batch, else plain values as text. */
function rowsOf({ columns, sql }: Statement, values: readonly unknown[]): Record<string, string | number | null>[] {
  const names = Object.keys(columns);
  if (!sql.includes('{rows}')) {
    return [
      Object.fromEntries(names.map((name, place) => [name, typed(columns[name]!, values[place] as string | null)])),
    ];
  }
  const lists = values.map((bytes) => elementsOf(bytes as Buffer));
  const count = lists[0]?.length ?? 0;
  return Array.from({ length: count }, (_, row) =>
    Object.fromEntries(names.map((name, place) => [name, lists[place]![row]!])),
  );
}

const typed = (type: 'int' | 'text', value: string | null): string | number | null =>
  value === null || type === 'text' ? value : Number(value);

const bigintOid = 20;

/** The elements of a binary array of one dimension. */
function elementsOf(bytes: Buffer): (string | number | null)[] {
  const isInt = bytes.readInt32BE(8) === bigintOid;
  const count = bytes.readInt32BE(12);
  const elements: (string | number | null)[] = [];
  for (let at = 20; elements.length < count; ) {
    const length = bytes.readInt32BE(at);
    at += 4;
    if (length < 0) elements.push(null);
    else if (isInt) elements.push(Number(bytes.readBigInt64BE(at)));
    else elements.push(bytes.toString('utf8', at, at + length));
    at += Math.max(0, length);
  }
  return elements;
}
