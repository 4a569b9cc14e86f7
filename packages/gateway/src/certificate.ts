/** Until when the gateway's own certificate counts. It reads the file that is served, once, as the server does. */
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { EpochMs } from './domain/clock.ts';

/** Of the first certificate of the chain; null of what is none: whether it can be served is not decided here. */
export function certificateEndsAt(certFile: string): EpochMs | null {
  try {
    return new X509Certificate(readFileSync(certFile)).validToDate.getTime();
  } catch {
    return null;
  }
}
