/**
 * Reads `Range` and conditional headers (RFC 9110 §14.2, §13.1). Pure. Several ranges, or an unreadable one, return
 * the whole file, which is always correct.
 */
import type { IncomingHttpHeaders } from 'node:http';

export type AskedPart =
  | { readonly kind: 'whole' }
  /** Octets `start` to before `end`. */
  | { readonly kind: 'part'; readonly start: number; readonly end: number }
  | { readonly kind: 'unsatisfiable' }
  /** The client has it. */
  | { readonly kind: 'unchanged' };

const whole: AskedPart = { kind: 'whole' };

/** `tag`: a strong entity tag with its quotation marks. */
export function askedPart(
  { method, headers }: { method?: string | undefined; headers: IncomingHttpHeaders },
  tag: string,
  sizeBytes: number,
): AskedPart {
  if (names(headers['if-none-match'], tag)) return { kind: 'unchanged' };
  const { range, 'if-range': ifRange } = headers;
  // §13.1.5: compared strongly; a date is never ours, as we send none.
  if (range === undefined || method !== 'GET' || (ifRange !== undefined && ifRange !== tag)) return whole;
  const [, first, last] = /^bytes=[ \t]*([0-9]{0,15})-([0-9]{0,15})[ \t]*$/i.exec(range) ?? [];
  if (first === undefined || last === undefined || first + last === '') return whole;
  if (first === '') return part(Math.max(0, sizeBytes - Number(last)), sizeBytes, sizeBytes);
  if (last !== '' && Number(last) < Number(first)) return whole;
  return part(Number(first), last === '' ? sizeBytes : Number(last) + 1, sizeBytes);
}

function part(start: number, end: number, sizeBytes: number): AskedPart {
  return start >= sizeBytes ? { kind: 'unsatisfiable' } : { kind: 'part', start, end: Math.min(end, sizeBytes) };
}

/** §13.1.2: compared weakly. */
function names(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(',').some((one) => ['*', tag].includes(one.trim().replace(/^W\//, '')));
}
