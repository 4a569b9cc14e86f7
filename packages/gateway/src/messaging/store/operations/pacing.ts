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
  /** Seconds since the epoch of what was handed over after `lately`; 0 for all before. */
  second: number;
  /** SMS: segments that the carrier took or may have taken; MMS: messages. */
  units: number;
}

interface HandedOverQuery {
  after: number;
  limit: number;
  since: EpochMs;
  lately: EpochMs;
}

interface WaitingQuery {
  codes: readonly OutcomeCode[];
  now: EpochMs;
  after: WaitingPlace | null;
  limit: number;
}

/** Place of the log behind which everything stands that was told at `at` or later. By halving: the log grows with time. A clock that was set back puts it off by as much. */
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

/**
 * What was handed over since `since`, in the log after `after`; looks at no more than `limit` places. When it has reached
 * the end (`more` false), what is in the hands of carriers at that very moment is counted with it.
 */
export function* handedOver({
  after,
  limit,
  ...times
}: HandedOverQuery): Operation<{ handed: HandedOver[]; position: number; more: boolean }> {
  const last = Math.max(after, yield* lastPosition(after));
  const more = last - after > limit;
  // The last look has no end: what was told since `lastPosition` was asked belongs to it.
  const until = more ? after + limit : Number.MAX_SAFE_INTEGER;
  const rows = yield* run(selectHandedOver, [{ ...times, after, until, under_way: more ? 0 : 1 }]);
  const handed = rows.map(({ message_type, ...row }) => ({ ...row, kind: message_type }));
  return { handed, position: more ? until : last, more };
}

/**
 * Messages that wait beyond `now` and say why with one of these codes, among the next `limit` that wait. One lane after the
 * other, along the index of what waits.
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

/** For each whether it waited and is due now. */
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
