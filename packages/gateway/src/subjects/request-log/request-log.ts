/**
 * The request log. Of an authenticated call, an entry: only fields known to hold neither text nor secret keep their values; of
 * all others the length stays. Entries are buffered and written about once a second, in the background. It never delays or
 * fails a call: overflow is only counted and costs no entry, and a crash loses the last second.
 */
import type { GivenAnswer, NoteCall, NotedCall } from '../../http/call-record.ts';
import { scrub } from '../../http/scrub.ts';
import type { Clock, EpochMs } from '../../kernel/clock.ts';
import type { AccountId } from '../../kernel/ids.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Environment } from '../../model/environment.ts';
import type { ApiKey } from '../../model/records.ts';
import { type LoggedCall, minuteMs, requestLogLimits, type UnkeptCalls } from '../../model/request-log.ts';
import type { RequestLogStore } from './store/module.ts';

export interface RequestLog extends CallLog {
  /** Calls `listener` for each account whose calls were written, or counted as lost. */
  onKept(listener: (accountId: AccountId) => void): void;
  /** Resolves when all calls so far are written, or counted as lost. Never rejects. */
  flush(): Promise<void>;
  stop(): Promise<void>;
}

export interface RequestLogParts {
  clock: Clock;
  logger: Logger;
  store: Pick<RequestLogStore, 'addRequests'>;
}

const everyMs = 1_000;
const { perSecond, perAccountAndSecond } = requestLogLimits;
/** More are buffered than will be stored, so that no account takes the room of all others. */
const gatheredMax = 4 * perSecond;
/** Sums that may wait while the store is away. */
const owedMax = 1_000;

/** The calls of one account since the last flush. */
interface Tally {
  accountId: AccountId;
  refused: LoggedCall[];
  passed: LoggedCall[];
  over: Record<Environment, number>;
}

export function createRequestLog({ clock, logger, store }: RequestLogParts): RequestLog {
  let tallies = new Map<string, Tally>();
  let gathered = 0;
  let since: EpochMs = 0;
  let cancel: (() => void) | null = null;
  let writing: Promise<void> | null = null;
  let stopped = false;
  let isFailing = false;
  const owed = new Map<string, UnkeptCalls>();
  const listeners: ((accountId: AccountId) => void)[] = [];

  function tallyOf(accountId: AccountId): Tally {
    const known = tallies.get(accountId);
    if (known !== undefined) return known;
    const made: Tally = { accountId, refused: [], passed: [], over: { sandbox: 0, live: 0 } };
    tallies.set(accountId, made);
    if (cancel === null && !stopped) {
      since = clock.now();
      cancel = clock.after(everyMs, turn);
    }
    return made;
  }

  function owe({ accountId, environment, calls }: Omit<UnkeptCalls, 'minute'>, at: EpochMs): void {
    const minute = at - (at % minuteMs);
    const name = `${accountId} ${environment} ${minute}`;
    const known = owed.get(name);
    if (known !== undefined) known.calls += calls;
    else if (owed.size < owedMax) owed.set(name, { accountId, environment, minute, calls });
  }

  const oweAll = (calls: readonly LoggedCall[]): void => {
    for (const call of calls) owe({ ...call, calls: 1 }, call.at);
  };

  /** Takes the buffered calls; those over the cap become counts to be stored. */
  function take(): LoggedCall[] {
    const window = [...tallies.values()];
    tallies = new Map();
    gathered = 0;
    const { kept, left } = chosen(window);
    oweAll(left);
    for (const { accountId, over } of window) {
      for (const environment of ['sandbox', 'live'] as const) {
        if (over[environment] > 0) owe({ accountId, environment, calls: over[environment] }, since);
      }
    }
    return kept;
  }

  /** Runs every second with new calls. While the store is busy with one batch, it gets no second one. */
  function turn(): void {
    cancel = null;
    if (writing === null) writing = write(take());
    else oweAll(take());
  }

  async function write(calls: LoggedCall[]): Promise<void> {
    const unkept = [...owed.values()];
    owed.clear();
    try {
      await store.addRequests({ calls, unkept });
      isFailing = false;
      for (const accountId of new Set([...calls, ...unkept].map((one) => one.accountId))) {
        for (const listener of listeners) listener(accountId);
      }
    } catch (error) {
      if (!isFailing) logger.warn({ err: error }, 'calls are not kept in the request log, only counted');
      isFailing = true;
      oweAll(calls);
      for (const one of unkept) owe(one, one.minute);
    } finally {
      writing = null;
    }
  }

  async function flush(): Promise<void> {
    while (writing !== null) await writing;
    cancel?.();
    if (tallies.size === 0 && owed.size === 0) return;
    turn();
    await writing;
  }

  return {
    mayRecord: ({ accountId, environment }, refused) => {
      const tally = tallyOf(accountId);
      const calls = refused ? tally.refused : tally.passed;
      if (calls.length < perAccountAndSecond && gathered < gatheredMax) return true;
      tally.over[environment]++;
      return false;
    },
    keep: (call) => {
      const tally = tallyOf(call.accountId);
      gathered++;
      (call.status >= 400 ? tally.refused : tally.passed).push(call);
    },
    onKept: (listener) => {
      listeners.push(listener);
    },
    flush,
    stop: async () => {
      stopped = true;
      await flush();
    },
  };
}

