/** SQL over records. */
import { statement } from '../../../store/query.ts';

export interface RecordRow {
  kind: string;
  key: string;
  body: string;
}

export const selectRecords = statement<RecordRow>()(
  'select_records',
  {},
  `select kind, key, body from records order by kind, key`,
);

export const putRecord = statement()(
  'put_record',
  { kind: 'text', key: 'text', body: 'text' },
  `insert into records (kind, key, body) select r.kind, r.key, r.body from {rows} r where true
   on conflict (kind, key) do update set body = excluded.body`,
);

export const deleteRecord = statement()(
  'delete_record',
  { kind: 'text', key: 'text' },
  `delete from records where kind = r.kind and key = r.key`,
);
