/** SQL over the canned replies of a company. */
import { statement } from '../../../store/query.ts';

export interface CannedReplyRow {
  reply_id: string;
  title: string;
  body: string;
}

export const selectCannedReplies = statement<CannedReplyRow>()(
  'select_canned_replies',
  { account_id: 'text', limit: 'int' },
  `select c.reply_id, c.title, c.body from canned_replies c where c.account_id = r.account_id
   order by c.title, c.reply_id limit r.limit`,
);

export const putCannedReply = statement()(
  'put_canned_reply',
  { account_id: 'text', reply_id: 'text', title: 'text', body: 'text', updated_at: 'int' },
  `insert into canned_replies (account_id, reply_id, title, body, updated_at)
   select r.account_id, r.reply_id, r.title, r.body, r.updated_at from {rows} r where true
   on conflict (account_id, reply_id) do update set title = excluded.title, body = excluded.body,
     updated_at = excluded.updated_at`,
);

export const deleteCannedReply = statement<{ reply_id: string }>()(
  'delete_canned_reply',
  { account_id: 'text', reply_id: 'text' },
  'delete from canned_replies where account_id = r.account_id and reply_id = r.reply_id returning reply_id',
);
