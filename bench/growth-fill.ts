/** Fills a PostgreSQL store with delivered messages as the gateway leaves them, by SQL. */
import { Client } from 'pg';

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

/** Adds the messages `from` to `to` (exclusive), while no node runs. */
export async function fillMessages(databaseUrl: string, { from, to, of }: Span): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const started = Date.now() - beforeNowMs - spreadMs;
  const msOf = (n: string): string => `${started}::bigint + (${n}) * ${Math.floor(spreadMs / of)}`;
  try {
    await client.query(`set synchronous_commit = off; set work_mem = '64MB'`);
    await client.query(
      `create temp table filled as
       select n, ms, ${timeOf('ms')} || upper(substr(md5(n::text), 1, 16)) as id, '1415' || lpad((n * 7919 % 10000000)::text, 7, '0') as peer,
         md5('carrier' || n) as carrier_id, left(lpad(to_hex(ms), 12, '0') || md5('reference' || n), 32)::uuid::text as reference,
         case when n % 4 = 0 then 'acc_bench' else 'acc_' || n % 20 end as account_id
       from (select n, ${msOf('n')} as ms from generate_series(${from}::bigint, ${to - 1}) n) given`,
    );
    for (const sql of inserts(msOf('n / 4096 * 4096'))) await client.query(sql);
  } finally {
    await client.end();
  }
}

const inserts = (run: string): string[] => [
  `insert into messages (request_id, account_id, key_id, direction, reference_id, sender, text, media_urls, message_type,
     encoding, segments, accepted_at)
   select 'req_' || id, account_id, 'key_bench', 'outbound', reference, '15550001111',
     'Your order is on its way and will be with you tomorrow between nine and eleven.', '[]', 'SMS', 'GSM-7', 1, ms
   from filled order by n`,
  `insert into deliveries (message_id, request_id, account_id, recipient, lane, state, code, carrier, carrier_code, due_at,
     expires_at, attempts, dup_risk, sequence, token, concat_reference, segments, updated_at)
   select 'msg_' || id, 'req_' || id, account_id, peer, 'bench', 'delivered', 'DELIVERED', 'bench', '000', ms + 259200000,
     ms + 14400000, 1, 0, 5, 1, n & 65535, 1, ms + 5000
   from filled order by n`,
  `insert into account_messages (account_id, direction, message_id) select account_id, 'outbound', 'msg_' || id from filled order by n`,
  `insert into conversations (run, own, peer, outbound, message_id)
   select ${run}, '15550001111', peer, 1, 'msg_' || id from filled order by n`,
  `insert into parts (message_id, part, carrier, carrier_message_id, id_key, recipient, state, code, carrier_code, accepted_at, updated_at)
   select 'msg_' || id, 1, 'bench', carrier_id, carrier_id, peer, 'delivered', 'DELIVERED', '000', ms + 900, ms + 5000
   from filled order by n`,
  `insert into events (position, account_id, message_id, sequence, state, at, code, carrier, carrier_code, sending_at, dup_risk)
   select (select coalesce(max(position), 0) from events) + 2 * (n - (select min(n) from filled)) + place, account_id, 'msg_' || id,
     3 + place, state, ms + delay, code, 'bench', carrier_code, sending_at, 0
   from filled, lateral (values (1, 'sent', 900, null, null, ms + 1), (2, 'delivered', 5000, 'DELIVERED', '000', null))
     of_message (place, state, delay, code, carrier_code, sending_at)
   order by n, place`,
];
