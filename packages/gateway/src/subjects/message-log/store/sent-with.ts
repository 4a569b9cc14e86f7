/** The stored parts of a message's request. */
import type { SentWith, SentWithQuery } from '../../../messaging/store/message-log-items.ts';
import { selectAnswer, selectSent } from '../../../messaging/store/statements/message-log.ts';
import { type Operation, run } from '../../../store/query.ts';

/** An answer is written down by the same request as its messages, so much later at most. */
const slackMs = 100;

/** `keptMs`: how long answers are kept. Null for what was not sent. */
export function* sentWith({
  accountId: account_id,
  messageId: message_id,
  keptMs,
}: SentWithQuery): Operation<SentWith | null> {
  const [sent] = yield* run(selectSent, [{ account_id, message_id }]);
  if (sent === undefined) return null;
  const { request_id, accepted_at, valid_for: validForMs } = sent;
  const end = accepted_at + keptMs;
  const [found] = yield* run(selectAnswer, [{ account_id, request_id, after: end - slackMs, before: end + slackMs }]);
  return { validForMs, answer: found?.answer ?? null, answerKeptUntil: found?.expires_at ?? null };
}
