/** Logged API calls: their shape, how many are stored, and how a number is removed again. Pure. */
import { dayMs, type EpochMs } from '../kernel/clock.ts';
import type { AccountId, KeyId, RequestId } from '../kernel/ids.ts';
import { maskNumber } from './number.ts';
import type { Environment } from './records.ts';

export interface LoggedCall {
  accountId: AccountId;
  /** `req_` + 26 characters, sorted by time. */
  requestId: RequestId;
  /** When the request arrived. */
  at: EpochMs;
  environment: Environment;
  keyId: KeyId;
  method: string;
  /** Without the query string; credentials in it are masked. */
  path: string;
  status: number;
  reason: string;
  /** The `detail` of a refusal; '' for a success. */
  detail: string;
  /** The client's address. */
  address: string;
  /** From arrival to the answer, in ms. */
  ms: number;
  dryRun: boolean;
  /** Redacted, as JSON; null when there was none, or none that could be stored. */
  body: string | null;
  /** Octets of the body as received; 0 without one. */
  bodyBytes: number;
}

/** Number of calls that were not stored individually, in the minute that begins at `minute`. */
export interface UnkeptCalls {
  accountId: AccountId;
  environment: Environment;
  minute: EpochMs;
  calls: number;
}

export const requestLogLimits = {
  /** Stored individually each second: by a node, and of these for one account. */
  perSecond: 50,
  perAccountAndSecond: 25,
  bodyBytes: 2_048,
  pathCharacters: 200,
  detailCharacters: 300,
  keptMs: 7 * dayMs,
  rowsPerAccount: 10_000,
} as const;

export const minuteMs = 60_000;

const digitsOf = (text: string): string => text.replace(/\D/g, '');

/** The call without this number, in any spelling; null when the number does not occur. */
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
