/** Fills a PostgreSQL store with delivered messages as the gateway leaves them, by SQL. */
import { Client } from 'pg';
import { firstIdAt } from '../packages/gateway/src/kernel/ids.ts';

/** Spread over the days before yesterday, in the order of their ids. */
const spreadMs = 300 * 86_400_000;
const beforeNowMs = 86_400_000;
const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The ten characters of a time in an id. */
const timeOf = (ms: string): string =>
  Array.from(
    { length: 10 },
    (_, place) => `substr('${digits}', ((${ms} >> ${(9 - place) * 5}) & 31)::int + 1, 1)`,
  ).join(' || ');

export interface Span {
  from: number;
  to: number;
  /** How many there will be in the end: their times are spread over all of them. */
  of: number;
}

export type Query = (sql: string) => Promise<Record<string, unknown>[]>;

/** Filled in the order of time, the log's indexes grow at their end only: these are the tables that gain by the wait. */
const indexed = ['messages', 'deliveries', 'account_messages', 'conversations', 'parts'];
/** As many as a store has that keeps its messages for as long. */
const partitions = 12;
const keys = { parts: 'msg_', conversations: null, account_messages: 'msg_', messages: 'req_', deliveries: 'msg_' };

/** Divides an empty store's tables over the time that will be filled; the last partitions have the time from now on. */
export async function divide(query: Query): Promise<void> {
  const ends = Array.from({ length: partitions }, (_, index) => started() + (spreadMs / partitions) * (index + 1));
  for (const [table, prefix] of Object.entries(keys)) {
    const key = (at: number): string => (prefix === null ? String(at) : `'${firstIdAt(prefix, at)}'`);
    const [open] = await query(
      `select inhrelid::regclass::text as name from pg_inherits where inhparent = '${table}'::regclass order by inhrelid desc limit 1`,
    );
    await query(`alter table ${table} detach partition ${open!.name}`);
    for (const [index, to] of [...ends, null].entries()) {
      const from = index === 0 ? 1_577_836_800_000 : ends[index - 1]!;
      const range = `from (${key(from)}) to (${to === null ? 'maxvalue' : key(to)})`;
      await query(`create table ${table}_filled_${index} partition of ${table} for values ${range}`);
    }
    await query(`drop table ${open!.name}`);
  }
}

const started = (): number => Date.now() - beforeNowMs - spreadMs;

/** Each vacuumed while its new rows are in the server's cache; a vacuum at the end would write every page again. */
const tables = [...indexed, 'events'];
const chunk = 250_000;

/**
 * Adds `span` while no node runs, over two sessions; the indexes are made anew at the end. `keep` runs in between. Where an
 * earlier call was interrupted, it goes on.
 */
export async function fill(databaseUrl: string, query: Query, span: Span, keep: () => Promise<void>): Promise<void> {
  const these = `indrelid in (select p.relid from unnest(array['${indexed.join("', '")}']) name, pg_partition_tree(name) p where p.isleaf)`;
  await query('create table if not exists filled_chunks (start bigint primary key)');
  const done = new Set((await query('select start from filled_chunks')).map(({ start }) => Number(start)));
  const count = Math.ceil((span.to - span.from) / chunk);
  const starts = Array.from({ length: count }, (_, index) => span.from + index * chunk).filter(
    (start) => !done.has(start),
  );
  if (starts.length > 0) await query(`update pg_index set indisready = false, indisvalid = false where ${these}`);
  for (let at = 0; at < starts.length; at += 2) {
    const [last] = await query('select coalesce(max(position), 0)::text as position from events');
    await Promise.all(
      starts.slice(at, at + 2).map((from, place) => {
        const to = Math.min(span.to, from + chunk);
        return fillChunk(databaseUrl, { from, to, of: span.of }, Number(last!.position) + 1 + 2 * chunk * place);
      }),
    );
    await keep();
    for (const table of tables) await query(`vacuum ${table}`);
  }
  const left = await query(
    `select distinct indrelid::regclass::text as name from pg_index where not indisready and ${these}`,
  );
  for (const { name } of left) await query(`set maintenance_work_mem = '1GB'; reindex table ${name}`);
}

/** Adds the messages `from` to `to` (exclusive), with two events each from `position`: all or none. */
async function fillChunk(databaseUrl: string, { from, to, of }: Span, position: number): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const since = started();
  const msOf = (n: string): string => `${since}::bigint + (${n}) * ${Math.floor(spreadMs / of)}`;
  try {
    await client.query(`set synchronous_commit = off; set work_mem = '64MB'; set temp_buffers = '128MB'; begin`);
    await client.query(
      `create temp table filled on commit drop as
       select n, ms, ${timeOf('ms')} || upper(substr(md5(n::text), 1, 16)) as id, '1415' || lpad((n * 7919 % 10000000)::text, 7, '0') as peer,
         md5('carrier' || n) as carrier_id, left(lpad(to_hex(ms), 12, '0') || md5('reference' || n), 32)::uuid::text as reference,
         case when n % 4 = 0 then 'acc_bench' else 'acc_' || n % 20 end as account_id
       from (select n, ${msOf('n')} as ms from generate_series(${from}::bigint, ${to - 1}) n) given`,
    );
    for (const sql of inserts(msOf('n / 4096 * 4096'), `${position} + 2 * (n - ${from})`)) await client.query(sql);
    await client.query(`insert into filled_chunks values (${from}); commit`);
  } finally {
    await client.end();
  }
}

/** The rows come in the order of `n`, as `filled` has them. */
const inserts = (run: string, position: string): string[] => [
  `insert into messages (request_id, account_id, key_id, direction, reference_id, sender, text, media_urls, message_type,
     encoding, segments, accepted_at)
   select 'req_' || id, account_id, 'key_bench', 'outbound', reference, '15550001111',
     'Your order is on its way and will be with you tomorrow between nine and eleven.', '[]', 'SMS', 'GSM-7', 1, ms
   from filled`,
  `insert into deliveries (message_id, request_id, account_id, recipient, lane, state, code, carrier, carrier_code, due_at,
     expires_at, attempts, dup_risk, sequence, token, concat_reference, segments, updated_at)
   select 'msg_' || id, 'req_' || id, account_id, peer, 'bench', 'delivered', 'DELIVERED', 'bench', '000', ms + 259200000,
     ms + 14400000, 1, 0, 5, 1, n & 65535, 1, ms + 5000
   from filled`,
  `insert into account_messages (account_id, direction, message_id) select account_id, 'outbound', 'msg_' || id from filled`,
  `insert into conversations (run, own, peer, outbound, message_id)
   select ${run}, '15550001111', peer, 1, 'msg_' || id from filled`,
  `insert into parts (message_id, part, carrier, carrier_message_id, id_key, recipient, state, code, carrier_code, accepted_at, updated_at)
   select 'msg_' || id, 1, 'bench', carrier_id, carrier_id, peer, 'delivered', 'DELIVERED', '000', ms + 900, ms + 5000
   from filled`,
  `insert into events (position, account_id, message_id, sequence, state, at, code, carrier, carrier_code, sending_at, dup_risk)
   select ${position} + place, account_id, 'msg_' || id,
     3 + place, state, ms + delay, code, 'bench', carrier_code, sending_at, 0
   from filled, lateral (values (0, 'sent', 900, null, null, ms + 1), (1, 'delivered', 5000, 'DELIVERED', '000', null))
     of_message (place, state, delay, code, carrier_code, sending_at)`,
];
