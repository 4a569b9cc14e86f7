/** Canned replies of a company. */
import type { EpochMs } from '../../../kernel/clock.ts';
import type { AccountId } from '../../../kernel/ids.ts';
import { type StoreOf, storeModule } from '../../../store/module.ts';
import { type Operation, run } from '../../../store/query.ts';
import * as sql from './statements.ts';

/** Of one company. */
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
  /** Null: a new one, with `newId`. */
  replyId: string | null;
  newId: string;
  title: string;
  text: string;
  at: EpochMs;
}

/** The id; null when there is no such reply, or as many as there may be. */
function* putCannedReplies(writes: readonly CannedReplyWrite[]): Operation<(string | null)[]> {
  const made: (string | null)[] = [];
  for (const { accountId, replyId, newId, title, text, at } of writes) {
    const rows = yield* run(sql.selectCannedReplies, [{ account_id: accountId, limit: cannedRepliesMax }]);
    const isKnown = rows.some((row) => row.reply_id === replyId);
    const id = replyId === null ? (rows.length < cannedRepliesMax ? newId : null) : isKnown ? replyId : null;
    made.push(id);
    if (id === null) continue;
    yield* run(sql.putCannedReply, [{ account_id: accountId, reply_id: id, title, body: text, updated_at: at }]);
  }
  return made;
}

/** True for each that was there. */
function* removeCannedReplies(keys: readonly { accountId: AccountId; replyId: string }[]): Operation<boolean[]> {
  const removed: boolean[] = [];
  for (const { accountId, replyId } of keys) {
    removed.push((yield* run(sql.deleteCannedReply, [{ account_id: accountId, reply_id: replyId }])).length > 0);
  }
  return removed;
}

/** By title. */
function* cannedReplies(accountId: AccountId): Operation<CannedReply[]> {
  const rows = yield* run(sql.selectCannedReplies, [{ account_id: accountId, limit: cannedRepliesMax }]);
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
