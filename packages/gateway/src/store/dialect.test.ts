import { constants, DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import * as consent from '../messaging/store/statements/consent.ts';
import * as deliveries from '../messaging/store/statements/deliveries.ts';
import * as events from '../messaging/store/statements/events.ts';
import * as inbound from '../messaging/store/statements/inbound.ts';
import * as inboundMms from '../messaging/store/statements/inbound-mms.ts';
import * as media from '../messaging/store/statements/media.ts';
import * as mediaJobs from '../messaging/store/statements/media-jobs.ts';
import * as messages from '../messaging/store/statements/messages.ts';
import * as parts from '../messaging/store/statements/parts.ts';
import * as queue from '../messaging/store/statements/queue.ts';
import * as records from '../messaging/store/statements/records.ts';
import * as views from '../messaging/store/statements/views.ts';
import * as webhooks from '../subjects/webhooks/store/statements.ts';
import { renderPostgres, renderSqlite, takesSeveral } from './dialect.ts';
import { everyStatement, statementsIn } from './every-statement-fixture.ts';
import { migrations } from './migrate.ts';
import { statement } from './query.ts';

const columns = { id: 'text', n: 'int' } as const;
const render = (sql: string) => {
  const one = statement()('s', columns, sql);
  return [renderSqlite(one).sql, renderPostgres(one).sql];
};
const batch = '(select unnest($1::text[]) as id, unnest($2::bigint[]) as n) r';

describe('dialect', () => {
  it.each([
    [
      'insert into t (id, n) select r.id, r.n from {rows} r',
      'insert into t (id, n) values (?, ?)',
      `insert into t (id, n) select r.id, r.n from ${batch}`,
    ],
    [
      'insert into t (id, n) select r.id, r.n from {rows} r where true on conflict (id) do nothing',
      'insert into t (id, n) values (?, ?) on conflict (id) do nothing',
      `insert into t (id, n) select r.id, r.n from ${batch} where true on conflict (id) do nothing`,
    ],
    [
      'update t set n = r.n from {rows} r where t.id = r.id',
      'update t set n = ? where t.id = ?',
      `update t set n = r.n from ${batch} where t.id = any (array[r.id])`,
    ],
    [
      'delete from t using {rows} r where t.id = r.id and t.n < r.n',
      'delete from t where t.id = ? and t.n < ?',
      `delete from t using ${batch} where t.id = any (array[r.id]) and t.n < r.n`,
    ],
    [
      'select t.n from {rows} r, t where t.id = r.id',
      'select t.n from t where t.id = ?',
      `select t.n from ${batch}, t where t.id = any (array[r.id])`,
    ],
    [
      'select t.n from {rows} r, t where t.id = r.id and t.n = r.n - 1',
      'select t.n from t where t.id = ? and t.n = ? - 1',
      `select t.n from ${batch}, t where t.id = any (array[r.id]) and t.n = r.n - 1`,
    ],
    [
      'select d.n from {rows} r, {each} (select t.n from t where t.id = r.id {apart}) d',
      'select d.n from  (select t.n from t where t.id = ? ) d',
      `select d.n from ${batch}, lateral (select t.n from t where t.id = any (array[r.id]) offset 0) d`,
    ],
    [
      'select n from t where id = r.id limit r.n',
      'select n from t where id = ? limit +?',
      'select n from t where id = $1::text limit $2::bigint',
    ],
    [
      'select (select min(t.n) from t where t.id = (r.id)) as n from {rows} r',
      'select (select min(t.n) from t where t.id = (?)) as n',
      `select (select min(t.n) from t where t.id = (r.id)) as n from ${batch}`,
    ],
    [
      'select t.n from t join u on u.id = t.id where t.id = r.id',
      'select t.n from t join u on u.id = t.id where t.id = ?',
      'select t.n from t join u on u.id = any (array[t.id]) where t.id = $1::text',
    ],
  ])('renders %s', (sql, sqlite, postgres) => {
    expect(render(sql)).toEqual([sqlite, postgres]);
  });

  it('renders an insert of plain rows for several', () => {
    const insert = statement()(
      's',
      columns,
      'insert into t (id, n) select r.id, r.n from {rows} r where true on conflict do nothing',
    );
    expect(takesSeveral(insert)).toBe(true);
    expect(renderSqlite(insert, 3)).toEqual({
      sql: 'insert into t (id, n) values (?, ?), (?, ?), (?, ?) on conflict do nothing',
      columns: ['id', 'n', 'id', 'n', 'id', 'n'],
    });
  });

  it.each([
    'insert into t (id, n) select r.id, r.n from {rows} r where true on conflict (id) do update set n = r.n',
    'insert into t (id, n) select r.id, r.n from {rows} r returning n',
    'insert into t (id, n) select r.id, t.n from {rows} r, t where t.id = r.id',
    'insert into t (id, n) select r.id, r.n from {rows} r where r.n > 1',
    'update t set n = r.n from {rows} r where t.id = r.id',
    'delete from t using {rows} r where t.id = r.id',
    'select t.n from {rows} r, t where t.id = r.id',
  ])('takes one row at a time: %s', (sql) => {
    expect(takesSeveral(statement()('s', columns, sql))).toBe(false);
  });

  it('refuses a column that the statement does not declare', () => {
    expect(() => render('select r.missing from {rows} r')).toThrow(/no column missing/);
  });
});

const all = statementsIn([
  consent,
  deliveries,
  events,
  inbound,
  inboundMms,
  media,
  mediaJobs,
  messages,
  parts,
  queue,
  records,
  views,
  webhooks,
]);

/** They ask an engine about itself: four only PostgreSQL, the last what SQLite must ask itself anew each time. */
const aboutEngine =
  'select_control_rights select_postgres_facts select_postgres_state select_oldest_snapshot select_sqlite_facts'.split(
    ' ',
  );

describe('every statement', () => {
  const db = new DatabaseSync(':memory:');
  for (const { statements } of migrations) {
    for (const sql of statements) db.exec(renderSqlite(statement()('ddl', {}, sql)).sql);
  }

  it('has a unique name, because PostgreSQL prepares it under that name', () => {
    expect(all.length).toBeGreaterThan(40);
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  });

  it('that takes several rows is one for SQLite too', () => {
    const several = all.filter(takesSeveral);
    expect(several.length).toBeGreaterThan(10);
    for (const one of several) expect(() => db.prepare(renderSqlite(one, 8).sql), one.name).not.toThrow();
  });

  it('is prepared once by SQLite, whatever its values', async () => {
    db.exec('create table schema_versions (version, applied_at)');
    let asked = 0;
    db.setAuthorizer(() => {
      asked += 1;
      return constants.SQLITE_OK;
    });
    const again: string[] = [];
    for (const one of await everyStatement()) {
      if (aboutEngine.includes(one.name)) continue;
      const { sql, columns } = renderSqlite(one);
      const prepared = db.prepare(sql);
      for (const value of [1, 2]) {
        db.exec('begin');
        asked = 0;
        prepared.all(...columns.map((column) => (one.columns[column] === 'int' ? value : String(value))));
        // The first time it may read the schema.
        if (asked > 0 && value > 1) again.push(one.name);
        db.exec('rollback');
      }
    }
    db.setAuthorizer(null);
    expect(again).toEqual([]);
  });

  // The records, the health of endpoints and the tail of the conversations are read whole (and the last put in order);
  // of the waiting receipts only whether there is one. `helio verify` reads every medium, while no gateway runs. The
  // newest texts and the versions of the routing rules are read from the end of their key, up to a limit.
  const readsOn = [
    'select_media_hashes',
    'select_newest_sent',
    'select_records',
    'select_route_versions',
    'select_health',
    'select_any_early_key',
    'gather_conversations_tail',
  ];

  it.each(all.filter(({ name }) => !readsOn.includes(name)).map((one) => [one.name, one]))(
    '%s finds its rows by an index',
    (_, one) => {
      const { sql, columns } = renderSqlite(one);
      const plan = db.prepare(`explain query plan ${sql}`).all(...columns.map(() => null));
      const scans = plan
        .map((step) => String(step.detail))
        .filter((detail) => /^SCAN (?!lanes|hops|counted|oldest|CONSTANT ROW|receipts USING INDEX)/.test(detail));
      expect(scans).toEqual([]);
      expect(plan.map((step) => String(step.detail)).filter((detail) => detail.includes('TEMP B-TREE'))).toEqual([]);
    },
  );
});
