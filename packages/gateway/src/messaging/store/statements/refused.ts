/** SQL over refused recipients of accepted requests. */
import type { RecipientStatus } from '../../../model/reason.ts';
import { statement } from '../../../store/query.ts';

export interface RefusedRow {
  request_id: string;
  place: number;
  recipient: string;
  status: RecipientStatus;
  detail: string;
}

export interface NewRefusedRow extends RefusedRow {
  account_id: string;
  /** The digits of `recipient`. */
  number: string;
}

/** With the common data of its request. */
export interface RefusedLogRow extends RefusedRow {
  key_id: string;
  reference_id: string;
  sender: string;
  message_type: string;
  accepted_at: number;
  /** 1 if the text matches the pattern, or there is no pattern. */
  has_text: number;
}

export const insertRefused = statement()(
  'insert_refused',
  {
    request_id: 'text',
    account_id: 'text',
    place: 'int',
    recipient: 'text',
    number: 'text',
    status: 'text',
    detail: 'text',
  },
  `insert into refused_recipients (request_id, account_id, place, recipient, number, status, detail)
   select r.request_id, r.account_id, r.place, r.recipient, r.number, r.status, r.detail from {rows} r`,
);

export const selectRefused = statement<RefusedRow>()(
  'select_refused',
  { account_id: 'text', request_id: 'text', limit: 'int' },
  `select f.request_id, f.place, f.recipient, f.status, f.detail
   from messages m join refused_recipients f on f.request_id = (m.request_id)
   where m.request_id = r.request_id and m.account_id = r.account_id order by f.place limit r.limit`,
);

/** Count per request of the account; requests without any are left out. */
export const countRefused = statement<{ request_id: string; found: number }>()(
  'count_refused',
  { account_id: 'text', request_id: 'text' },
  `select r.request_id as request_id, count(*) as found from {rows} r, messages m, refused_recipients f
   where m.request_id = r.request_id and m.account_id = r.account_id and f.request_id = r.request_id
   group by r.request_id`,
);

export const selectRefusedOf = statement<RefusedRow>()(
  'select_refused_of',
  { request_id: 'text' },
  `select f.request_id, f.place, f.recipient, f.status, f.detail from {rows} r, refused_recipients f
   where f.request_id = r.request_id`,
);

const logColumns = {
  account_id: 'text',
  /** A `like` pattern, in lower case. */
  text: 'text',
  look: 'int',
  /** The place after which the look begins, and the oldest request. */
  before: 'text',
  before_place: 'int',
  after: 'text',
} as const;

/** The next rows of the account, newest request first; `and` must keep the order of an index. */
const logOf = (and: string) =>
  `select f.request_id, f.place, f.recipient, f.status, f.detail, m.key_id, m.reference_id, m.sender, m.message_type,
     m.accepted_at,
     case when r.text is null or lower(m.text) like r.text escape '\\' then 1 else 0 end as has_text
   from (
     select request_id, place, recipient, status, detail from refused_recipients
     where account_id = r.account_id ${and}
       and (request_id, place) < (r.before, r.before_place) and request_id >= r.after
     order by request_id desc, place desc limit r.look
   ) f join messages m on m.request_id = f.request_id
   order by f.request_id desc, f.place desc`;

export const selectRefusedLog = statement<RefusedLogRow>()('select_refused_log', logColumns, logOf(''));

export const selectRefusedByNumber = statement<RefusedLogRow>()(
  'select_refused_by_number',
  { ...logColumns, number: 'text' },
  logOf('and number = r.number'),
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
