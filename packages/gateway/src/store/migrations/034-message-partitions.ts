/**
 * Schema 34: PostgreSQL keeps messages in partitions by time, which retention drops whole. What exists becomes the first
 * partition of each table without being read; the next ones begin while the gateway works (`postgres-message-partitions.ts`).
 * An empty table has two at once: of a single one, PostgreSQL 18 overlooks that reading it whole is disabled. SQLite keeps its
 * tables. A published migration is never edited; changes come as the next number.
 */
import { firstIdAt } from '../../kernel/ids.ts';
import type { Migration } from '../migration.ts';
import { partsPeriod } from './033-parts-by-period.ts';

interface Divided {
  table: string;
  /** Grows with the time at which a message was accepted. */
  key: string;
  /** The key of 1 January 2020: everything is younger. */
  since: string;
  primaryKey: string;
  /** What follows `create index NAME on TABLE`. */
  indexes?: Record<string, string>;
}

const sinceMs = 1_577_836_800_000;
const ofMessages = `'${firstIdAt('msg_', sinceMs)}'`;
const working = ['queued', 'sending', 'uncertain', 'held', 'sent'].map((state) => `state = '${state}'`).join(' or ');

const divided: readonly Divided[] = [
  {
    table: 'messages',
    key: 'request_id',
    since: `'${firstIdAt('req_', sinceMs)}'`,
    primaryKey: 'request_id',
    indexes: { messages_reference: '(account_id, reference_id, request_id)' },
  },
  {
    table: 'deliveries',
    key: 'message_id',
    since: ofMessages,
    primaryKey: 'message_id',
    indexes: {
      deliveries_work: `(state, lane, due_at, message_id, expires_at) where ${working}`,
      deliveries_unproven: `(lane, recipient) where state = 'unconfirmed' and code = 'UNCERTAIN'`,
    },
  },
  { table: 'account_messages', key: 'message_id', since: ofMessages, primaryKey: 'account_id, direction, message_id' },
  { table: 'parts', key: 'message_id', since: ofMessages, primaryKey: 'message_id, part' },
  { table: 'conversations', key: 'run', since: String(sinceMs), primaryKey: 'run, own, peer, outbound, message_id' },
];

/** The index of carriers' message ids, where schema 33 has left it to the running gateway. */
export const firstPartsPeriod = {
  name: 'parts_first_period',
  on: partsPeriod.on.replace('parts ', 'parts_first '),
  replaces: partsPeriod.replaces,
  /** Over all partitions; takes in the one above. */
  whole: `create index if not exists ${partsPeriod.name} on ${partsPeriod.on}`,
};

const divide = ({ table, key, since, primaryKey, indexes = {} }: Divided): string[] => [
  `alter table ${table} rename to ${table}_first`,
  `alter index ${table}_pkey rename to ${table}_first_pkey`,
  ...Object.keys(indexes).map((name) => `alter index ${name} rename to ${firstOf(table, name)}`),
  `create table ${table} (like ${table}_first including defaults) partition by range (${key})`,
  `alter table ${table} add primary key (${primaryKey})`,
  ...Object.entries(indexes).map(([name, on]) => `create index ${name} on ${table} ${on}`),
  ...(table === 'parts' ? [keepPeriod] : []),
  `do $$ begin
    if exists (select from ${table}_first) then
      alter table ${table} attach partition ${table}_first for values from (minvalue) to (maxvalue);
    else
      create table ${table}_from_${sinceMs} (like ${table}_first including defaults including indexes) ${storage(table)};
      alter table ${table} attach partition ${table}_first for values from (minvalue) to (${since});
      alter table ${table} attach partition ${table}_from_${sinceMs} for values from (${since}) to (maxvalue);
    end if; end $$`,
];

const storage = (table: string): string => (table === 'deliveries' ? '{busy}' : '');

const firstOf = (table: string, index: string): string => index.replace(table, `${table}_first`);

/** One that is ready is kept; one that a killed gateway has left half made is in the way. */
const keepPeriod = `do $$ begin
  if exists (select from pg_index where indexrelid = to_regclass('${partsPeriod.name}') and indisvalid) then
    alter index ${partsPeriod.name} rename to ${firstPartsPeriod.name};
    ${firstPartsPeriod.whole};
  else
    drop index if exists ${partsPeriod.name};
  end if; end $$`;

export const messagePartitions: Migration = { version: 34, statements: [], postgres: divided.flatMap(divide) };
