/**
 * The header `traceparent` of W3C Trace Context (level 1, §3.2), which connects the caller, the message and its
 * webhooks in one trace.
 */

import { hash } from 'node:crypto';
import type { RequestId } from '../kernel/ids.ts';

const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const zeros = /^0+$/;

/**
 * The header as it is stored and passed on, in version 00: `00-`, 32 hex digits of the trace, 16 of the caller's span,
 * 2 of flags. Null when it is absent or invalid: it must never fail a request (§3.2.2.3, §4.3).
 */
export function readTraceparent(header: string | string[] | undefined): string | null {
  if (typeof header !== 'string') return null;
  const [, version, trace, span, flags, more] = form.exec(header) ?? [];
  if (trace === undefined || version === 'ff' || zeros.test(trace) || zeros.test(span!)) return null;
  // Only later versions may have more after the flags.
  if (version === '00' && more !== undefined) return null;
  return `00-${trace}-${span}-${flags}`;
}

const sampledFlag = 1;

/**
 * Whether the message is traced: as the caller decided (§3.2.2.5), or without a caller's trace for a share of all
 * requests (0 to 1), always the same for one request.
 */
export function isTraced(requestId: RequestId, traceparent: string | null, share: number): boolean {
  if (traceparent !== null) return (Number.parseInt(traceparent.slice(-2), 16) & sampledFlag) === sampledFlag;
  if (share <= 0) return false;
  return Number.parseInt(hash('sha256', requestId, 'hex').slice(0, 8), 16) < share * 0x1_0000_0000;
}
