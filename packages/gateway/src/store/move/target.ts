/**
 * The PostgreSQL side of a move: fills an empty database under the node lock. A separate table holds its progress,
 * written in the same transaction as the rows; while that table exists, no node starts.
 */
import type { Socket } from 'node:net';
import { Client, type ClientBase } from 'pg';
import { StoreRefused } from '../faults.ts';
import { migrate, pendingMigrations, schemaVersion } from '../migrate.ts';
import { lockNode } from '../postgres-lock.ts';
import { requireOwnSchema } from '../postgres-own-schema.ts';
import { refuseSharedSessions } from '../postgres-pooler.ts';
import { clientConfig, endWithin, prepareSession } from '../postgres-session.ts';
import { transaction } from '../postgres-transaction.ts';
import { type Sum, TableSum } from './checksum.ts';
import { columnsOf, listed, moveTable, postgresTables, quoted, type Row, type Table } from './tables.ts';

const fetchRows = 1_000;
const elementTypes = { text: 'text[]', int: 'bigint[]' } as const;

/** The state of the database before a move begins or continues. */
export type TargetState =
  | { kind: 'empty' }
  | { kind: 'begun'; id: string }
  /** Tables that have rows, or that belong to no store. */
  | { kind: 'used'; tables: string[] };

export class MoveTarget {
  /** Host, port and database, to show to people. */
  readonly name: string;
  readonly #client: Client;
  readonly #sockets: Set<Socket>;

  private constructor(client: Client, sockets: Set<Socket>) {
    this.#client = client;
    this.#sockets = sockets;
    this.name = `${client.host}:${client.port}/${client.database}`;
  }

  /** Throws StoreRefused while a node runs there, and for every reason that stops a start. */
  static async open(databaseUrl: string): Promise<MoveTarget> {
    await refuseSharedSessions(databaseUrl);
    const sockets = new Set<Socket>();
    // Statistics of a large table, and reading all of its rows, take longer than a node's statements may.
    const config = { ...clientConfig(databaseUrl, 'heliograph move', sockets), query_timeout: 0 };
    const target = new MoveTarget(new Client(config), sockets);
    target.#client.on('error', () => {});
    try {
      await target.#client.connect();
      await prepareSession(target.#client);
      await requireOwnSchema(target.#client);
      await target.#client.query('set statement_timeout = 0; set enable_seqscan = on');
      await lockNode(target.#client);
      return target;
    } catch (error) {
      await target.close();
      throw error;
    }
  }

  close(): Promise<void> {
    return endWithin(this.#client.end(), this.#sockets);
  }

  async state(): Promise<TargetState> {
    const id = await moveUnderWay(this.#client);
    if (id !== null) return { kind: 'begun', id };
    const tables = await postgresTables(this.#client);
    if ((await this.schemaVersion()) === 0 && tables.length > 0) {
      return { kind: 'used', tables: tables.map(({ name }) => name) };
    }
    const used: string[] = [];
    for (const { name } of tables) {
      const { rowCount } = await this.#client.query(`select 1 from ${quoted(name)} limit 1`);
      if (rowCount !== 0) used.push(name);
    }
    return used.length === 0 ? { kind: 'empty' } : { kind: 'used', tables: used };
  }

  /** 0 without a store. */
  schemaVersion(): Promise<number> {
    return transaction(this.#client, schemaVersion());
  }

  /** Creates the tables of a store; the database stays empty. */
  async prepare(now: number): Promise<void> {
    for (const migration of pendingMigrations(await this.schemaVersion())) {
      await transaction(this.#client, migrate(migration, now, 'postgres'));
    }
  }

  /** From now on no node starts here. */
  async begin(id: string): Promise<void> {
    const tables = await this.tables();
    await this.#client.query(
      `begin; create table ${moveTable} (id text not null, name text not null primary key, copied bigint not null, last text)`,
    );
    const values = [id, tables.map(({ name }) => name)];
    await this.#client.query(`insert into ${moveTable} select $1, unnest($2::text[]), 0`, values);
    await this.#client.query('commit');
  }

  tables(): Promise<Table[]> {
    return postgresTables(this.#client);
  }

  /** How many rows of a table are copied, and the key of the last one. */
  async progress({ name }: Table): Promise<{ copied: number; last: Row | null }> {
    const { rows } = await this.#client.query<{ copied: number; last: string | null }>(
      `select copied, last from ${moveTable} where name = $1`,
      [name],
    );
    const { copied, last } = rows[0]!;
    return { copied, last: last === null ? null : (JSON.parse(last) as Row) };
  }

  /** Rows and progress in one transaction. */
  async add(table: Table, rows: readonly Row[], last: Row): Promise<void> {
    const { columns, name } = table;
    const arrays = columns.map(({ type }, index) => `$${index + 1}::${elementTypes[type]}`).join(', ');
    await this.#client.query('begin');
    await this.#client.query(
      `insert into ${quoted(name)} (${columnsOf(table)}) select * from unnest(${arrays})`,
      columns.map((_, index) => rows.map((row) => row[index])),
    );
    await this.#client.query(`update ${moveTable} set copied = copied + $2, last = $3 where name = $1`, [
      name,
      rows.length,
      JSON.stringify(last),
    ]);
    await this.#client.query('commit');
  }

  async sum(table: Table): Promise<Sum> {
    const sum = new TableSum();
    const names = table.columns.map(({ name }) => name);
    await this.#client.query(
      `begin isolation level repeatable read read only;
       declare every_row no scroll cursor for select ${listed(names)} from ${quoted(table.name)}`,
    );
    for (;;) {
      const { rows } = await this.#client.query<Row & unknown[]>({
        text: `fetch ${fetchRows} from every_row`,
        rowMode: 'array',
      });
      for (const row of rows) sum.add(row);
      if (rows.length < fetchRows) break;
    }
    await this.#client.query('commit');
    return sum.total();
  }

  /** Opens the database to nodes. */
  async finish(): Promise<void> {
    for (const { name } of await this.tables()) await this.#client.query(`analyze ${quoted(name)}`);
    await this.#client.query(`drop table ${moveTable}`);
  }
}

/** The id of a move that has not ended; null when there is none. */
async function moveUnderWay(client: ClientBase): Promise<string | null> {
  const { rows } = await client.query<{ found: string | null }>(
    `select to_regclass(format('%I.${moveTable}', current_schema()))::text as found`,
  );
  if (rows[0]!.found === null) return null;
  return (await client.query<{ id: string }>(`select id from ${moveTable} limit 1`)).rows[0]!.id;
}

/** For every start and command. Throws StoreRefused. */
export async function refuseUnfinishedMove(client: ClientBase): Promise<void> {
  if ((await moveUnderWay(client)) === null) return;
  throw new StoreRefused(
    'A move into this database has not ended. Let it go on: npx helio migrate-store --from sqlite --to postgres',
  );
}
