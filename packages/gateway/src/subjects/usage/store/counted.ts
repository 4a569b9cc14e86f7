/** Reads the event log for the counts of billing and of outcomes by the hour. */
import { dayMs } from '../../../kernel/clock.ts';
import { demoKeyId } from '../../../model/demo.ts';
import { type EndedMessages, hourMs } from '../../../model/hourly-outcomes.ts';
import { dayOf, type TakenMessages } from '../../../model/usage.ts';
import { type Operation, run } from '../../../store/query.ts';
import { lastPosition } from '../../../store/system/operations.ts';
import { selectCountsAfter } from './statements/counted.ts';

export interface LogPage {
  /** First known to be taken by a carrier in these positions. */
  taken: TakenMessages[];
  /** That ended, or were taken. */
  ended: EndedMessages[];
  /** How far it read. */
  position: number;
}

/** The log after `after`, at most `limit` positions. Messages sent in the last ten seconds may be missing. */
export function* countsAfter({ after, limit }: { after: number; limit: number }): Operation<LogPage> {
  const position = Math.max(after, Math.min(yield* lastPosition(after), after + limit));
  const rows = position === after ? [] : yield* run(selectCountsAfter, [{ after, until: position }]);
  const taken = rows
    .filter((row) => row.taken > 0)
    .map((row) => ({
      accountId: row.account_id,
      day: dayOf(row.day * dayMs),
      number: row.own,
      key: row.key_id,
      kind: row.message_type,
      toPrefix: row.prefix,
      carrier: row.carrier,
      messages: row.taken,
      units: row.units,
    }));
  const ended = rows.map((row) => ({
    accountId: row.account_id,
    number: row.own,
    carrier: row.carrier,
    hour: row.hour * hourMs,
    demo: row.key_id === demoKeyId,
    state: row.state,
    code: row.code,
    took: row.took,
    messages: row.messages,
    taken: row.taken,
  }));
  return { taken, ended, position };
}
