/** Checks whether a client accepts a compressed answer (RFC 9110 §12.5.3). */
import type { IncomingHttpHeaders } from 'node:http';

const weight = String.raw`\s*(;\s*q=(?!0(\.0{0,3})?\s*$).*)?$`;
const gzip = new RegExp(String.raw`^\s*(x-)?gzip${weight}`, 'i');
const brotli = new RegExp(String.raw`^\s*br${weight}`, 'i');

/** True when `gzip` is named with a weight above 0. */
export function takesGzip(headers: IncomingHttpHeaders): boolean {
  return takes(headers, gzip);
}

/** True when `br` is named; browsers name it only over https and on their own machine. */
export function takesBrotli(headers: IncomingHttpHeaders): boolean {
  return takes(headers, brotli);
}

function takes(headers: IncomingHttpHeaders, encoding: RegExp): boolean {
  return String(headers['accept-encoding'] ?? '')
    .split(',')
    .some((one) => encoding.test(one));
}
