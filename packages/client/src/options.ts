/** What a caller may set for one call, and what it may listen to. */
import type { HeliographError } from './heliograph-error.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export interface CallOptions {
  /** Ends the call; it rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Time limit of one try; by default the client's. */
  timeoutMs?: number;
  /** Tries after the first; by default the client's. */
  maxRetries?: number;
}

export interface SendOptions extends CallOptions {
  /**
   * Makes a repetition safe: the gateway answers the second call with the answer to the first. Made up for each call
   * unless told; null sends none, and then nothing is tried again.
   */
  idempotencyKey?: string | null;
  /** Everything but the sending. */
  dryRun?: boolean;
}

/** Credentials in `headers` are replaced by `[redacted]`; the URL never holds any. */
export interface RequestInfo {
  method: Method;
  url: string;
  headers: Readonly<Record<string, string>>;
  /** 1 for the first try. */
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
  /** Of the try that failed. */
  attempt: number;
}

export interface UnknownFieldsInfo {
  /** Names in the request that the gateway does not know and ignored; likely a slip of the pen. */
  fields: readonly string[];
  requestId: string | null;
}

/** For logging. What a hook throws ends the call. */
export interface Hooks {
  onRequest?(info: RequestInfo): void;
  onResponse?(info: ResponseInfo): void;
  onRetry?(info: RetryInfo): void;
  /** A message was taken, and some of its fields were not. */
  onUnknownFields?(info: UnknownFieldsInfo): void;
}
