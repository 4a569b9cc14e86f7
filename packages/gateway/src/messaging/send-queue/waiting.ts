/**
 * Explains why a message waits now: every current reason, from its own (media, hours, limits, the next try, a person)
 * to the state of its carrier; for an uncertain message, the receipt that would settle it and what happens without one.
 * Read-only.
 */
import type { Clock, EpochMs } from '../../kernel/clock.ts';
import type { LaneId } from '../../kernel/ids.ts';
import type { Directory } from '../../model/directory.ts';
import type { MessageView, StoredWait } from '../../model/message-view.ts';
import type { OutcomeCode } from '../../model/reason.ts';
import { profileOf } from '../../model/records.ts';
import { type DoubtCause, repeatsAllowed } from '../../model/repeats.ts';
import type { Lanes } from './lanes.ts';
import { type Obstacle, obstacleOf } from './limiting-factor.ts';

export interface Waiting {
  carrier: { carrierId: string; name: string } | null;
  /** The message's own code; null without one. */
  code: string | null;
  /** All current reasons, the most important first: the message is sent when none is left. */
  reasons: [WaitReason, ...WaitReason[]];
}

/** One reason to wait. `until`: its earliest end; null = unknown. */
export type WaitReason =
  | PersonDecides
  | MediaNotReady
  | HeldUntil
  | CarrierInTheWay
  | InDoubt
  /** No known obstacle: the message is handed over after those before it. */
  | { why: 'turn' };

/** The message is `held`: it may have been sent already, and a person decides whether to send it. */
interface PersonDecides {
  why: 'person';
  since: EpochMs;
}

/** `until`: the next try, if one failed. */
interface MediaNotReady {
  why: 'media';
  until: EpochMs | null;
}

/** Not due before a future time; `time`: no record gives the reason. */
type HeldUntil =
  | { why: 'quiet' | 'campaign' | 'dayCap' | 'time'; until: EpochMs }
  /** `code`: the answer to the last try. */
  | { why: 'retry'; until: EpochMs; code: string };

/** `since`: start of the carrier's state; null if that explains nothing. */
interface CarrierInTheWay {
  why: Obstacle['why'];
  since: EpochMs | null;
  /** Segments a second, for `rate`. */
  perSecond: number | null;
}

/**
 * The message is `uncertain`. At `until` it is sent again (`repeat`), held for a person (`hold`), or, after its
 * repeats, given up as unconfirmed (`receipt`). `doubt`: the cause, the number of repeats so far, and their maximum.
 */
interface InDoubt {
  why: 'repeat' | 'hold' | 'receipt';
  since: EpochMs;
  until: EpochMs;
  doubt: { cause: DoubtCause | null; repeats: number; allowed: number };
}

export interface WaitingParts {
  lanes: Pick<Lanes, 'isPaused' | 'pausedSince' | 'report'>;
  directory: Directory;
  now: EpochMs;
}

/** Codes of messages that wait for a time, regardless of the carrier's state. */
const ownReasons: ReadonlyMap<OutcomeCode, 'quiet' | 'campaign' | 'dayCap'> = new Map([
  ['QUIET_HOURS', 'quiet'],
  ['CAMPAIGN_LIMIT', 'campaign'],
  ['DAILY_CAP_REACHED', 'dayCap'],
]);

/** The same with the current records and time. */
export function createWaiting({
  lanes,
  directory,
  clock,
}: Pick<WaitingParts, 'lanes'> & { directory(): Directory; clock: Clock }) {
  return (message: MessageView): Waiting | null =>
    waitingOf(message, { lanes, directory: directory(), now: clock.now() });
}

/** Null for a message that does not wait. */
export function waitingOf(message: MessageView, parts: WaitingParts): Waiting | null {
  const { code, doubt, wait } = message;
  if (doubt !== undefined) return doubtOf(message, doubt, parts);
  if (wait === undefined) return null;
  const reasons = message.state === 'held' ? heldReasons(message, wait) : queuedReasons(message, wait, parts);
  const [foremost = { why: 'turn' }, ...more] = reasons;
  return { carrier: named(wait.lane, parts), code, reasons: [foremost, ...more] };
}

