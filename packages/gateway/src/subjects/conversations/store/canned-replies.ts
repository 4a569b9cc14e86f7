/** Canned replies of a company. */
import type { EpochMs } from '../../../kernel/clock.ts';
import type { AccountId } from '../../../kernel/ids.ts';
import { type StoreOf, storeModule } from '../../../store/module.ts';
import { type Operation, run, statement } from '../../../store/query.ts';

/** Limit for one company. */
export const cannedRepliesMax = 200;

export interface CannedReply {
  /** `rep_` + 26 characters. */
  replyId: string;
  title: string;
  /** With placeholders such as `{{name}}`. */
  text: string;
}

export interface CannedReplyWrite {
  accountId: AccountId;
  /** Null: create one, with `newId`. */
  replyId: string | null;
  newId: string;
  title: string;
  text: string;
  at: EpochMs;
}

interface CannedReplyRow {
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

/** The id; null when there is no such reply, or as many as there may be. */
function* putCannedReplies(writes: readonly CannedReplyWrite[]): Operation<(string | null)[]> {
  const made: (string | null)[] = [];
  for (const { accountId, replyId, newId, title, text, at } of writes) {
    const rows = yield* run(selectCannedReplies, [{ account_id: accountId, limit: cannedRepliesMax }]);
    const isKnown = rows.some((row) => row.reply_id === replyId);
    const id = replyId === null ? (rows.length < cannedRepliesMax ? newId : null) : isKnown ? replyId : null;
    made.push(id);
    if (id === null) continue;
    yield* run(putCannedReply, [{ account_id: accountId, reply_id: id, title, body: text, updated_at: at }]);
  }
  return made;
}

/** True for each that existed. */
function* removeCannedReplies(keys: readonly { accountId: AccountId; replyId: string }[]): Operation<boolean[]> {
  const removed: boolean[] = [];
  for (const { accountId, replyId } of keys) {
    removed.push((yield* run(deleteCannedReply, [{ account_id: accountId, reply_id: replyId }])).length > 0);
  }
  return removed;
}

/** Ordered by title. */
function* cannedReplies(accountId: AccountId): Operation<CannedReply[]> {
  const rows = yield* run(selectCannedReplies, [{ account_id: accountId, limit: cannedRepliesMax }]);
  return rows.map(({ reply_id, title, body }) => ({ replyId: reply_id, title, text: body }));
}

export const cannedReplyStore = storeModule({
  name: 'canned-replies',
  writes: {
    putCannedReplies: { run: putCannedReplies, journal: 'apart' },
    removeCannedReplies: { run: removeCannedReplies, journal: 'apart' },
  },
  reads: { cannedReplies: { run: cannedReplies, needs: 'nothing' } },
});

export interface CannedReplyStore extends StoreOf<typeof cannedReplyStore> {}
