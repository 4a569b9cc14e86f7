/** SQL over the request log. */
import type { Environment } from '../../../model/records.ts';
import { statement } from '../../../store/query.ts';

export interface CallRow {
  account_id: string;
  request_id: string;
  at: number;
  environment: Environment;
  key_id: string;
  method: string;
  path: string;
  status: number;
  reason: string;
  detail: string;
  address: string;
  ms: number;
  dry_run: number;
  body: string | null;
  body_bytes: number;
}

const columns = `account_id, request_id, at, environment, key_id, method, path, status, reason, detail, address, ms,
   dry_run, body, body_bytes`;
const read = columns.replace(/\w+/g, 'c.$&');

export const insertCalls = statement()(
  'insert_calls',
  {
    account_id: 'text',
    request_id: 'text',
    at: 'int',
    environment: 'text',
    key_id: 'text',
    method: 'text',
    path: 'text',
    status: 'int',
    reason: 'text',
    detail: 'text',
    address: 'text',
    ms: 'int',
    dry_run: 'int',
    body: 'text',
    body_bytes: 'int',
  },
  `insert into request_log (${columns})
   select ${columns.replace(/\w+/g, 'r.$&')} from {rows} r where true
   on conflict (account_id, request_id) do nothing`,
);

export const addUnkept = statement()(
  'add_unkept_calls',
  { account_id: 'text', environment: 'text', minute: 'int', calls: 'int' },
  `insert into request_log_unkept (account_id, environment, minute, calls)
   select r.account_id, r.environment, r.minute, r.calls from {rows} r where true
   on conflict (account_id, environment, minute) do update set calls = request_log_unkept.calls + excluded.calls`,
);

/** `pattern` is one of `patternOf`, or null. */
export const selectCalls = statement<CallRow>()(
  'select_calls',
  {
    account_id: 'text',
    environment: 'text',
    status_from: 'int',
    status_to: 'int',
    reason: 'text',
    key_id: 'text',
    pattern: 'text',
    before: 'text',
    after: 'text',
    limit: 'int',
  },
  `select ${read} from request_log c
   where c.account_id = r.account_id and c.request_id < r.before and c.request_id > r.after
     and c.environment = r.environment and c.status >= r.status_from and c.status <= r.status_to
     and (r.reason is null or c.reason = r.reason) and (r.key_id is null or c.key_id = r.key_id)
     and (r.pattern is null or lower(c.method || ' ' || c.path) like r.pattern escape '\\')
   order by c.request_id desc limit r.limit`,
);

export const selectCall = statement<CallRow>()(
  'select_call',
  { account_id: 'text', request_id: 'text' },
  `select ${read} from request_log c where c.account_id = r.account_id and c.request_id = r.request_id`,
);

export const selectUnkept = statement<{
  account_id: string;
  environment: Environment;
  minute: number;
  calls: number;
}>()(
  'select_unkept_calls',
  { account_id: 'text', environment: 'text', from_minute: 'int', to_minute: 'int', limit: 'int' },
  `select u.account_id, u.environment, u.minute, u.calls from request_log_unkept u
   where u.account_id = r.account_id and u.environment = r.environment
     and u.minute >= r.from_minute and u.minute <= r.to_minute
   order by u.minute desc limit r.limit`,
);

/** The newest call above the limit. */
export const selectSurplus = statement<{ request_id: string }>()(
  'select_surplus_call',
  { account_id: 'text', keep: 'int' },
  `select c.request_id from request_log c where c.account_id = r.account_id
   order by c.request_id desc limit 1 offset r.keep`,
);

export const selectOldestCalls = statement<{ request_id: string; at: number }>()(
  'select_oldest_calls',
  { account_id: 'text', after: 'text', limit: 'int' },
  `select c.request_id, c.at from request_log c where c.account_id = r.account_id and c.request_id > r.after
   order by c.request_id limit r.limit`,
);

export const selectOldUnkept = statement<{ minute: number }>()(
  'select_old_unkept_calls',
  { account_id: 'text', before: 'int' },
  `select u.minute from request_log_unkept u where u.account_id = r.account_id and u.minute < r.before limit 1`,
);

export const deleteCalls = statement()(
  'delete_calls',
  { account_id: 'text', request_id: 'text' },
  `delete from request_log using {rows} r
   where request_log.account_id = r.account_id and request_log.request_id = r.request_id`,
);

export const deleteUnkept = statement()(
  'delete_unkept_calls',
  { account_id: 'text', before: 'int' },
  `delete from request_log_unkept using {rows} r
   where request_log_unkept.account_id = r.account_id and request_log_unkept.minute < r.before`,
);

export const selectCallsAfter = statement<Pick<CallRow, 'request_id' | 'path' | 'detail' | 'body'>>()(
  'select_calls_after',
  { account_id: 'text', after: 'text', limit: 'int' },
  `select c.request_id, c.path, c.detail, c.body from request_log c
   where c.account_id = r.account_id and c.request_id > r.after order by c.request_id limit r.limit`,
);

export const updateCalls = statement()(
  'update_calls',
  { account_id: 'text', request_id: 'text', path: 'text', detail: 'text', body: 'text' },
  `update request_log set path = r.path, detail = r.detail, body = r.body from {rows} r
   where request_log.account_id = r.account_id and request_log.request_id = r.request_id`,
);
