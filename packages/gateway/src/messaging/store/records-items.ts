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
  /** Version of the records that were read; with another one on disk nothing is written. */
  version: number;
  /** Inserted, or replacing what has the same key. */
  put: Partial<RecordChanges>;
  /** Ids of routes that are taken away. Nothing else is ever deleted. */
  dropRoutes: string[];
  /** Empty: the command line did it, and no person. */
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
  messageId: MessageId;
  from: string;
  to: string;
  kind: MessageKind;
}
