/**
 * The seam's part for records: what people edit, with its version. An edit is made from what was read or not at all, and
 * the audit rows of it are part of the same commit.
 */

import type { EpochMs } from '../domain/clock.ts';
import type { NewAuditEntry } from '../domain/people-audit.ts';
import type { MessageKind, Records, Route } from '../domain/records.ts';

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

/** All routing rules as they were after a change. */
export interface RouteVersion {
  /** From 1, one more with each change. */
  version: number;
  at: EpochMs;
  /** An e-mail address or `command line`; '' for what was there before the first change that was kept. */
  who: string;
  routes: Route[];
}

/** What a rule is looked up by. */
export interface SentMessage {
  messageId: string;
  from: string;
  to: string;
  kind: MessageKind;
}

export interface RecordsStore {
  /** The newest first; the last 200 are kept. */
  routeVersions(limit: number): Promise<RouteVersion[]>;
  /** What was sent last, over all accounts, newest first. May be fewer where much is received. */
  newestSent(limit: number): Promise<SentMessage[]>;
  /** All records with their version. */
  records(): Promise<Records>;
  /** Version alone: cheap, polled to notice edits by another process. */
  recordsVersion(): Promise<number>;
  /** Writes records (insert or replace by key) in one transaction and raises the version; returns it. */
  putRecords(changes: RecordChanges): Promise<number>;
  /** The version after the edit; null when the records have changed since they were read, and nothing was written. */
  editRecords(edit: RecordsEdit): Promise<number | null>;
}
