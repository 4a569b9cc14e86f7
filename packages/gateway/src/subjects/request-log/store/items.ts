/** Parameters and results of the request log. Best effort: a crash may lose the last second. */
import type { EpochMs } from '../../../kernel/clock.ts';
import type { AccountId, KeyId, RequestId } from '../../../kernel/ids.ts';
import type { Environment } from '../../../model/records.ts';
import type { LoggedCall, UnkeptCalls } from '../../../model/request-log.ts';

export interface RequestSearch {
  accountId: AccountId;
  environment: Environment;
  /** HTTP statuses from `statusFrom` to `statusTo`, inclusive. */
  statusFrom: number;
  statusTo: number;
  /** Null = any. */
  reason: string | null;
  keyId: KeyId | null;
  /** Text anywhere in method and path, in any case of letters. */
  path: string | null;
  /** Only calls before this request id, or the start of one; null = from the newest. */
  before: string | null;
  /** Only calls after this request id, or the start of one; null = down to the oldest. */
  after: string | null;
  /** At most 500. */
  limit: number;
}

export interface AddRequestsRequest {
  calls: readonly LoggedCall[];
  unkept: readonly UnkeptCalls[];
}

export interface RequestQuery {
  accountId: AccountId;
  requestId: RequestId;
}

export interface UnkeptRequestsQuery {
  accountId: AccountId;
  environment: Environment;
  from: EpochMs;
  to: EpochMs;
  limit: number;
}

export interface ForgetRequestsRequest {
  accountId: AccountId;
  before: EpochMs;
  keep: number;
  limit: number;
}

export interface EraseFromRequestsRequest {
  accountId: AccountId;
  number: string;
  cursor: string | null;
  limit: number;
}
