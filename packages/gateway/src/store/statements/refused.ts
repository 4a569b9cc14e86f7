/** SQL over recipients that were refused while others of their request were accepted. */
import { statement } from '../query.ts';

export interface RefusedRow {
  request_id: string;
  place: number;
  recipient: string;
  status: string;
  detail: string;
}

export const insertRefused = statement()(
  'insert_refused',
  { request_id: 'text', place: 'int', recipient: 'text', status: 'text', detail: 'text' },
  `insert into refused_recipients (request_id, place, recipient, status, detail)
   select r.request_id, r.place, r.recipient, r.status, r.detail from {rows} r`,
);

export const selectRefused = statement<RefusedRow>()(
  'select_refused',
  { account_id: 'text', request_id: 'text', limit: 'int' },
  `select f.request_id, f.place, f.recipient, f.status, f.detail
   from messages m join refused_recipients f on f.request_id = m.request_id
   where m.request_id = r.request_id and m.account_id = r.account_id order by f.place limit r.limit`,
);

/** Of each request of the account, how many; requests without any are left out. */
export const countRefused = statement<{ request_id: string; found: number }>()(
  'count_refused',
  { account_id: 'text', request_id: 'text' },
  `select f.request_id, count(*) as found from {rows} r, messages m, refused_recipients f
   where m.request_id = r.request_id and m.account_id = r.account_id and f.request_id = r.request_id
   group by f.request_id`,
);

export const selectRefusedOf = statement<RefusedRow>()(
  'select_refused_of',
  { request_id: 'text' },
  `select f.request_id, f.place, f.recipient, f.status, f.detail from {rows} r, refused_recipients f
   where f.request_id = r.request_id`,
);

export const deleteRefused = statement()(
  'delete_refused',
  { request_id: 'text', place: 'int' },
  `delete from refused_recipients using {rows} r
   where refused_recipients.request_id = r.request_id and refused_recipients.place = r.place`,
);

export const deleteRefusedOfRequests = statement()(
  'delete_refused_of_requests',
  { request_id: 'text' },
  `delete from refused_recipients using {rows} r where refused_recipients.request_id = r.request_id`,
);
