/**
 * A logged API call: what is kept and what never is. Only fields known to hold neither text nor secret keep their
 * values; of all others the length stays. Pure.
 */
import type { EpochMs } from '../kernel/clock.ts';
import { maskNumber } from './number.ts';
import type { Environment } from './records.ts';

export interface LoggedCall {
  accountId: string;
  /** `req_` + 26 characters, sorted by time. */
  requestId: string;
  /** When it came. */
  at: EpochMs;
  environment: Environment;
  keyId: string;
  method: string;
  /** Without the query string; credentials in it are masked. */
  path: string;
  status: number;
  reason: string;
  /** What a refusal said; '' for an answer. */
  detail: string;
  /** Of the client. */
  address: string;
  /** From its arrival to the answer. */
  ms: number;
  dryRun: boolean;
  /** Redacted, as JSON; null when there was none, or none that could be kept. */
  body: string | null;
  /** Octets of the body as it came; 0 without one. */
  bodyBytes: number;
}

/** Calls that were not kept one by one, in the minute that begins at `minute`. */
export interface UnkeptCalls {
  accountId: string;
  environment: Environment;
  minute: EpochMs;
  calls: number;
}

export const requestLogLimits = {
  /** Kept one by one in a second, by a node, and of these by one account. */
  perSecond: 50,
  perAccountAndSecond: 25,
  bodyBytes: 2_048,
  pathCharacters: 200,
  detailCharacters: 300,
  keptMs: 7 * 86_400_000,
  rowsPerAccount: 10_000,
} as const;

export const minuteMs = 60_000;

/** Strings and numbers of these names are as they were sent. Whatever may hold a text or a secret must never be here. */
const plainFields: ReadonlySet<string> = new Set([
  ...['from', 'to', 'referenceId', 'validityMinutes', 'contact', 'contacts', 'scope', 'campaign', 'number', 'numbers'],
  ...['type', 'types', 'format', 'since', 'until', 'after', 'status', 'timeoutSeconds', 'overlapHours', 'delayMs'],
  ...['afterMs', 'outcome', 'power', 'inbox', 'throttlePerSecond', 'loseReceiptsPercent', 'answerAfterMs'],
  ...['errorPercent'],
]);
/** Of these only what may be a telephone number or a sender's name, however it is written. */
const numberFields: ReadonlySet<string> = new Set(['from', 'to', 'contact', 'contacts', 'number', 'numbers']);
const numberForm = /^(?:[+\d\s().\-/]{0,32}|[A-Za-z0-9 ]{1,11})$/;
/** Addresses: kept without what stands behind the path, which may be a signature, and without a name and password. */
const urlFields: ReadonlySet<string> = new Set(['mediaUrls', 'url']);
/** A name that is one; what else stands there may be a text in the wrong place. */
const nameForm = /^[A-Za-z][A-Za-z_]{0,39}$/;

interface Room {
  entries: number;
  characters: number;
}

/** Tried one after the other until it fits. */
const rooms: readonly Room[] = [
  { entries: 50, characters: 128 },
  { entries: 10, characters: 64 },
  { entries: 2, characters: 24 },
];
const depthMax = 4;

/** The body as it is kept; null when even the shortest form is too long. `<name>Length` and `<name>Count` tell of what went. */
export function redactedBody(body: unknown): string | null {
  for (const room of rooms) {
    const text = JSON.stringify(redacted('', body, room, 0)) ?? null;
    if (text !== null && Buffer.byteLength(text) <= requestLogLimits.bodyBytes) return text;
  }
  return null;
}

function redacted(name: string, value: unknown, room: Room, depth: number): unknown {
  if (value === null || typeof value === 'boolean') return value;
  if (depth > depthMax) return null;
  if (Array.isArray(value)) return value.slice(0, room.entries).map((one) => redacted(name, one, room, depth + 1));
  if (typeof value === 'object') return redactedFields(value, room, depth);
  if (urlFields.has(name)) return shortUrl(String(value), room);
  if (!plainFields.has(name) || (numberFields.has(name) && !numberForm.test(String(value)))) return null;
  return typeof value === 'number' ? value : cutTo(withoutCredentials(String(value)), room.characters);
}

function redactedFields(fields: object, room: Room, depth: number): object {
  const kept: Record<string, unknown> = {};
  let unnamed = 0;
  for (const [name, value] of Object.entries(fields)) {
    if (!nameForm.test(name) || Object.keys(kept).length >= room.entries) {
      unnamed++;
      continue;
    }
    kept[name] = redacted(name, value, room, depth + 1);
    if (kept[name] === null && (typeof value === 'string' || typeof value === 'number')) {
      kept[`${name}Length`] = [...String(value)].length;
    }
    if (Array.isArray(value) && value.length > room.entries) kept[`${name}Count`] = value.length;
  }
  return unnamed === 0 ? kept : { ...kept, otherFieldsCount: unnamed };
}

const cutTo = (text: string, characters: number): string =>
  text.length <= characters ? text : `${text.slice(0, characters).toWellFormed()}…`;

function shortUrl(text: string, { characters }: Room): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) return '…';
  return cutTo(withoutCredentials(`${url.origin}${url.pathname}`), characters);
}

/** Tokens in the wrong place. */
export function withoutCredentials(text: string): string {
  return text.replace(/(?:bt|at|whsec)_[0-9A-Za-z_+/=-]{8,}/g, '[secret]');
}

const digitsOf = (text: string): string => text.replace(/\D/g, '');

/** The call without a number, however it was written; null when the number is not in it. */
export function withoutNumber<T extends Pick<LoggedCall, 'path' | 'detail' | 'body'>>(
  call: T,
  number: string,
): T | null {
  const masked = maskNumber(number);
  const clean = (text: string): string => {
    if (!digitsOf(text).includes(number)) return text;
    const left = text.replaceAll(number, masked);
    return digitsOf(left).includes(number) ? masked : left;
  };
  const path = clean(call.path);
  const detail = clean(call.detail);
  const body =
    call.body === null || !digitsOf(call.body).includes(number)
      ? call.body
      : JSON.stringify(cleaned(JSON.parse(call.body)));
  function cleaned(value: unknown): unknown {
    if (typeof value === 'string') return clean(value);
    if (typeof value === 'number') return String(value).includes(number) ? masked : value;
    if (Array.isArray(value)) return value.map(cleaned);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, cleaned(field)]));
  }
  const changed = path !== call.path || detail !== call.detail || body !== call.body;
  return changed ? { ...call, path, detail, body } : null;
}
