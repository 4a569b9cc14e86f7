/**
 * PostgreSQL makes a statement's plan once, by what it knows of the tables then. Whatever that is, each plan must begin
 * with what the statement names and find everything else by an index: a table that was empty a minute ago may have a
 * million rows.
 */
import { Client } from 'pg';
import { describe, expect, it } from 'vitest';
import { openStore } from '../app/open-store.ts';
import { machineClock } from '../kernel/machine.ts';
import { renderPostgres } from './dialect.ts';
import { everyStatement } from './every-statement-fixture.ts';
import { useSchema } from './postgres-fixture.ts';
import { prepareSession } from './postgres-session.ts';
import type { Statement } from './query.ts';

const schema = useSchema();

interface Node {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Cond'?: string;
  'Recheck Cond'?: string;
  'Parent Relationship'?: string;
  Plans?: Node[];
}

/** As on any server that has run for a while. (For a single partition, PostgreSQL 18 overlooks that a scan is disabled.) */
const partitioned = [
  'alter table events detach partition events_first',
  'alter table events attach partition events_first for values from (minvalue) to (50000)',
  'create table events_second partition of events for values from (50000) to (maxvalue)',
  'create index on events_second (message_id, sequence)',
];

/** Much is known of them then, and a part of them looks cheap to read and to sort. */
const manyMessages = [
  `insert into messages (request_id, account_id, key_id, direction, reference_id, sender, text, media_urls, message_type, segments, accepted_at)
   select 'req_' || lpad(n::text, 9, '0'), 'acc_' || n % 4, 'key', 'outbound', 'reference ' || n, '1415', 'A text.', '[]', 'SMS', 1, n
   from generate_series(1, 60000) n`,
  `insert into deliveries (message_id, request_id, account_id, recipient, lane, state, due_at, expires_at, attempts, dup_risk, sequence,
     token, concat_reference, segments, updated_at)
   select 'msg_' || substr(request_id, 5), request_id, account_id, '1416' || accepted_at, 'lane', 'delivered', accepted_at, accepted_at, 1, 0, 3,
     1, 0, 1, accepted_at from messages`,
  `insert into account_messages (account_id, direction, message_id) select account_id, 'outbound', message_id from deliveries`,
  `insert into conversations (run, own, peer, outbound, message_id)
   select updated_at / 4096, '1415', recipient, 1, message_id from deliveries`,
  `insert into parts (message_id, part, carrier, carrier_message_id, id_key, recipient, state, accepted_at, updated_at)
   select message_id, 1, 'lane', 'id' || updated_at, 'id' || updated_at, recipient, 'delivered', updated_at, updated_at from deliveries`,
  `insert into events (position, account_id, message_id, sequence, state, at, dup_risk)
   select updated_at, account_id, message_id, 3, 'delivered', updated_at, 0 from deliveries`,
];
const large = ['messages', 'deliveries', 'account_messages', 'conversations', 'parts', 'events'];

/** Tables of a few hundred rows, which are read whole. */
const small =
  'alerts alert_silences cluster_nodes conversations_tail endpoint_health erasures leases log_partitions owners records schema_versions sessions users'.split(
    ' ',
  );
/** Reads every medium: `helio verify`, while no gateway runs. */
const verified = 'select_media_hashes';

const overBatch = 'goes through the batch for each row';
const sorted = 'sorts what it finds before it takes the first';
const forFigure = 'reads all rows for one figure';
/** By statement. */
const allowed = new Map([
  // Counts what waits.
  ['select_media_job_counts', 'reads all of media_jobs'],
  // The parts of one message are few.
  ['select_handed_over', forFigure],
  // Nothing is gained by the other way round: few alerts fire, and few accounts have demo traffic.
  ['tell_alert', overBatch],
  ['resolve_alert', overBatch],
  ['delete_hourly_demo', overBatch],
  // Before partitions are dropped, which is once in weeks.
  ['select_any_notification', 'reads all of webhook_deliveries'],
  // The messages of one conversation in a few runs, and what waits after a restore.
  ['select_talk', sorted],
  ['select_waiting_at_restore', sorted],
]);

interface Above {
  /** Only the first rows are wanted, in the order in which they are read. */
  limited: boolean;
  /** Repeated for each row of something else. */
  repeated: boolean;
}

const tablesOf = (plan: Node): string[] => [plan['Relation Name'] ?? '', ...(plan.Plans ?? []).flatMap(tablesOf)];

/** Steps that read a whole table or index or sort a part of it, and batches that are gone through once for each row of a table. */
function faultsOf(plan: Node, { limited, repeated }: Above = { limited: false, repeated: false }): string[] {
  const { 'Node Type': type, 'Relation Name': table, Plans: parts = [] } = plan;
  const isLookUp = plan['Index Cond'] !== undefined || plan['Recheck Cond'] !== undefined;
  const readsAll = table !== undefined && type.endsWith('Scan') && !isLookUp && !limited && !small.includes(table);
  const own = [
    ...(readsAll ? [`reads all of ${table}`] : []),
    ...(type.endsWith('Sort') && limited && tablesOf(plan).some((one) => large.includes(one)) ? [sorted] : []),
    ...(type === 'ProjectSet' && repeated ? [overBatch] : []),
    // PostgreSQL reads the first row of an index for min() and max() where the order allows it.
    ...(type === 'Aggregate' && plan['Parent Relationship'] === 'SubPlan' ? [forFigure] : []),
  ];
  const passesOn = ['Limit', 'Append', 'Subquery Scan', 'LockRows'].includes(type);
  return parts
    .flatMap((part, index) =>
      faultsOf(part, {
        limited: type === 'Limit' || (limited && passesOn),
        repeated: repeated || (type === 'Nested Loop' && index === 1),
      }),
    )
    .concat(own);
}

async function planOf(session: Client, one: Statement): Promise<Node> {
  const { sql, columns } = renderPostgres(one);
  const values = columns.length === 0 ? '' : `(${columns.map(() => 'null').join(', ')})`;
  await session.query(`prepare planned as ${sql}`);
  try {
    const { rows } = await session.query(`explain (format json) execute planned${values}`);
    return JSON.parse(rows[0]['QUERY PLAN'])[0].Plan;
  } finally {
    await session.query('deallocate planned');
  }
}

describe.each(['nothing is known of the tables', 'all tables were empty', 'there are many messages'])(
  'when %s',
  (known) => {
    it('every statement looks up what it needs', async () => {
      const store = await openStore({
        databaseUrl: schema.databaseUrl,
        dataDir: '',
        role: 'node',
        clock: machineClock,
      });
      const session = new Client({
        connectionString: schema.databaseUrl,
        types: { getTypeParser: () => String },
      });
      await session.connect();
      try {
        await prepareSession(session);
        for (const sql of partitioned) await session.query(sql);
        if (known === 'there are many messages') for (const sql of manyMessages) await session.query(sql);
        if (known !== 'nothing is known of the tables') await session.query('vacuum analyze');
        const faults: string[] = [];
        for (const one of await everyStatement()) {
          if (one.sql.includes('pragma_') || one.name === verified) continue;
          const found = faultsOf(await planOf(session, one)).filter((fault) => fault !== allowed.get(one.name));
          faults.push(...found.map((fault) => `${one.name} ${fault}`));
        }
        expect(faults).toEqual([]);
      } finally {
        await session.end();
        await store.close();
      }
    });
  },
);