function heldReasons({ updatedAt }: MessageView, wait: StoredWait): WaitReason[] {
  const media: WaitReason[] = wait.mediaDueAt === null ? [] : [{ why: 'media', until: null }];
  return [{ why: 'person', since: updatedAt }, ...media];
}

/**
 * A carrier that takes nothing at all is listed beside other reasons, before the time of the next try. A carrier that
 * is only full at the moment does not hold a message that is not due.
 */
function queuedReasons(message: MessageView, wait: StoredWait, parts: WaitingParts): WaitReason[] {
  const own = wait.mediaDueAt === null ? heldUntil(message, wait, parts.now) : null;
  const media = wait.mediaDueAt === null ? [] : mediaReasons(message, wait.mediaDueAt, wait, parts);
  const carrier = carrierReason(wait.lane, parts);
  if (own === null && media.length === 0) return carrier === null ? [] : [carrier];
  const firm = carrier !== null && takesNothing.has(carrier.why) ? [carrier] : [];
  if (own === null) return [...media, ...firm];
  return own.why === 'retry' || own.why === 'time' ? [...firm, own] : [own, ...firm];
}

function heldUntil({ code, carrierCode }: MessageView, { dueAt }: StoredWait, now: EpochMs): HeldUntil | null {
  if (dueAt === null || dueAt <= now) return null;
  if (code === null) return { why: 'time', until: dueAt };
  const own = ownReasons.get(code);
  return own === undefined ? { why: 'retry', until: dueAt, code: carrierCode ?? code } : { why: own, until: dueAt };
}

/** Quiet hours hold an MMS at its first try, so while its media are not ready only the records show them. */
function mediaReasons(
  { from }: MessageView,
  dueAt: EpochMs,
  { accountId }: StoredWait,
  { directory, now }: WaitingParts,
): WaitReason[] {
  const account = directory.account(accountId);
  const quietUntil = account === undefined ? null : directory.quietUntil(account, from, now);
  const quiet: WaitReason[] = quietUntil === null ? [] : [{ why: 'quiet', until: quietUntil }];
  return [{ why: 'media', until: dueAt > now ? dueAt : null }, ...quiet];
}

function doubtOf(
  { carrier, updatedAt }: MessageView,
  { accountId, cause, repeats, dueAt, expiresAt }: NonNullable<MessageView['doubt']>,
  parts: WaitingParts,
): Waiting {
  const account = parts.directory.account(accountId);
  const record = carrier === null ? undefined : parts.directory.carrier(carrier);
  const allowed = account?.uncertainPolicy === 'hold' ? 0 : repeatsAllowed(cause, account, record && profileOf(record));
  const why = allowed === 0 ? 'hold' : repeats < allowed && dueAt < expiresAt ? 'repeat' : 'receipt';
  const until = why === 'receipt' ? Math.max(dueAt, expiresAt) : dueAt;
  return {
    carrier: carrier === null ? null : named(carrier, parts),
    code: 'UNCERTAIN',
    reasons: [{ why, since: updatedAt, until, doubt: { cause, repeats, allowed } }],
  };
}

function named(carrierId: string, { directory }: WaitingParts) {
  return { carrierId, name: directory.carrier(carrierId)?.name ?? carrierId };
}

/** Carrier states in which nothing is sent, regardless of the time of the next try. */
const takesNothing: ReadonlySet<Obstacle['why']> = new Set(['off', 'paused', 'opening', 'down', 'unanswered']);

function carrierReason(lane: LaneId, { lanes, directory }: WaitingParts): CarrierInTheWay | null {
  const record = directory.carrier(lane);
  const report = lanes.report(lane);
  const paused = lanes.isPaused(lane);
  const obstacle = record === undefined ? { why: 'off' as const } : obstacleOf({ record, report, paused, queued: 1 });
  if (obstacle === null) return null;
  const { why } = obstacle;
  const since = { paused: lanes.pausedSince(lane), down: report?.since, unanswered: report?.silentSince };
  return {
    why,
    since: Object.hasOwn(since, why) ? (since[why as keyof typeof since] ?? null) : null,
    perSecond: obstacle.why === 'rate' ? obstacle.perSecond : null,
  };
}
