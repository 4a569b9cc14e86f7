/**
 * The timeline of a message in order: its events, the rule that routed it, its waits with their reasons as far as
 * events show them, webhooks. Pure.
 */

import type { MessageWaiting } from '../../api/routes/messages-answers';
import { fixedText } from '../../language/formats';
import { labelsOf } from '../../language/labels';
import type { Link, Routed, StoryDelivery, TimelineEvent } from './message-data';

const storyLabels = labelsOf('story');

export type Entry =
  | { kind: 'event'; at: string; event: TimelineEvent; again: boolean }
  | { kind: 'routed'; at: string }
  | { kind: 'gap'; at: string; ms: number; reason: string | null; still: boolean }
  | { kind: 'webhook'; at: string; delivery: StoryDelivery };

export interface Around {
  carrierName: string;
  link: Link | null;
  routed: Routed | null;
  /** Why it waits now. */
  waiting: MessageWaiting | null;
  /** Formats a time. */
  time(at: string, form?: 'minute' | 'second'): string;
  nowMs: number;
}

const labels = storyLabels.reasons;
/** The shortest wait that is shown. */
const gapMsMin = 30_000;
/** After these it waits for nothing more, or another line says so. */
const notWaiting = new Set([
  'sent',
  'delivered',
  'undelivered',
  'failed',
  'expired',
  'canceled',
  'received',
  'unconfirmed',
]);

/** States for which the gateway explains the wait. */
export const mayWait: ReadonlySet<string> = new Set(['queued', 'uncertain', 'held']);

/**
 * Codes of a message that waits for a time, whatever its carrier does meanwhile; the event's detail explains it
 * completely.
 */
const waitsForItself: ReadonlySet<string> = new Set(['CAMPAIGN_LIMIT', 'DAILY_CAP_REACHED', 'QUIET_HOURS']);

/** Whether the event's own detail is the reason for the wait, not its carrier. */
export function isHeldBack({ state, code, detail }: Pick<TimelineEvent, 'state' | 'code' | 'detail'>): boolean {
  return state === 'queued' && detail !== null && code !== null && waitsForItself.has(code);
}

/** A message that only waits for its turn gets no line before this time. */
const turnMsMin = 5_000;

type WaitReason = MessageWaiting['also'][number] & Partial<Pick<MessageWaiting, 'perSecond' | 'doubt'>>;

/** Why it waits now, as the end of a sentence, with every reason that applies; null when there is nothing to say. */
export function waitingText(waiting: MessageWaiting | null, waitedMs: number, time: Around['time']): string | null {
  if (waiting === null || (waiting.why === 'turn' && waitedMs < turnMsMin)) return null;
  const waitingLabels = storyLabels.waiting;
  const name = waiting.carrier?.name ?? waitingLabels.noCarrier;
  return waitingLabels.joined([waiting, ...waiting.also].map((reason) => reasonText(reason, name, time)));
}

function reasonText(
  { why, since, until, code, perSecond, doubt }: WaitReason,
  carrier: string,
  time: Around['time'],
): string {
  const waitingLabels = storyLabels.waiting;
  const at = (moment: string | null, form?: 'second') => (moment === null ? null : time(moment, form));
  switch (why) {
    case 'paused':
    case 'down':
    case 'unanswered':
      return waitingLabels[why](carrier, at(since));
    case 'rate':
      return waitingLabels.rate(carrier, perSecond ?? 0);
    case 'quiet':
      return waitingLabels.quiet(at(until));
    case 'campaign':
    case 'dayCap':
    case 'media':
      return waitingLabels[why](at(until, 'second'));
    case 'time':
      return waitingLabels.time(at(until, 'second') ?? '');
    case 'retry':
      return waitingLabels.retry(at(until, 'second') ?? '', code ?? '');
    case 'repeat':
      return waitingLabels.repeat(at(until, 'second') ?? '', (doubt?.repeats ?? 0) + 1, doubt?.allowed ?? 0);
    case 'hold':
      return waitingLabels.hold(at(until, 'second') ?? '');
    case 'receipt':
      return waitingLabels.receipt(at(until) ?? '', doubt?.repeats ?? 0);
    case 'person':
    case 'turn':
      return waitingLabels[why];
    default:
      return waitingLabels[why](carrier);
  }
}

