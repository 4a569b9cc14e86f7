/** SQL over records, settings and counters: what people edit and what the store counts. */
import { statement } from '../query.ts';

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

export const raise = statement<{ value: number }>()(
  'raise_counter',
  { name: 'text' },
  `insert into counters (name, value) values (r.name, 1)
   on conflict (name) do update set value = counters.value + 1 returning value as value`,
);

export const selectCounter = statement<{ value: number }>()(
  'select_counter',
  { name: 'text' },
  `select value from counters where name = r.name`,
);

export const selectSetting = statement<{ value: string }>()(
  'select_setting',
  { name: 'text' },
  `select value from settings where name = r.name`,
);

export const putSettingRow = statement()(
  'put_setting',
  { name: 'text', value: 'text' },
  `insert into settings (name, value) values (r.name, r.value)
   on conflict (name) do update set value = excluded.value`,
);

export const putCounter = statement()(
  'put_counter',
  { name: 'text', value: 'int' },
  `insert into counters (name, value) values (r.name, r.value)
   on conflict (name) do update set value = excluded.value`,
);
