/** Counts sends for the network limits, and makes waiting messages due. Moves no delivery. */
import type { EpochMs } from '../../../kernel/clock.ts';
import type { LaneId, MessageId } from '../../../kernel/ids.ts';
import { type OutcomeCode, readOutcomeCode } from '../../../model/reason.ts';
import type { MessageKind } from '../../../model/records.ts';
import { queueTime, type WriteContext } from '../../../store/context.ts';
import { type Operation, run } from '../../../store/query.ts';
import { lastPosition } from '../../../store/system/operations.ts';
import { selectEventAfter, selectHandedOver, selectWaiting, updateDue } from '../statements/pacing.ts';
import { selectLanes } from '../statements/queue.ts';

export interface WaitingPlace {
  lane: LaneId;
  dueAt: EpochMs;
  messageId: MessageId;
}

export interface WaitingMessage {
  messageId: MessageId;
  /** The sender. */
  number: string;
  dueAt: EpochMs;
}

export interface HandedOver {
  number: string;
  kind: MessageKind;
  /** Second since the epoch for messages handed over after `lately`; 0 for all earlier ones. */
  second: number;
  /** SMS: segments that the carrier accepted or may have accepted; MMS: messages. */
  units: number;
}

interface HandedOverQuery {
  after: number;
  limit: number;
  since: EpochMs;
  lately: EpochMs;
  claimedUntil: EpochMs;
}

export interface HandedOverPage {
  /** According to events, each of which is in one page only. */
  handed: HandedOver[];
  /** With carriers now, or not back yet, of the messages claimed by `claimedUntil`; empty as long as there is `more`. */
  underWay: HandedOver[];
  /** Where the next page begins. */
  position: number;
  more: boolean;
}

interface WaitingQuery {
  codes: readonly OutcomeCode[];
  now: EpochMs;
  after: WaitingPlace | null;
  limit: number;
}

/**
 * The position in the log after which all events from `at` on are found, by bisection: the log's times increase. A
 * clock that was set back makes it wrong by as much.
 */
export function* positionAt(at: number): Operation<number> {
  let older = 0;
  let end = yield* lastPosition();
  while (older < end) {
    const middle = Math.floor((older + end) / 2);
    const [event] = yield* run(selectEventAfter, [{ after: middle }]);
    if (event !== undefined && event.at < at) older = Math.min(event.position, end);
    else end = middle;
  }
  return older;
}

/** What was handed over since `since`, in the log after `after`; examines at most `limit` positions. */
export function* handedOver({ after, limit, claimedUntil, ...times }: HandedOverQuery): Operation<HandedOverPage> {
  const last = Math.max(after, yield* lastPosition(after));
  const more = last - after > limit;
  // The last look has no upper bound, so that events after the query of `lastPosition` are included.
  const until = more ? after + limit : Number.MAX_SAFE_INTEGER;
  const query = { ...times, after, until, under_way: more ? 0 : 1, claimed_until: claimedUntil };
  const rows = yield* run(selectHandedOver, [query]);
  const found = (isUnderWay: boolean): HandedOver[] =>
    rows
      .filter(({ position }) => (position === null) === isUnderWay)
      .map(({ number, message_type, second, units }) => ({ number, kind: message_type, second, units }));
  const position = more ? until : rows.reduce((furthest, row) => Math.max(furthest, row.position ?? 0), last);
  return { handed: found(false), underWay: found(true), position, more };
}

/**
 * Messages that are due after `now` and wait with one of these codes, among the next `limit` waiting ones. Reads lane
 * after lane, along the index of waiting messages.
 */
export function* waitingFor({
  codes,
  now,
  after,
  limit,
}: WaitingQuery): Operation<{ waiting: WaitingMessage[]; next: WaitingPlace | null }> {
  for (const { lane } of yield* run(selectLanes.queued, [{}])) {
    if (after !== null && lane < after.lane) continue;
    const from: WaitingPlace = after?.lane === lane ? after : { lane, dueAt: now, messageId: '' };
    const rows = yield* run(selectWaiting, [{ lane, due_at: from.dueAt, message_id: from.messageId, limit }]);
    const last = rows.at(-1);
    if (last === undefined) continue;
    const waiting = rows
      .filter(({ code }) => code !== null && codes.includes(readOutcomeCode(code)))
      .map(({ message_id, sender, due_at }) => ({ messageId: message_id, number: sender, dueAt: due_at }));
    return { waiting, next: { lane, dueAt: last.due_at, messageId: last.message_id } };
  }
  return { waiting: [], next: null };
}

/** For each message, whether it was waiting and is due now. */
export function* makeDue(
  items: readonly { messageId: MessageId; now: number }[],
  context: WriteContext,
): Operation<boolean[]> {
  const rows = items.map(({ messageId, now }) => ({
    message_id: messageId,
    at: now,
    due_at: queueTime(context, now),
  }));
  const due = new Set((yield* run(updateDue, rows)).map(({ message_id }) => message_id));
  return items.map(({ messageId }) => due.has(messageId));
}