/** States of a carrier that make messages wait. */
const carrierReasons: ReadonlySet<MessageWaiting['why']> = new Set([
  ...(['off', 'paused', 'opening', 'down', 'unanswered', 'rate', 'throttled', 'window'] as const),
]);

/** Whether its carrier is one of the reasons for the wait. */
export function isOfCarrier({ why, also }: MessageWaiting): boolean {
  return [why, ...also.map((reason) => reason.why)].some((one) => carrierReasons.has(one));
}

export function entriesOf(
  events: readonly TimelineEvent[],
  webhooks: readonly StoryDelivery[],
  around?: Around,
): Entry[] {
  const entries: Entry[] = [];
  let sent = false;
  let before: TimelineEvent | null = null;
  for (const event of events) {
    const ms = before === null ? 0 : Date.parse(event.occurredAt) - Date.parse(before.occurredAt);
    if (before !== null && ms >= gapMsMin) {
      const reason = around === undefined ? null : reasonOf(before, event, around);
      entries.push({ kind: 'gap', at: event.occurredAt, ms, reason, still: false });
    }
    entries.push({ kind: 'event', at: event.occurredAt, event, again: sent && event.state === 'queued' });
    if (event.state === 'accepted' && around?.routed != null) entries.push({ kind: 'routed', at: event.occurredAt });
    if (event.state === 'sending') sent = true;
    before = event;
    for (const delivery of webhooks) {
      if (delivery.eventId === event.eventId) entries.push({ kind: 'webhook', at: delivery.updatedAt, delivery });
    }
  }
  const still = around === undefined || before === null ? null : stillWaiting(before, around);
  return still === null ? entries : [...entries, still];
}

function stillWaiting(last: TimelineEvent, around: Around): Entry | null {
  const ms = Math.max(0, around.nowMs - Date.parse(last.occurredAt));
  if (notWaiting.has(last.state)) return null;
  const known = mayWait.has(last.state) ? waitingText(around.waiting, ms, around.time) : null;
  if (known === null && ms < gapMsMin) return null;
  const reason = known ?? reasonOf(last, null, around);
  return { kind: 'gap', at: new Date(around.nowMs).toISOString(), ms, reason, still: true };
}

/** What the message waited for between two events; `after` is null while it still waits. */
function reasonOf(before: TimelineEvent, after: TimelineEvent | null, around: Around): string | null {
  switch (before.state) {
    case 'queued':
    case 'accepted':
      return queueReason(before, after, around);
    case 'sending':
      return labels.answer;
    case 'sent':
      return labels.receipt;
    case 'unconfirmed':
      return labels.lateReceipt;
    case 'uncertain':
      return labels.proof;
    case 'held':
      return labels.person;
    default:
      return null;
  }
}

function queueReason(before: TimelineEvent, after: TimelineEvent | null, around: Around): string {
  if (before.code === 'CAMPAIGN_LIMIT') return labels.campaign;
  if (before.code === 'DAILY_CAP_REACHED') return labels.dayCap;
  if (before.code === 'QUIET_HOURS') return labels.quiet;
  if (after?.code?.startsWith('MEDIA') === true) return labels.media;
  const since = around.link?.since ?? null;
  // The carrier came up while the message waited: before that it was down.
  const cameUp = after !== null && around.link?.up === true && since !== null && since > before.occurredAt;
  if (cameUp && since <= after.occurredAt) return labels.downUntil(around.carrierName, around.time(since));
  if (before.code !== null) return labels.retry(before.carrierCode ?? before.code);
  return labels.queue;
}

/** `4 m 12 s`; in whole seconds, except for the first ten. */
export function spanText(ms: number): string {
  if (ms < 10_000) return `${fixedText(ms / 1_000, 1)} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} m ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} m` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}
