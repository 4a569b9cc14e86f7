/** Fingerprints a record, to detect concurrent edits. */
import { hash } from 'node:crypto';

/** 16 hex digits; another for every other content. Two reads of one record give the same. */
export function recordVersion(record: object): string {
  return hash('sha256', JSON.stringify(record), 'hex').slice(0, 16);
}
