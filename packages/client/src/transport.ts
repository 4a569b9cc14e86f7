/**
 * One call to the gateway over HTTP: credentials, time limit, retries, and the envelope of the answer. Credentials are
 * sent in headers only and never to another host: redirects are not followed.
 */
import { HeliographError } from './heliograph-error.ts';
import type { CallOptions, Hooks, Method } from './options.ts';
import type { ClientReason } from './types.ts';

export interface TransportOptions {
  /** Without a trailing slash. */
  baseUrl: string;
  bearerToken: string;
  authToken: string;
  timeoutMs: number;
  maxRetries: number;
  hooks: Hooks;
  fetch: typeof fetch;
  /** Pauses between two attempts, shorter when `signal` aborts. */
  wait(ms: number, signal: AbortSignal | undefined): Promise<void>;
  /** Uniform in [0, 1). */
  random(): number;
}

export interface Call {
  method: Method;
  /** Path and query. */
  path: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
  /** A retry is safe. */
  repeatable: boolean;
  /** How much longer than usual the gateway may take, because the call asks it to wait; default 0. */
  waitMs?: number;
}

/** An answer with `success` true. */
export interface Answer {
  envelope: Record<string, unknown>;
  headers: Headers;
}

export type Transport = (call: Call, options: CallOptions) => Promise<Answer>;

const firstWaitMs = 500;
const longestWaitMs = 8_000;
/** A longer `Retry-After` fails the call; the caller decides. */
const retryAfterSecondsMax = 60;
const retriedStatuses = [429, 502, 503, 504];
const retriedReasons: ClientReason[] = ['NETWORK_ERROR', 'TIMEOUT'];

export function createTransport(parts: TransportOptions): Transport {
  const { baseUrl, bearerToken, authToken, hooks } = parts;
  const credentials = { authorization: `Bearer ${bearerToken}`, 'x-api-key': authToken };
  const redacted = { authorization: 'Bearer [redacted]', 'x-api-key': '[redacted]' };

  async function attempt(call: Call, options: CallOptions, number: number): Promise<Answer> {
    const { method } = call;
    const url = baseUrl + call.path;
    const given = { accept: 'application/json', ...call.headers };
    hooks.onRequest?.({ method, url, headers: { ...given, ...redacted }, attempt: number });
    const timeLimit = AbortSignal.timeout((options.timeoutMs ?? parts.timeoutMs) + (call.waitMs ?? 0));
    const signal = options.signal === undefined ? timeLimit : AbortSignal.any([timeLimit, options.signal]);
    const startedMs = performance.now();
    const init = {
      method,
      headers: { ...given, ...credentials },
      body: call.body,
      redirect: 'manual',
      signal,
    } as const;
    try {
      const response = await parts.fetch(url, init);
      const text = await response.text();
      const { status, headers } = response;
      const durationMs = Math.round(performance.now() - startedMs);
      hooks.onResponse?.({ method, url, status, requestId: headers.get('x-request-id'), durationMs, attempt: number });
      return read(status, headers, text);
    } catch (error) {
      if (error instanceof HeliographError) throw error;
      options.signal?.throwIfAborted();
      throw timeLimit.aborted
        ? failure('TIMEOUT', 'The gateway did not answer in time.', error)
        : failure('NETWORK_ERROR', `The gateway at ${baseUrl} could not be reached.`, error);
    }
  }

  return async (call, options) => {
    const retriesMax = call.repeatable ? (options.maxRetries ?? parts.maxRetries) : 0;
    for (let number = 1; ; number++) {
      options.signal?.throwIfAborted();
      try {
        return await attempt(call, options, number);
      } catch (error) {
        if (!(error instanceof HeliographError) || number > retriesMax || !isTransient(error)) throw error;
        const waitMs = Math.max(backoffMs(number, parts.random()), (error.retryAfter ?? 0) * 1_000);
        hooks.onRetry?.({ method: call.method, url: baseUrl + call.path, error, waitMs, attempt: number });
        await parts.wait(waitMs, options.signal);
      }
    }
  };
}

/** Doubles with each attempt, drawn from its upper half. */
function backoffMs(number: number, fraction: number): number {
  const longest = Math.min(firstWaitMs * 2 ** (number - 1), longestWaitMs);
  return Math.round(longest * (0.5 + fraction / 2));
}

function isTransient({ status, reason, retryAfter }: HeliographError): boolean {
  if (status === null) return retriedReasons.some((known) => known === reason);
  return retriedStatuses.includes(status) && (retryAfter ?? 0) <= retryAfterSecondsMax;
}

function failure(reason: ClientReason, detail: string, cause: unknown): HeliographError {
  return new HeliographError(reason, detail, { cause });
}

/** Only `data` of the answer. */
export async function dataOf<T>(transport: Transport, call: Call, options: CallOptions = {}): Promise<T> {
  const { envelope } = await transport(call, options);
  return envelope.data as T;
}

/** Headers and body of every call that changes something. */
export function jsonBody(value: unknown): Pick<Call, 'headers'> & { body: string } {
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) };
}

/** `path?a=1&b=2`, without undefined and null values. */
export function withQuery(path: string, values: Readonly<Record<string, string | number | null | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values))
    if (value !== undefined && value !== null) query.set(name, String(value));
  return query.size === 0 ? path : `${path}?${query}`;
}

/** Reads the envelope; throws when the request was rejected, or when there is no envelope. */
function read(status: number, headers: Headers, text: string): Answer {
  const fields = { status, requestId: headers.get('x-request-id'), retryAfter: retryAfterSeconds(headers) };
  const envelope = envelopeOf(text);
  if (envelope?.success === true && status === 200) return { envelope, headers };
  if (envelope?.success === false) {
    throw new HeliographError(String(envelope.reason), String(envelope.detail ?? ''), fields);
  }
  throw new HeliographError('INVALID_RESPONSE', `The answer (HTTP ${status}) is not one of the gateway's.`, fields);
}

function envelopeOf(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    const fits = typeof value === 'object' && value !== null && 'success' in value && 'reason' in value;
    return fits ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** RFC 9110 §10.2.3, in seconds, the form that the gateway uses. */
function retryAfterSeconds(headers: Headers): number | null {
  const value = headers.get('retry-after') ?? '';
  return /^[0-9]{1,9}$/.test(value) ? Number(value) : null;
}
