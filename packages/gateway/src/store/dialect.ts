/**
 * The differences between the two engines' SQL. A statement reads its batch as rows named `r`: PostgreSQL receives one
 * array per column (`unnest`); SQLite runs the statement per row with `r.column` as a parameter, or one insert for
 * several rows.
 *
 * A statement names its batch in one of three places: ` from {rows} r`, ` using {rows} r`, or `{rows} r, ` before a
 * table.
 */
import type { Columns, Statement } from './query.ts';

interface Rendered {
  sql: string;
  /** The columns in the order of the parameters. */
  columns: string[];
}

const columnPattern = /\br\.(\w+)/g;
/** An insert of plain rows: `values` is a fifth faster than `select`. */
const insertPattern = /\bselect ([^()]*?)\s+from \{rows\} r\b(?:\s+where true)?/;
/**
 * `{log of r.message_id since r.accepted_at}` behind the tables of a statement, and `{in log e}` among its conditions:
 * events of that message, which was accepted at that time. PostgreSQL then skips earlier partitions of the log.
 */
const logPattern = /\{log of ([\w.]+) since ([\w.]+)\}/;
const inLogPattern = /\{in log (\w+)\}/;
/**
 * `t.column = r.column`, with what is looked up on the left: as `= any (array[…])` PostgreSQL can only do it this way
 * round, and by an index. As a plain equality it may read all of t and compare each row with the whole batch: when the
 * plan is made for an empty table that costs the same, and the plan stays while the table fills. Where an index over few
 * states could be read whole instead, `state || '' = …` hides it, or `{each} (select … {apart})` looks up apart for each
 * row. Where the rest of an index gives the order, as in `select min(t.at) … where t.column = (r.column)`, parentheses keep
 * the equality.
 */
const equalityPattern = /\b([a-z_]+\.[a-z_]+(?: \/ \d+)?) = ([a-z_]+\.[a-z_]+)\b(?! *[-+*/|:])/g;
const batchPattern = /\s(?:from|using) \{rows\} r\b(?!,)|\{rows\} r, /;
/** The planner of SQLite looks at a plain parameter here, and so prepares the statement again whenever one is bound. */
const limitPattern = /\blimit (?=\?)/g;

function parameters(statement: Statement<Columns, unknown>): Rendered {
  const columns = Object.keys(statement.columns);
  for (const [, column] of statement.sql.matchAll(columnPattern)) {
    if (!columns.includes(column!)) throw new Error(`statement ${statement.name} has no column ${column}`);
  }
  return { sql: statement.sql, columns };
}

/**
 * One row, or `count` rows where `takesSeveral`. A column named twice is bound twice, because SQLite searches numbered
 * parameters one by one.
 */
export function renderSqlite(statement: Statement<Columns, unknown>, count = 1): Rendered {
  const rendered = parameters(statement);
  const columns: string[] = [];
  const values = `values ${Array.from({ length: count }, () => '($1)').join(', ')}`;
  const sql = rendered.sql
    .replace(inLogPattern, `$1.message_id = ${logPattern.exec(rendered.sql)?.[1]}`)
    .replace(logPattern, '')
    .replace(insertPattern, rendered.sql.startsWith('insert') ? values : '$&')
    .replace(batchPattern, '')
    .replace(columnPattern, (_, column: string) => {
      columns.push(column);
      return '?';
    })
    .replace(limitPattern, '$&+')
    .replaceAll('{each}', '')
    .replaceAll('{apart}', '')
    .replaceAll('{skip locked}', '')
    .replaceAll('{text}', 'text')
    .replaceAll('{bytes}', 'blob')
    .replaceAll('{serial}', 'integer not null')
    .replaceAll('{keyed}', 'without rowid')
    .replaceAll('{busy}', 'without rowid')
    .replaceAll('{conversations_end}', 'conversations_tail');
  return { sql, columns };
}

/** Whether SQLite may get several rows at once: an insert of plain rows without other clauses or returned rows. */
export function takesSeveral({ sql }: Statement<Columns, unknown>): boolean {
  const [found] = insertPattern.exec(sql) ?? [];
  if (!sql.startsWith('insert') || found === undefined) return false;
  return !/\br\.|\breturning\b/.test(sql.replace(found, ''));
}

const postgresTypes = { text: 'text', int: 'bigint' };

/** Tolerated difference between the clocks of nodes, ms. */
export const clocksApartMs = 3_600_000;

/**
 * The start of the partition that may hold a message's first event, joined as one row with the message's id: only in
 * this form does the server choose partitions by it, once for each message.
 */
const partitionsSince = (id: string, acceptedAt: string): string =>
  `lateral (select ${id} as message_id, coalesce((select l.ends from log_partitions l
     where l.newest_at < ${acceptedAt} - ${clocksApartMs} order by l.ends desc limit 1), 0) as first offset 0) log`;

/** The whole batch at once, one array per column; without `{rows}` plain typed parameters. */
export function renderPostgres(statement: Statement<Columns, unknown>): Rendered & { batch: boolean } {
  const rendered = parameters(statement);
  const types = rendered.columns.map((column) => postgresTypes[statement.columns[column]!]);
  const batch = rendered.sql.includes('{rows}');
  const lists = rendered.columns.map((column, index) => `unnest($${index + 1}::${types[index]}[]) as ${column}`);
  const sql = rendered.sql
    // Parallel lists. A single `unnest` of all of them in `from` would first copy each one.
    .replace('{rows} r', `(select ${lists.join(', ')}) r`)
    .replace(logPattern, (_, id: string, since: string) => `, ${partitionsSince(id, since)}`)
    .replace(inLogPattern, '$1.message_id = log.message_id and $1.position >= log.first')
    .replace(equalityPattern, (whole, found: string, known: string) =>
      batch || !known.startsWith('r.') ? `${found} = any (array[${known}])` : whole,
    )
    .replace(columnPattern, (whole, column: string) => {
      const index = rendered.columns.indexOf(column);
      return batch ? whole : `$${index + 1}::${types[index]}`;
    })
    .replaceAll('{each}', 'lateral')
    .replaceAll('{apart}', 'offset 0')
    .replaceAll('{skip locked}', 'for update skip locked')
    .replaceAll('{text}', 'text collate "C"')
    .replaceAll('{bytes}', 'bytea')
    .replaceAll('{serial}', 'bigint not null')
    .replaceAll('{keyed}', '')
    .replaceAll('{conversations_end}', 'conversations')
    .replaceAll('{busy}', 'with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.1)');
  return { ...rendered, sql, batch };
}
