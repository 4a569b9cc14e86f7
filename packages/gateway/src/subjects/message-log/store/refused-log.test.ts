/** The migration that lets earlier refused recipients be found by company and number. */
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { renderSqlite } from '../../../store/dialect.ts';
import { refusedRecipients } from '../../../store/migrations/011-refused-recipients.ts';
import { refusedLog } from '../../../store/migrations/021-refused-log.ts';

it('gives each recipient its company and the digits of its number', () => {
  const database = new DatabaseSync(':memory:');
  const migrate = ({ statements }: { statements: readonly string[] }) => {
    for (const sql of statements) database.exec(renderSqlite({ name: 'x', columns: {}, sql, exact: false }).sql);
  };
  database.exec(`create table messages (request_id text primary key, account_id text);
    insert into messages values ('req_1', 'acc1')`);
  migrate(refusedRecipients);
  database.exec(`insert into refused_recipients values
    ('req_1', 0, '+1 (415) 555-0100', 'INVALID_NUMBER', 'x'), ('req_1', 1, '1.415/555.0109', 'OPTED_OUT', 'x'),
    ('req_2', 0, '14155550100', 'OPTED_OUT', 'x')`);
  migrate(refusedLog);
  const rows = database.prepare('select account_id, number from refused_recipients order by request_id, place').all();
  expect(rows.map(({ account_id, number }) => [account_id, number])).toEqual([
    ['acc1', '14155550100'],
    ['acc1', '14155550109'],
    ['', '14155550100'],
  ]);
  const plan = database
    .prepare(`explain query plan select 1 from refused_recipients where account_id = 'a' and number = '1'
      and (request_id, place) < ('~', 0) order by request_id desc, place desc limit 9`)
    .all();
  expect(JSON.stringify(plan)).toContain('refused_by_number');
  expect(JSON.stringify(plan)).not.toContain('TEMP B-TREE');
  database.close();
});
