/**
 * Builds the entries of the request log: what is kept of an authenticated call and what never is. Only fields known to hold
 * neither text nor secret keep their values; of all others the length stays. Skipped when the log has no room.
 */
import type { GivenAnswer, NoteCall, NotedCall } from '../../http/call-record.ts';
import { scrub } from '../../http/scrub.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { ApiKey } from '../../model/records.ts';
import { type LoggedCall, requestLogLimits } from '../../model/request-log.ts';

/** Where calls are kept. */
export interface CallLog {
  /** Counts a call of this key pair; true when there is room for it, and `keep` is to follow. */
  room(key: Pick<ApiKey, 'accountId' | 'environment'>, refused: boolean): boolean;
  keep(call: LoggedCall): void;
}

export function createCallNotes(log: CallLog, clock: Pick<Clock, 'now'>): NoteCall {
  return (exchange, record, { status, reason, body }) => {
    const { key } = record;
    const isRefused = status >= 400;
    if (!log.room(key, isRefused)) return;
    const { request, requestId } = exchange;
    const ms = exchange.tookMs();
    log.keep({
      accountId: key.accountId,
      environment: key.environment,
      keyId: key.keyId,
      requestId,
      at: Math.round(clock.now() - ms),
      method: request.method ?? '',
      path: safe(exchange),
      status,
      reason,
      ms,
      detail: isRefused ? detailOf(body) : '',
      address: record.client.ip,
      dryRun: record.dryRun,
      body: record.body === undefined ? null : redactedBody(record.body),
      bodyBytes: record.bodyBytes || Number(request.headers['content-length'] ?? 0) || 0,
    });
  };
}

function safe(exchange: NotedCall): string {
  if (exchange.path === '/SendSMS') return exchange.path;
  return withoutCredentials(scrub(exchange.path, exchange.secrets())).slice(0, requestLogLimits.pathCharacters);
}

function detailOf(body: GivenAnswer['body']): string {
  if (typeof body !== 'string' || !body.startsWith('{"success":false')) return '';
  const { detail } = JSON.parse(body) as { detail: string };
  return withoutCredentials(detail).slice(0, requestLogLimits.detailCharacters);
}

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
function withoutCredentials(text: string): string {
  return text.replace(/(?:bt|at|whsec)_[0-9A-Za-z_+/=-]{8,}/g, '[secret]');
}
