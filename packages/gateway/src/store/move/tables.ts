/** The tables that a move copies, read from the schema itself, so that none is forgotten. */
import type { DatabaseSync } from 'node:sqlite';
import type { ClientBase } from 'pg';
import { StoreRefused } from '../faults.ts';
import type { ColumnType, Value } from '../query.ts';

export interface Table {
  name: string;
  columns: readonly { name: string; type: ColumnType }[];
}

/** A table and the order in which its rows are read. */
export interface SourceTable extends Table {
  /** Columns of the primary key; `rowid` where there is none. */
  key: readonly string[];
}

export type Row = readonly Value[];

/**
 * Not copied: each store's schema versions, and the files of media and evidence. With SQLite those are in the data
 * folder, from which the gateway moves them into PostgreSQL.
 */
const ownTables = ['schema_versions', 'media_files', 'media_chunks'];
/** The table with a move's progress; exists in the target during a move. */
export const moveTable = 'store_move';

export const quoted = (name: string): string => `"${name}"`;
export const listed = (names: readonly string[]): string => names.map(quoted).join(', ');
export const columnsOf = ({ columns }: Table): string => listed(columns.map(({ name }) => name));

export function sqliteTables(db: DatabaseSync): SourceTable[] {
  const found = db.prepare(
    `select name from sqlite_schema where type = 'table' and name not like 'sqlite%' order by name`,
  );
  return (found.all() as { name: string }[])
    .filter(({ name }) => !ownTables.includes(name))
    .map(({ name }) => {
      const info = db.prepare('select name, type, pk from pragma_table_info(?)').all(name) as {
        name: string;
        type: string;
        pk: number;
      }[];
      const key = info.filter(({ pk }) => pk > 0).sort((one, other) => one.pk - other.pk);
      return {
        name,
        columns: info.map((column) => ({ name: column.name, type: typeOf(column.type) })),
        key: key.length === 0 ? ['rowid'] : key.map((column) => column.name),
      };
    });
}

/** Tables of the schema in use, without the progress of a move. */
export async function postgresTables(client: ClientBase): Promise<Table[]> {
  const { rows } = await client.query<{ table: string; column: string | null; type: string }>(
    `select t.tablename as table, a.attname as column, a.atttypid::regtype::text as type
     from pg_tables t join pg_class c on c.oid = format('%I.%I', t.schemaname, t.tablename)::regclass
       left join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where t.schemaname = current_schema() and not c.relispartition and not t.tablename = any($1)
     order by t.tablename collate "C", a.attnum`,
    [[...ownTables, moveTable]],
  );
  const tables = new Map<string, { name: string; columns: { name: string; type: ColumnType }[] }>();
  for (const { table: name, column, type } of rows) {
    const table = tables.get(name) ?? { name, columns: [] };
    tables.set(name, table);
    if (column !== null) table.columns.push({ name: column, type: typeOf(type) });
  }
  return [...tables.values()];
}

function typeOf(declared: string): ColumnType {
  if (/int/i.test(declared)) return 'int';
  if (/text/i.test(declared)) return 'text';
  throw new StoreRefused(`A column is of the type ${declared}, which a move does not know.`);
}

/** Throws StoreRefused when one side has a table or a column that the other lacks. */
export function compareTables(source: readonly Table[], target: readonly Table[]): void {
  const words = (tables: readonly Table[]) =>
    new Set(tables.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name} (${column.type})`)));
  const [ours, theirs] = [words(source), words(target)];
  const differing = [...ours.symmetricDifference(theirs)];
  if (differing.length === 0) return;
  throw new StoreRefused(
    `The two schemas differ: ${differing.slice(0, 5).join(', ')}${differing.length > 5 ? ' …' : ''}. Give it an empty PostgreSQL database.`,
  );
}
