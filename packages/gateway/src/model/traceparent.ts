/** The header `traceparent` of W3C Trace Context (level 1, §3.2): by it one trace spans the caller, the message and its webhooks. */

const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const zeros = /^0+$/;

/**
 * The header as it is kept and handed on, in version 00: `00-`, 32 hex digits of the trace, 16 of the caller's span, 2 of
 * flags. Null when there is none or it is not valid: it must never fail a request (§3.2.2.3, §4.3).
 */
export function readTraceparent(header: string | string[] | undefined): string | null {
  if (typeof header !== 'string') return null;
  const [, version, trace, span, flags, more] = form.exec(header) ?? [];
  if (trace === undefined || version === 'ff' || zeros.test(trace) || zeros.test(span!)) return null;
  // Only later versions may have more behind the flags.
  if (version === '00' && more !== undefined) return null;
  return `00-${trace}-${span}-${flags}`;
}
