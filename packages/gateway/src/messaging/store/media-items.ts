/** Parameters and results of the store's methods for media. Types only. */

import type { EpochMs } from '../../kernel/clock.ts';
import type { AccountId, RequestId } from '../../kernel/ids.ts';
import type { PreparedMedia } from '../../model/delivery.ts';
import type { KeptMedium, StoredMedium } from '../../model/medium.ts';
import type { OutcomeCode } from '../../model/reason.ts';

/** The media of one accepted request that are still to be prepared. Until then its deliveries are queued and not due. */
export interface MediaJob {
  requestId: RequestId;
  accountId: AccountId;
  mediaUrls: string[];
  /** Carriers its deliveries wait for, each once, those included that a person holds; none when all were canceled or expired. */
  lanes: string[];
  /** When the last of its deliveries expires. */
  expiresAt: EpochMs;
  /** How often it was put off. */
  tries: number;
}

/** What came of preparing the media of a request. */
export interface MediaPreparation {
  requestId: RequestId;
  now: EpochMs;
  outcome: /** Written with the message; its queued deliveries are due now. */
    | { to: 'queued'; media: PreparedMedia }
    /** Its queued deliveries are `failed`, with an event each; those that a person holds stay, and so does the job. */
    | { to: 'failed'; code: OutcomeCode; detail: string; failedMedium?: FailedMedium }
    /** Looked at again at `dueAt`; nothing else changes. */
    | { to: 'later'; dueAt: EpochMs };
}

/** Which medium ended its messages, and those that were fetched by then. */
export interface FailedMedium {
  index: number;
  fetched: StoredMedium[];
}

/** A medium the world may fetch from us under a signed URL: what a handset sent, or what a customer uploaded. */
export interface MediaLink {
  /** `med_` + 26 characters. */
  mediaId: string;
  accountId: AccountId;
  medium: KeptMedium;
  /** Of a type that is not known to be harmless: given out for saving alone, never sent on. Absent = false. */
  downloadOnly?: boolean;
  /** For the last part of the URL: a-z 0-9 . _ - only. */
  fileName: string;
  createdAt: EpochMs;
  /** From then on the URL no longer works and the medium may be deleted. */
  expiresAt: EpochMs;
}
