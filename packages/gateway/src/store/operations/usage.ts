/**
 * Counting for billing: reads on in the log, and adds what was counted together with the mark. It must never count a place
 * of the log twice.
 */
import { firstIdAt } from '../../domain/ids.ts';
import {
  type DayRange,
  dayOf,
  type OutcomeRow,
  type UsageFigures,
  type UsageLine,
  type UsageOwner,
} from '../../domain/usage.ts';
import { type Operation, run } from '../query.ts';
import { putCounter, selectCounter } from '../statements/records.ts';
import {
  addToUsage,
  type FiguresRow,
  selectOutcomes,
  selectTaken,
  selectUsage,
  selectUsageLines,
  selectUsageTotal,
} from '../statements/usage.ts';
import type { UsageStore } from '../usage-store.ts';
import { lastPosition } from './queue.ts';

const markCounter = 'usage_counted';
const dayMs = 86_400_000;

type Request<K extends keyof UsageStore> = Parameters<UsageStore[K]>[0];
type Result<K extends keyof UsageStore> = Awaited<ReturnType<UsageStore[K]>>;

export function* countedTo(): Operation<number> {
  const [found] = yield* run(selectCounter, [{ name: markCounter }]);
  return found?.value ?? 0;
}

export function* takenAfter({ after, limit }: NonNullable<Request<'takenAfter'>>): Operation<Result<'takenAfter'>> {
  const until = Math.max(after, Math.min(yield* lastPosition(), after + limit));
  const rows = until === after ? [] : yield* run(selectTaken, [{ after, until }]);
  const taken = rows.map((row) => ({
    accountId: row.account_id,
    day: dayOf(row.day * dayMs),
    number: row.sender,
    key: row.key_id,
    kind: row.message_type,
    toPrefix: row.prefix,
    carrier: row.carrier,
    messages: row.messages,
    units: row.units,
  }));
  return { taken, position: until };
}

export function* addUsage(items: readonly NonNullable<Request<'addUsage'>>[]): Operation<boolean[]> {
  const done: boolean[] = [];
  for (const { from, to, rows } of items) {
    const isNext = (yield* countedTo()) === from;
    done.push(isNext);
    if (!isNext) continue;
    yield* run(
      addToUsage,
      rows.map(({ accountId: account_id, ...row }) => ({ account_id, ...row })),
    );
    yield* run(putCounter, [{ name: markCounter, value: to }]);
  }
  return done;
}

export function* usage({ groupBy, after, limit, ...asked }: Request<'usage'>): Operation<Result<'usage'>> {
  const rows = yield* run(selectUsage[groupBy], [{ ...owned(asked), after, limit }]);
  return rows.map((row) => ({ name: row.name, ...figuresOf(row) }));
}

export function* usageTotal(asked: UsageOwner & DayRange): Operation<UsageFigures> {
  const [row] = yield* run(selectUsageTotal, [owned(asked)]);
  return figuresOf(row!);
}

export function* usageLines({ limit, ...asked }: Request<'usageLines'>): Operation<UsageLine[]> {
  return yield* run(selectUsageLines, [{ ...owned(asked), limit }]);
}

export function* outcomes({ accountId, from, until, look }: Request<'outcomes'>): Operation<OutcomeRow[]> {
  const period = { after: firstIdAt('msg_', from), before: firstIdAt('msg_', until) };
  const rows = yield* run(selectOutcomes, [{ account_id: accountId, ...period, look }]);
  return rows.map(({ day, found, ...row }) => ({ day: dayOf(day * dayMs), ...row, count: found }));
}

function owned({ accountId, environment, from, to }: UsageOwner & DayRange) {
  return { account_id: accountId, environment, from, to };
}

function figuresOf(row: Omit<FiguresRow, 'name'>): UsageFigures {
  return { smsMessages: row.sms_messages, smsSegments: row.sms_segments, mmsMessages: row.mms_messages };
}
