/** Reads the event log for the counts of billing and of outcomes by the hour. */
import { dayMs } from '../../../kernel/clock.ts';
import { demoKeyId } from '../../../model/demo.ts';
import { type CountedOutcome, type EndedMessages, hourMs } from '../../../model/hourly-outcomes.ts';
import type { MessageKind } from '../../../model/records.ts';
import { dayOf, type TakenMessages } from '../../../model/usage.ts';
import { type Operation, run } from '../../../store/query.ts';
import { lastPosition } from '../../../store/system/operations.ts';
import { keyColumns, keySeparator, selectCountsAfter } from './statements/counted.ts';

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
  const counts = rows.map((row) => ({ ...row, ...splitKey(row.key) }));
  const taken = counts
    .filter((count) => count.taken > 0)
    .map((count) => ({
      accountId: count.account_id,
      day: dayOf(Number(count.day) * dayMs),
      number: count.own,
      key: count.key_id,
      kind: count.message_type as MessageKind,
      toPrefix: count.prefix,
      carrier: count.carrier,
      messages: count.taken,
      units: count.units,
    }));
  const ended = counts.map((count) => ({
    accountId: count.account_id,
    number: count.own,
    carrier: count.carrier,
    hour: Number(count.hour) * hourMs,
    demo: count.key_id === demoKeyId,
    state: count.state as CountedOutcome,
    code: count.code,
    took: Number(count.took),
    messages: count.messages,
    taken: count.taken,
  }));
  return { taken, ended, position };
}

function splitKey(key: string): Record<(typeof keyColumns)[number], string> {
  const values = key.split(keySeparator);
  return Object.fromEntries(keyColumns.map((name, index) => [name, values[index]!])) as ReturnType<typeof splitKey>;
}
