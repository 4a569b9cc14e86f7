/** SQL over records, earlier routing rules, and messages to test a draft on. */
import { statement } from '../../../store/query.ts';

interface RouteVersionRow {
  version: number;
  at: number;
  who: string;
  body: string;
}

export const insertRouteVersion = statement()(
  'insert_route_version',
  { version: 'int', at: 'int', who: 'text', body: 'text' },
  `insert into route_versions (version, at, who, body) select r.version, r.at, r.who, r.body from {rows} r`,
);

export const deleteRouteVersions = statement()(
  'delete_route_versions',
  { upto: 'int' },
  `delete from route_versions where version <= r.upto`,
);

export const selectRouteVersions = statement<RouteVersionRow>()(
  'select_route_versions',
  { limit: 'int' },
  `select version, at, who, body from route_versions order by version desc limit r.limit`,
);

interface SentRow {
  message_id: string;
  sender: string;
  recipient: string;
  message_type: 'SMS' | 'MMS';
}

/** The newest sent messages of all accounts; examines at most `look`. */
export const selectNewestSent = statement<SentRow>()(
  'select_newest_sent',
  { look: 'int', limit: 'int' },
  `select n.message_id, m.sender, n.recipient, m.message_type from (
     select d.message_id, d.request_id, d.recipient from deliveries d order by d.message_id desc limit r.look) n
   join messages m on m.request_id = n.request_id
   where m.direction = 'outbound' order by n.message_id desc limit r.limit`,
);

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
