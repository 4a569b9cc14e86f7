/**
 * The timeline of a message in the order in which things happened: its own events, the rule that sent it on, waits between
 * them with their reason as far as the events tell it, webhooks. Pure.
 */
import { storyWords } from '../../words/en/message-story';
import type { Link, Routed, TimelineEvent, Told } from './message-data';

export type Entry =
  | { kind: 'event'; at: string; event: TimelineEvent; again: boolean }
  | { kind: 'routed'; at: string }
  | { kind: 'gap'; at: string; ms: number; reason: string | null; still: boolean }
  | { kind: 'webhook'; at: string; told: Told };

export interface Around {
  carrierName: string;
  link: Link | null;
  routed: Routed | null;
  /** Writes a moment. */
  time(at: string): string;
  nowMs: number;
}

const words = storyWords.reasons;
/** A wait that is worth a word. */
const gapMsMin = 30_000;
/** After these nothing more is waited for, or a line of its own says it. */
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

export function entriesOf(events: readonly TimelineEvent[], webhooks: readonly Told[], around?: Around): Entry[] {
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
    for (const told of webhooks) {
      if (told.eventId === event.eventId) entries.push({ kind: 'webhook', at: told.updatedAt, told });
    }
  }
  const still = around === undefined || before === null ? null : stillWaiting(before, around);
  return still === null ? entries : [...entries, still];
}

function stillWaiting(last: TimelineEvent, around: Around): Entry | null {
  const ms = around.nowMs - Date.parse(last.occurredAt);
  if (notWaiting.has(last.state) || ms < gapMsMin) return null;
  const reason = downNow(last, around) ?? reasonOf(last, null, around);
  return { kind: 'gap', at: new Date(around.nowMs).toISOString(), ms, reason, still: true };
}

/** What the message waited for between two events; `after` is null while it still waits. */
function reasonOf(before: TimelineEvent, after: TimelineEvent | null, around: Around): string | null {
  switch (before.state) {
    case 'queued':
    case 'accepted':
      return queueReason(before, after, around);
    case 'sending':
      return words.answer;
    case 'sent':
      return words.receipt;
    case 'unconfirmed':
      return words.lateReceipt;
    case 'uncertain':
      return words.proof;
    case 'held':
      return words.person;
    default:
      return null;
  }
}

function queueReason(before: TimelineEvent, after: TimelineEvent | null, around: Around): string {
  if (before.code === 'CAMPAIGN_LIMIT') return words.campaign;
  if (before.code === 'DAILY_CAP_REACHED') return words.dayCap;
  if (after?.code?.startsWith('MEDIA') === true) return words.media;
  const since = around.link?.since ?? null;
  // It came up while the message waited: before that it was down.
  const cameUp = after !== null && around.link?.up === true && since !== null && since > before.occurredAt;
  if (cameUp && since <= after.occurredAt) return words.downUntil(around.carrierName, around.time(since));
  if (before.code !== null) return words.retry(before.carrierCode ?? before.code);
  return words.queue;
}

/** What keeps a message waiting now, as its carrier or those of its rule do. */
function downNow(last: TimelineEvent, { link, routed, carrierName }: Around): string | null {
  if (last.state !== 'queued' && last.state !== 'accepted') return null;
  if (last.code === 'CAMPAIGN_LIMIT' || last.code === 'DAILY_CAP_REACHED') return null;
  if (link !== null) {
    if (!link.running) return words.off(carrierName);
    if (link.paused) return words.paused(carrierName);
    return link.up ? null : words.down(carrierName);
  }
  const carriers = routed?.rules.flatMap((rule) => rule.carriers).filter((one) => one.enabled && one.takesKind) ?? [];
  const [first] = carriers;
  if (first === undefined) return null;
  if (first.paused) return words.paused(first.carrierId);
  return carriers.some(({ up }) => up) ? null : words.down(first.carrierId);
}

/** `4 m 12 s`; whole seconds, but for the first ten. */
export function spanText(ms: number): string {
  if (ms < 10_000) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} m ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} m` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}
