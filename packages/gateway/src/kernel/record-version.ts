/** Fingerprints a record, to detect concurrent edits. */
import { hash } from 'node:crypto';

/** 16 hex digits, the same for the same content and different for any other. */
export function recordVersion(record: object): string {
  return hash('sha256', JSON.stringify(record), 'hex').slice(0, 16);
}