/** Takes from each account in turn, refusals first, until there is no room. */
function chosen(window: readonly Tally[]): { kept: LoggedCall[]; left: LoggedCall[] } {
  const queues = window.map(({ refused, passed }) => [...refused, ...passed]);
  const left = queues.flatMap((queue) => queue.splice(perAccountAndSecond));
  const kept: LoggedCall[] = [];
  for (let place = 0; place < perAccountAndSecond; place++) {
    for (const queue of queues) {
      if (queue[place] === undefined) continue;
      (kept.length < perSecond ? kept : left).push(queue[place]!);
    }
  }
  return { kept, left };
}

/** Where calls are kept. */
export interface CallLog {
  /** Counts a call of this key pair; true when there is room for it, and `keep` is to follow. */
  mayRecord(key: Pick<ApiKey, 'accountId' | 'environment'>, refused: boolean): boolean;
  keep(call: LoggedCall): void;
}

export function createCallNotes(log: CallLog, clock: Pick<Clock, 'now'>): NoteCall {
  return (exchange, record, { status, reason, body }) => {
    const { key } = record;
    const isRefused = status >= 400;
    if (!log.mayRecord(key, isRefused)) return;
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
/** Of these fields the log keeps only what may be a telephone number or a sender's name, in any notation. */
const numberFields: ReadonlySet<string> = new Set(['from', 'to', 'contact', 'contacts', 'number', 'numbers']);
const numberForm = /^(?:[+\d\s().\-/]{0,32}|[A-Za-z0-9 ]{1,11})$/;
/** Addresses: kept without user name, password and query, which may hold a signature. */
const urlFields: ReadonlySet<string> = new Set(['mediaUrls', 'url']);
/** Names of fields that are kept; anything else may be a text in the wrong place. */
const nameForm = /^[A-Za-z][A-Za-z_]{0,39}$/;

interface SizeLimits {
  entries: number;
  characters: number;
}

/** Tried one after the other until it fits. */
const sizeLimits: readonly SizeLimits[] = [
  { entries: 50, characters: 128 },
  { entries: 10, characters: 64 },
  { entries: 2, characters: 24 },
];
const depthMax = 4;

/** The body as it is kept; null when even the shortest form is too long. `<name>Length` and `<name>Count` say what was left out. */
export function redactedBody(body: unknown): string | null {
  for (const limits of sizeLimits) {
    const text = JSON.stringify(redacted('', body, limits, 0)) ?? null;
    if (text !== null && Buffer.byteLength(text) <= requestLogLimits.bodyBytes) return text;
  }
  return null;
}

function redacted(name: string, value: unknown, limits: SizeLimits, depth: number): unknown {
  if (value === null || typeof value === 'boolean') return value;
  if (depth > depthMax) return null;
  if (Array.isArray(value)) return value.slice(0, limits.entries).map((one) => redacted(name, one, limits, depth + 1));
  if (typeof value === 'object') return redactedFields(value, limits, depth);
  if (urlFields.has(name)) return shortUrl(String(value), limits);
  if (!plainFields.has(name) || (numberFields.has(name) && !numberForm.test(String(value)))) return null;
  return typeof value === 'number' ? value : cutTo(withoutCredentials(String(value)), limits.characters);
}

function redactedFields(fields: object, limits: SizeLimits, depth: number): object {
  const kept: Record<string, unknown> = {};
  let unnamed = 0;
  for (const [name, value] of Object.entries(fields)) {
    if (!nameForm.test(name) || Object.keys(kept).length >= limits.entries) {
      unnamed++;
      continue;
    }
    kept[name] = redacted(name, value, limits, depth + 1);
    if (kept[name] === null && (typeof value === 'string' || typeof value === 'number')) {
      kept[`${name}Length`] = [...String(value)].length;
    }
    if (Array.isArray(value) && value.length > limits.entries) kept[`${name}Count`] = value.length;
  }
  return unnamed === 0 ? kept : { ...kept, otherFieldsCount: unnamed };
}

const cutTo = (text: string, characters: number): string =>
  text.length <= characters ? text : `${text.slice(0, characters).toWellFormed()}…`;

function shortUrl(text: string, { characters }: SizeLimits): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) return '…';
  return cutTo(withoutCredentials(`${url.origin}${url.pathname}`), characters);
}

/** Somebody may have sent a token in the wrong field. */
function withoutCredentials(text: string): string {
  return text.replace(/(?:bt|at|whsec)_[0-9A-Za-z_+/=-]{8,}/g, '[secret]');
}
