/**
 * The seam's part for the log of API calls. It is no promise: a crash may lose its last second, and what cannot be written
 * is only counted. Nothing that a customer relies on may be kept here.
 */
import type { EpochMs } from '../domain/clock.ts';
import type { Environment } from '../domain/records.ts';
import type { LoggedCall, UnkeptCalls } from '../domain/request-log.ts';

export interface RequestSearch {
  accountId: string;
  environment: Environment;
  /** HTTP statuses from `statusFrom` to `statusTo`, both included. */
  statusFrom: number;
  statusTo: number;
  /** Null = any. */
  reason: string | null;
  keyId: string | null;
  /** Anywhere in method and path, in any case. */
  path: string | null;
  /** Only calls before this request id, or its beginning; null = from the newest. */
  before: string | null;
  /** Only calls after this request id, or its beginning; null = down to the oldest. */
  after: string | null;
  /** At most 500. */
  limit: number;
}

export interface RequestLogStore {
  /** One batch: calls to be kept, and what was not kept one by one, which is added to what its minute has. */
  addRequests(batch: { calls: readonly LoggedCall[]; unkept: readonly UnkeptCalls[] }): Promise<void>;
  /** Newest first. */
  requests(search: RequestSearch): Promise<LoggedCall[]>;
  request(question: { accountId: string; requestId: string }): Promise<LoggedCall | null>;
  /** From the minute of `from` to that of `to`, newest first. */
  unkeptRequests(question: {
    accountId: string;
    environment: Environment;
    from: EpochMs;
    to: EpochMs;
    limit: number;
  }): Promise<UnkeptCalls[]>;
  /** Deletes an account's calls before `before`, and of the others all but the newest `keep`; true while there is more. */
  forgetRequests(request: { accountId: string; before: EpochMs; keep: number; limit: number }): Promise<boolean>;
  /** Masks a number in an account's calls; looks at no more than `limit` of them. Null comes back after the last. */
  eraseFromRequests(request: {
    accountId: string;
    number: string;
    cursor: string | null;
    limit: number;
  }): Promise<string | null>;
}
