/** The timeline of a message in the order in which things happened: its own events, waits between them, webhooks. Pure. */
import type { TimelineEvent, Told } from './message-data';

export type Entry =
  | { kind: 'event'; at: string; event: TimelineEvent; again: boolean }
  | { kind: 'gap'; at: string; ms: number }
  | { kind: 'webhook'; at: string; told: Told };

/** A wait that is worth a word. */
const gapMsMin = 30_000;

export function entriesOf(events: readonly TimelineEvent[], webhooks: readonly Told[]): Entry[] {
  const entries: Entry[] = [];
  let sent = false;
  let lastMs: number | null = null;
  for (const event of events) {
    const ms = Date.parse(event.occurredAt);
    if (lastMs !== null && ms - lastMs >= gapMsMin)
      entries.push({ kind: 'gap', at: event.occurredAt, ms: ms - lastMs });
    entries.push({ kind: 'event', at: event.occurredAt, event, again: sent && event.state === 'queued' });
    if (event.state === 'sending') sent = true;
    lastMs = ms;
    for (const told of webhooks) {
      if (told.eventId === event.eventId) entries.push({ kind: 'webhook', at: told.updatedAt, told });
    }
  }
  return entries;
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
