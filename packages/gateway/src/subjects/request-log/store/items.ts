/** Parameters and results of the request log. Best effort: a crash may lose the last second. */
import type { EpochMs } from '../../../kernel/clock.ts';
import type { Environment } from '../../../model/records.ts';
import type { LoggedCall, UnkeptCalls } from '../../../model/request-log.ts';

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

export interface AddRequestsRequest {
  calls: readonly LoggedCall[];
  unkept: readonly UnkeptCalls[];
}

export interface RequestQuery {
  accountId: string;
  requestId: string;
}

export interface UnkeptRequestsQuery {
  accountId: string;
  environment: Environment;
  from: EpochMs;
  to: EpochMs;
  limit: number;
}

export interface ForgetRequestsRequest {
  accountId: string;
  before: EpochMs;
  keep: number;
  limit: number;
}

export interface EraseFromRequestsRequest {
  accountId: string;
  number: string;
  cursor: string | null;
  limit: number;
}
