/** Data and wording of the conversation pages. Pure. */
import type { ConversationThread } from '../../api/routes/conversations';
import type { ChatMedium } from '../../ui/Chat';
import { type MediumFact, ownPath } from '../../ui/medium';
import { meaningOf } from '../reasons/reasons';

/** The line under the number in the list: the last message, its sender, its time. */
export function lastMessage({ lastAt, lastText, lastMedia, reply }: ConversationThread) {
  return reply === null
    ? { own: false, text: lastText, media: lastMedia, at: lastAt }
    : { own: true, text: reply.text, media: reply.media, at: reply.at };
}

/** The query of a search: part of a number, or words. */
export function searchQuery(search: string): { peer: string; text: string } {
  const isNumber = /^[\d\s()+./-]*$/.test(search);
  return isNumber
    ? { peer: search.replaceAll(/\D/g, '').slice(0, digitsMax), text: '' }
    : { peer: '', text: search.trim().slice(0, wordsMax) };
}

/** The longest number. */
const digitsMax = 15;
/** Length of a search text. */
const wordsMax = 100;

/** The search of the message log for messages that have these words. */
export function textSearch(text: string): string {
  return `text:"${text.replaceAll('"', ' ').trim()}"`;
}

/** Consecutive messages from the same side with the same outcome, this close in time, form a group. */
const runMs = 5 * 60_000;

interface Followable {
  direction: string;
  state: string;
  acceptedAt: string;
}

/** Whether the next message continues this one, so that time and outcome of the last are enough. */
export function isFollowed(one: Followable, next: Followable | undefined): boolean {
  return (
    next !== undefined &&
    next.direction === one.direction &&
    next.state === one.state &&
    Date.parse(next.acceptedAt) - Date.parse(one.acceptedAt) < runMs
  );
}

const placeholder = /\{\{\s*([a-z]+)\s*\}\}/g;

/** A canned reply with its placeholders filled in; placeholders without a value stay. */
export function filledIn(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(placeholder, (whole, name: string) => values[name] || whole);
}

/** The first placeholder that was not filled in; null without one. */
export function unfilled(text: string): string | null {
  return text.match(placeholder)?.[0] ?? null;
}

/** The answer of `POST /send`. */
export interface SendAnswer {
  schema?: { resultResponses: { to: string; status: string; detail?: string }[] };
}

/** Why the one recipient was refused; null when the message was accepted. */
export function refusedBecause({ schema }: SendAnswer): string | null {
  const [result] = schema?.resultResponses ?? [];
  if (result === undefined || result.status === 'SUCCESS') return null;
  return meaningOf('recipient', result.status, result.detail ?? result.status);
}

const types: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  mp4: 'video/mp4',
  '3gp': 'video/3gpp',
  mp3: 'audio/mpeg',
  amr: 'audio/amr',
  vcf: 'text/vcard',
};

/** Media of this gateway are shown; others are links, because pages load nothing from other hosts. */
export function mediumOf(url: string, index: number, known?: MediumFact): ChatMedium {
  // Nothing is known about a medium that was not fetched.
  const fact = known?.type === '' ? undefined : known;
  const parsed = URL.canParse(url) ? new URL(url) : null;
  const name = fact?.name ?? (parsed?.pathname.split('/').at(-1) || url);
  const type = fact?.type ?? types[name.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'file';
  const own = ownPath(url);
  return {
    id: `${index} ${url}`,
    name,
    sizeBytes: fact?.size ?? null,
    src: own ?? (/^https?:/.test(url) ? url : null),
    contentType: own === null ? 'link' : type,
  };
}

/** Who can be assigned: people who can sign in and open the page; and the current assignee in any case. */
export function careOf<P extends { userId: string; disabled: boolean; readsTexts: boolean }>(
  people: readonly P[],
  now: string | null,
): P[] {
  return people.filter(({ userId, disabled, readsTexts }) => userId === now || (!disabled && readsTexts));
}

export type SnoozeChoice = 'hour' | 'evening' | 'morning' | 'week';

const eveningHour = 18;
const morningHour = 9;

/**
 * Times to snooze a conversation until, in the time zone of shown times (none: the browser's). Leaves out an evening
 * that is near or past.
 */
export function snoozeChoices(now: Date, zone: string | undefined): { id: SnoozeChoice; until: Date }[] {
  const wall = wallClock(now, zone);
  const at = (days: number, hour: number): Date =>
    momentAt(Date.UTC(wall.getUTCFullYear(), wall.getUTCMonth(), wall.getUTCDate() + days, hour), zone);
  const hour = new Date(now.getTime() + 3_600_000);
  const evening = at(0, eveningHour);
  const daysToMonday = (8 - wall.getUTCDay()) % 7 || 7;
  return [
    { id: 'hour', until: hour },
    ...(evening > hour ? [{ id: 'evening' as const, until: evening }] : []),
    { id: 'morning', until: at(1, morningHour) },
    { id: 'week', until: at(daysToMonday, morningHour) },
  ];
}

/** The local time in the zone, to the second, as if it were UTC. */
function wallClock(at: Date, timeZone: string | undefined): Date {
  const format = new Intl.DateTimeFormat('en-US', {
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    hourCycle: 'h23',
    timeZone,
  });
  const shown = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const [year = 0, month = 0, day = 0] = (['year', 'month', 'day'] as const).map((part) => shown.get(part));
  const [hour, minute, second] = (['hour', 'minute', 'second'] as const).map((part) => shown.get(part));
  return new Date(Date.UTC(year, month - 1, day, hour, minute, second));
}

/** When the zone's clock shows this local time; if it skips it, the time after the skip. */
function momentAt(wall: number, timeZone: string | undefined): Date {
  const ahead = (at: number): number => wallClock(new Date(at), timeZone).getTime() - at;
  // Again with the offset that applies then: the clock may change in between.
  const near = wall - ahead(wall);
  return new Date(wall - ahead(near));
}
