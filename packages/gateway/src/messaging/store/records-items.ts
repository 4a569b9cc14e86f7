/**
 * Parameters and results of record edits. An edit applies to the version it was made from, or not at all; its audit
 * entries are in the same commit.
 */
import type { EpochMs } from '../../kernel/clock.ts';
import type { MessageId } from '../../kernel/ids.ts';
import type { NewAuditEntry } from '../../model/people-audit.ts';
import type { MessageKind, Records, Route } from '../../model/records.ts';

export type RecordChanges = Omit<Records, 'version'>;

export interface RecordsEdit {
  /** Version of the records that were read; if the stored version differs, nothing is written. */
  version: number;
  /** Inserted, or replacing the record with the same key. */
  put: Partial<RecordChanges>;
  /** Ids of routes to delete. No other record is ever deleted. */
  dropRoutes: string[];
  /** Empty: made by the command line, not by a person. */
  audit: NewAuditEntry[];
}

/** All routing rules as they were after a change. */
export interface RouteVersion {
  /** From 1, one more with each change. */
  version: number;
  at: EpochMs;
  /** An e-mail address or `command line`; '' for the rules before the first recorded change. */
  who: string;
  routes: Route[];
}

/** The fields used to look up a rule. */
export interface SentMessage {
  messageId: MessageId;
  from: string;
  to: string;
  kind: MessageKind;
}
