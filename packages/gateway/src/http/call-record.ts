/**
 * Builds request-log entries of authenticated calls. Skipped when the log has no room; contains neither the query
 * string nor a credential.
 */
import type { IncomingMessage } from 'node:http';
import type { Clock } from '../kernel/clock.ts';
import type { ApiKey } from '../model/records.ts';
import { type LoggedCall, redactedBody, requestLogLimits, withoutCredentials } from '../model/request-log.ts';
import { scrub } from './scrub.ts';

/** What is remembered of such a call while it is worked. */
export interface CallRecord {
  key: ApiKey;
  client: { readonly ip: string };
  /** What its JSON came to; undefined when there was none. */
  body: unknown;
  bodyBytes: number;
  dryRun: boolean;
}

/** Of the exchange and of its answer what a record may be made of. */
interface Noted {
  requestId: string;
  path: string;
  request: Pick<IncomingMessage, 'method' | 'headers'>;
  secrets(): string[];
  tookMs(): number;
}
interface Given {
  status: number;
  reason: string;
  body: string | Buffer;
}

export type NoteCall = (exchange: Noted, record: CallRecord, answer: Given) => void;

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

function safe(exchange: Noted): string {
  if (exchange.path === '/SendSMS') return exchange.path;
  return withoutCredentials(scrub(exchange.path, exchange.secrets())).slice(0, requestLogLimits.pathCharacters);
}

function detailOf(body: Given['body']): string {
  if (typeof body !== 'string' || !body.startsWith('{"success":false')) return '';
  const { detail } = JSON.parse(body) as { detail: string };
  return withoutCredentials(detail).slice(0, requestLogLimits.detailCharacters);
}
