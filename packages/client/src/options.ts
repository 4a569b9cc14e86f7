/** Options of one call, and hooks. */
import type { HeliographError } from './heliograph-error.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export interface CallOptions {
  /** Aborts the call; it rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Time limit of one attempt; default: the client's. */
  timeoutMs?: number;
  /** Retries; default: the client's. */
  maxRetries?: number;
}

export interface SendOptions extends CallOptions {
  /**
   * Makes a retry safe: the gateway answers the second call with the answer to the first. Default: a new key for each
   * call; null sends none, and then nothing is retried.
   */
  idempotencyKey?: string | null;
  /** Checks everything but sends nothing. */
  dryRun?: boolean;
}

/** Credentials in `headers` are replaced by `[redacted]`; the URL never contains any. */
export interface RequestInfo {
  method: Method;
  url: string;
  headers: Readonly<Record<string, string>>;
  /** 1 for the first attempt. */
  attempt: number;
}

export interface ResponseInfo {
  method: Method;
  url: string;
  status: number;
  requestId: string | null;
  durationMs: number;
  attempt: number;
}

export interface RetryInfo {
  method: Method;
  url: string;
  error: HeliographError;
  waitMs: number;
  /** The attempt that failed. */
  attempt: number;
}

export interface UnknownFieldsInfo {
  /** Fields of the request that the gateway does not know and ignored; probably misspelt. */
  fields: readonly string[];
  requestId: string | null;
}

/** For logging. An error thrown by a hook ends the call. */
export interface Hooks {
  onRequest?(info: RequestInfo): void;
  onResponse?(info: ResponseInfo): void;
  onRetry?(info: RetryInfo): void;
  /** A message was accepted, and some of its fields were ignored. */
  onUnknownFields?(info: UnknownFieldsInfo): void;
}
