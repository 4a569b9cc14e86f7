/**
 * The seam's part for records: what people edit, with its version. An edit is made from what was read or not at all, and
 * the audit rows of it are part of the same commit.
 */
import type { NewAuditEntry } from '../domain/people-audit.ts';
import type { Records } from '../domain/records.ts';

export type RecordChanges = Omit<Records, 'version'>;

export interface RecordsEdit {
  /** Version of the records that were read; with another one on disk nothing is written. */
  version: number;
  /** Inserted, or replacing what has the same key. */
  put: Partial<RecordChanges>;
  /** Ids of routes that are taken away. Nothing else is ever deleted. */
  dropRoutes: string[];
  audit: NewAuditEntry[];
}

export interface RecordsStore {
  /** All records with their version. */
  records(): Promise<Records>;
  /** Version alone: cheap, polled to notice edits by another process. */
  recordsVersion(): Promise<number>;
  /** Writes records (insert or replace by key) in one transaction and raises the version; returns it. */
  putRecords(changes: RecordChanges): Promise<number>;
  /** The version after the edit; null when the records have changed since they were read, and nothing was written. */
  editRecords(edit: RecordsEdit): Promise<number | null>;
}
