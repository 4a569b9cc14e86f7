/** SQL about the store itself. The two engines are asked differently: each is only given its own. */
import { statement } from '../query.ts';

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
