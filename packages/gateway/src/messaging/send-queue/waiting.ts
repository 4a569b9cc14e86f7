/**
 * Explains why a message waits now: its own reasons (hours, limits), its carrier's state, its next attempt; for an
 * uncertain message, the receipt that would settle it and what happens without one. Read-only.
 */
import type { Clock, EpochMs } from '../../kernel/clock.ts';
import type { LaneId } from '../../kernel/ids.ts';
import type { MessageView } from '../../model/delivery.ts';
import type { Directory } from '../../model/directory.ts';
import type { OutcomeCode } from '../../model/reason.ts';
import { profileOf } from '../../model/records.ts';
import { type DoubtCause, repeatsAllowed } from '../../model/repeats.ts';
import type { MessageStore } from '../store/modules/messages.ts';
import type { PacingStore } from '../store/modules/pacing.ts';
import type { Lanes } from './lanes.ts';
import { type Obstacle, obstacleOf } from './limiting-factor.ts';

export interface Waiting {
  /** `turn`: nothing is in the way that is known here; it is handed over when those before it are. */
  why: Exclude<Obstacle['why'], 'idle'> | 'quiet' | 'campaign' | 'dayCap' | 'retry' | 'turn' | DoubtWhy;
  carrier: { carrierId: string; name: string } | null;
  /** Since when the carrier has its state; null where that explains nothing. */
  since: EpochMs | null;
  /** Earliest end of the wait; null = unknown. */
  until: EpochMs | null;
  /** What the last try was answered, for `retry`. */
  code: string | null;
  /** Segments a second, for `rate`. */
  perSecond: number | null;
  /** Of what is `uncertain`: why, how often it was sent again, and how often it may be. */
  doubt?: { cause: DoubtCause | null; repeats: number; allowed: number };
}

/**
 * Of what is `uncertain`, at `until`: it is sent again, held for a person, or given up as unconfirmed, as it has had its
 * repeats.
 */
type DoubtWhy = 'repeat' | 'hold' | 'receipt';

export interface WaitingParts {
  store: Pick<MessageStore, 'queued'> & Pick<PacingStore, 'waitingFor'>;
  lanes: Pick<Lanes, 'up' | 'isPaused' | 'pausedSince' | 'report'>;
  directory: Directory;
  now: EpochMs;
}

/** Codes of a message that waits for a time, whatever its carrier does meanwhile. */
const ownReasons: ReadonlyMap<OutcomeCode, Waiting['why']> = new Map([
  ['QUIET_HOURS', 'quiet'],
  ['CAMPAIGN_LIMIT', 'campaign'],
  ['DAILY_CAP_REACHED', 'dayCap'],
]);

/** Of each queue so many are looked through for the message. */
const looked = 500;

/** The same for a caller who knows no more than the message: its carriers are those that the rules name now. */
export function createWaiting(
  parts: Omit<WaitingParts, 'directory' | 'now'> & { directory(): Directory; clock: Clock },
) {
  return (message: MessageView): Promise<Waiting | null> => {
    const [directory, now] = [parts.directory(), parts.clock.now()];
    const { from, to, messageType: kind } = message;
    const environment = directory.number(from)?.environment;
    const rules = environment === undefined ? [] : directory.carriersFor({ environment, from, to, kind, at: now }, 0);
    return waitingOf(message, rules, { ...parts, directory, now });
  };
}

/** Null for what does not wait. `carrierIds`: those that its rules name and that take its kind, in their order. */
export async function waitingOf(
  message: MessageView,
  carrierIds: readonly string[],
  parts: WaitingParts,
): Promise<Waiting | null> {
  if (message.state === 'uncertain') return doubtOf(message, parts);
  if (message.state !== 'queued') return null;
  const lane = await laneOf(message, carrierIds, parts);
  const until = await dueOf(message, lane, parts);
  const { code } = message;
  const name = lane === null ? null : (parts.directory.carrier(lane)?.name ?? lane);
  const known = { carrier: lane === null ? null : { carrierId: lane, name: name! }, since: null, until, code };
  const own = code === null ? undefined : ownReasons.get(code);
  if (own !== undefined && until !== null) return { why: own, ...known, perSecond: null };
  const blocked = lane === null ? null : obstacleAt(lane, parts);
  if (blocked?.firm === true) return { ...known, ...blocked.told, until: null };
  if (own !== undefined) return { why: own, ...known, perSecond: null };
  if (code !== null && until !== null)
    return { why: 'retry', ...known, code: message.carrierCode ?? code, perSecond: null };
  return { ...known, ...(blocked?.told ?? { why: 'turn', since: null, perSecond: null }), until: null };
}

function doubtOf({ carrier, doubt, updatedAt }: MessageView, { directory }: WaitingParts): Waiting | null {
  if (doubt === undefined) return null;
  const { cause, repeats, dueAt, expiresAt } = doubt;
  const account = directory.account(doubt.accountId);
  const record = carrier === null ? undefined : directory.carrier(carrier);
  const ofCarrier = record && profileOf(record);
  const allowed = account?.uncertainPolicy === 'hold' ? 0 : repeatsAllowed(cause, account, ofCarrier);
  const why = allowed === 0 ? 'hold' : repeats < allowed && dueAt < expiresAt ? 'repeat' : 'receipt';
  return {
    why,
    carrier: carrier === null ? null : { carrierId: carrier, name: record?.name ?? carrier },
    since: updatedAt,
    until: why === 'receipt' ? Math.max(dueAt, expiresAt) : dueAt,
    code: 'UNCERTAIN',
    perSecond: null,
    doubt: { cause, repeats, allowed },
  };
}

/** The queue in which it stands; where it is too far back to be seen, the one in which it should. */
async function laneOf({ messageId, carrier }: MessageView, carrierIds: readonly string[], parts: WaitingParts) {
  const lanes = [...new Set([...(carrier === null ? [] : [carrier]), ...carrierIds])];
  for (const lane of lanes) {
    const rows = await parts.store.queued(lane, looked);
    if (rows.some((row) => row.messageId === messageId)) return lane;
  }
  return lanes.find(parts.lanes.up) ?? lanes[0] ?? null;
}

/** When it is due, where that is later than now; null also when it is too far back to be seen. */
async function dueOf({ messageId, code }: MessageView, lane: LaneId | null, { store, now }: WaitingParts) {
  if (code === null || lane === null) return null;
  const after = { lane, dueAt: now, messageId: '' };
  const { waiting } = await store.waitingFor({ codes: [code], now, after, limit: looked });
  return waiting.find((one) => one.messageId === messageId)?.dueAt ?? null;
}

/** `firm`: nothing at all leaves, whatever the time of the next try. */
function obstacleAt(lane: LaneId, { lanes, directory }: WaitingParts) {
  const record = directory.carrier(lane);
  const report = lanes.report(lane);
  const paused = lanes.isPaused(lane);
  const obstacle = record === undefined ? { why: 'off' as const } : obstacleOf({ record, report, paused, queued: 1 });
  if (obstacle.why === 'idle') return null;
  const unanswered = report?.silentSince ?? null;
  const since = { off: null, paused: lanes.pausedSince(lane), down: report?.since ?? null, unanswered };
  const told = {
    why: obstacle.why,
    since: Object.hasOwn(since, obstacle.why) ? since[obstacle.why as keyof typeof since] : null,
    perSecond: obstacle.why === 'rate' ? obstacle.perSecond : null,
  };
  return { told, firm: ['off', 'paused', 'down', 'opening', 'unanswered'].includes(obstacle.why) };
}
