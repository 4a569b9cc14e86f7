/** SQL on settings, counters, and the store itself. Each engine gets only its own variant. */
import { statement } from '../query.ts';

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

export const selectLastPosition = statement<{ position: number }>()(
  'select_last_position',
  { after: 'int' },
  'select coalesce(max(position), 0) as position from events where position > r.after',
);

export const selectSchema = statement<{ version: number }>()(
  'select_newest_schema',
  {},
  `select max(version) as version from schema_versions`,
);

export const selectSqliteFacts = statement<{ version: string; bytes: number }>()(
  'select_sqlite_facts',
  {},
  `select sqlite_version() as version, page_count * page_size as bytes from pragma_page_count, pragma_page_size`,
);

export const selectPostgresFacts = statement<{ version: string; bytes: number }>()(
  'select_postgres_facts',
  {},
  `select current_setting('server_version') as version, pg_database_size(current_database()) as bytes`,
);

export const selectNewestEventAt = statement<{ at: number | null }>()(
  'select_newest_event_at',
  { limit: 'int' },
  `select max(latest.at) as at from (select at from events order by position desc limit r.limit) latest`,
);

export const selectControlRights = statement<{ granted: number }>()(
  'select_control_rights',
  {},
  `select case when has_function_privilege('pg_control_system()', 'execute') then 1 else 0 end as granted`,
);

/** The timeline as in the names of WAL files; the checkpoint in pg_control_checkpoint may be older than a promotion. */
export const selectPostgresState = statement<{
  system_id: string;
  timeline: string;
  synchronous: number;
  standbys: number;
}>()(
  'select_postgres_state',
  {},
  `select (select system_identifier::text from pg_control_system()) as system_id,
     left(pg_walfile_name(pg_current_wal_lsn()), 8) as timeline,
     case when current_setting('synchronous_standby_names') = '' then 0 else 1 end as synchronous,
     (select count(*) from pg_stat_replication) as standbys`,
);

export const insertFrame = statement()(
  'insert_frame',
  { place: 'int', text: 'text' },
  `insert into journal_frames (place, text) values (r.place, r.text)`,
);

/** From a known place on: deleted rows may still be in the index. */
export const deleteFrames = statement()(
  'delete_frames',
  { from: 'int', until: 'int' },
  `delete from journal_frames where place >= r.from and place < r.until`,
);

export const selectFrames = statement<{ place: number; text: string }>()(
  'select_frames',
  { from: 'int' },
  `select place, text from journal_frames where place >= r.from order by place`,
);
