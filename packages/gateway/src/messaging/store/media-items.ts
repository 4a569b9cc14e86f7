/** Parameters and results of the store's methods for media. Types only. */

import type { EpochMs } from '../../kernel/clock.ts';
import type { AccountId, RequestId } from '../../kernel/ids.ts';
import type { PreparedMedia } from '../../model/delivery.ts';
import type { KeptMedium, StoredMedium } from '../../model/medium.ts';
import type { OutcomeCode } from '../../model/reason.ts';

/** Media of one accepted request that are not yet prepared. Until then its deliveries are queued and not due. */
export interface MediaJob {
  requestId: RequestId;
  accountId: AccountId;
  mediaUrls: string[];
  /**
   * Carriers of its waiting deliveries, each once, including deliveries held for a person; empty if all were canceled
   * or expired.
   */
  lanes: string[];
  /** When the last of its deliveries expires. */
  expiresAt: EpochMs;
  /** Number of postponements. */
  tries: number;
}

/** The result of preparing the media of a request. */
export interface MediaPreparation {
  requestId: RequestId;
  now: EpochMs;
  outcome: /** Written with the message; its queued deliveries become due. */
    | { to: 'queued'; media: PreparedMedia }
    /**
     * Its queued deliveries become `failed`, with an event each; deliveries held for a person stay, and so does the
     * job.
     */
    | { to: 'failed'; code: OutcomeCode; detail: string; failedMedium?: FailedMedium }
    /** Tried again at `dueAt`; nothing else changes. */
    | { to: 'later'; dueAt: EpochMs };
}

/** The medium that failed its messages, and the media fetched by then. */
export interface FailedMedium {
  index: number;
  fetched: StoredMedium[];
}

/** A medium that third parties may fetch from us under a signed URL: sent by a handset, or uploaded by a customer. */
export interface MediaLink {
  /** `med_` + 26 characters. */
  mediaId: string;
  accountId: AccountId;
  medium: KeptMedium;
  /** Its type is not known to be harmless: offered only for download, never sent on. Absent = false. */
  downloadOnly?: boolean;
  /** The last part of the URL: a-z 0-9 . _ - only. */
  fileName: string;
  createdAt: EpochMs;
  /** Afterwards the URL no longer works and the medium may be deleted. */
  expiresAt: EpochMs;
}
