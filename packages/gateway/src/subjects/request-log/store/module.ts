/**
 * The request log. Entries arrive redacted. Dropped calls are summed in one row for each minute, so a flood leaves few
 * rows.
 */
import type { AccountId } from '../../../kernel/ids.ts';
import { storable } from '../../../messaging/store/operations/storable.ts';
import { patternOf } from '../../../messaging/store/operations/text-search.ts';
import { ownedDuty } from '../../../model/duty.ts';
import { type LoggedCall, minuteMs, type UnkeptCalls, withoutNumber } from '../../../model/request-log.ts';
import { oneDone, type StoreOf, storeModule } from '../../../store/module.ts';
import { type Operation, run } from '../../../store/query.ts';
import type {
  AddRequestsRequest,
  EraseFromRequestsRequest,
  ForgetRequestsRequest,
  RequestQuery,
  RequestSearch,
  UnkeptRequestsQuery,
} from './items.ts';
import {
  addUnkept,
  type CallRow,
  deleteCalls,
  deleteUnkept,
  insertCalls,
  selectCall,
  selectCalls,
  selectCallsAfter,
  selectOldestCalls,
  selectOldUnkept,
  selectSurplus,
  selectUnkept,
  updateCalls,
} from './statements.ts';

/** Sorts after every id. */
const fromNewest = '~';

/** One batch: calls to store, and counts of dropped ones, which are added to their minutes. */
export function* addRequests(batches: readonly AddRequestsRequest[]): Operation<null[]> {
  yield* run(
    insertCalls,
    batches.flatMap(({ calls }) => calls.map(rowOf)),
  );
  yield* run(addUnkept, summed(batches.flatMap(({ unkept }) => unkept)));
  return batches.map(() => null);
}

const kept = <T extends string | null>(text: T): T => storable((text?.toWellFormed() ?? null) as T);

function rowOf(call: LoggedCall): CallRow {
  const { accountId, requestId, at, environment, keyId, method, status, reason, address, ms, dryRun } = call;
  return {
    account_id: accountId,
    request_id: requestId,
    at,
    environment,
    key_id: keyId,
    method,
    status,
    reason,
    path: kept(call.path),
    detail: kept(call.detail),
    address: kept(address),
    ms: Math.round(ms),
    dry_run: dryRun ? 1 : 0,
    body: kept(call.body),
    body_bytes: call.bodyBytes,
  };
}

function callOf(row: CallRow): LoggedCall {
  const { account_id, request_id, at, environment, key_id, method, path, status, reason, detail, address, ms } = row;
  return {
    accountId: account_id,
    requestId: request_id,
    at,
    environment,
    keyId: key_id,
    method,
    path,
    status,
    reason,
    detail,
    address,
    ms,
    dryRun: row.dry_run === 1,
    body: row.body,
    bodyBytes: row.body_bytes,
  };
}

/** One row for each minute, because a statement must not write the same row twice. */
function summed(unkept: readonly UnkeptCalls[]) {
  const groups = Map.groupBy(unkept, ({ accountId, environment, minute }) => `${accountId} ${environment} ${minute}`);
  return [...groups.values()].map((rows) => {
    const { accountId: account_id, environment, minute } = rows[0]!;
    return { account_id, environment, minute, calls: rows.reduce((sum, { calls }) => sum + calls, 0) };
  });
}

/** Newest first. */
export function* requests(search: RequestSearch): Operation<LoggedCall[]> {
  const {
    accountId: account_id,
    environment,
    statusFrom,
    statusTo,
    reason,
    keyId,
    path,
    before,
    after,
    limit,
  } = search;
  const rows = yield* run(selectCalls, [
    {
      account_id,
      environment,
      status_from: statusFrom,
      status_to: statusTo,
      reason,
      key_id: keyId,
      limit,
      pattern: path === null ? null : patternOf(path),
      before: before ?? fromNewest,
      after: after ?? '',
    },
  ]);
  return rows.map(callOf);
}

export function* request({ accountId, requestId }: RequestQuery): Operation<LoggedCall | null> {
  const [row] = yield* run(selectCall, [{ account_id: accountId, request_id: requestId }]);
  return row === undefined ? null : callOf(row);
}

/** From the minute of `from` to that of `to`, newest first. */
export function* unkeptRequests({
  accountId,
  environment,
  from,
  to,
  limit,
}: UnkeptRequestsQuery): Operation<UnkeptCalls[]> {
  const [from_minute, to_minute] = [from - (from % minuteMs), to - (to % minuteMs)];
  const rows = yield* run(selectUnkept, [{ account_id: accountId, environment, from_minute, to_minute, limit }]);
  return rows.map(({ account_id, ...row }) => ({ accountId: account_id, ...row }));
}

export interface ForgettableRequests {
  accountId: AccountId;
  requestIds: string[];
  unkeptBefore: number | null;
  more: boolean;
}

export function* forgettableRequests(request: ForgetRequestsRequest): Operation<ForgettableRequests> {
  const { accountId, before, keep, limit } = request;
  const account_id = accountId;
  const [surplus] = yield* run(selectSurplus, [{ account_id, keep }]);
  const oldest = yield* run(selectOldestCalls, [{ account_id, after: '', limit }]);
  // The ids are in order, so everything from the first remaining one on stays.
  const stays = oldest.findIndex(({ request_id, at }) => at >= before && request_id > (surplus?.request_id ?? ''));
  const gone = stays === -1 ? oldest : oldest.slice(0, stays);
  const [old] = yield* run(selectOldUnkept, [{ account_id, before }]);
  return {
    accountId,
    requestIds: gone.map(({ request_id }) => request_id),
    unkeptBefore: old === undefined ? null : before,
    more: stays === -1 && oldest.length >= limit,
  };
}

export function* forgetRequests(items: readonly ForgettableRequests[]): Operation<null[]> {
  for (const { accountId: account_id, requestIds, unkeptBefore } of items) {
    yield* run(
      deleteCalls,
      requestIds.map((request_id) => ({ account_id, request_id })),
    );
    if (unkeptBefore !== null) yield* run(deleteUnkept, [{ account_id, before: unkeptBefore }]);
  }
  return items.map(() => null);
}

export interface MaskableRequests {
  rows: Pick<CallRow, 'account_id' | 'request_id' | 'path' | 'detail' | 'body'>[];
  cursor: string | null;
}

export function* maskableRequests(request: EraseFromRequestsRequest): Operation<MaskableRequests> {
  const { accountId: account_id, number, cursor, limit } = request;
  const page = yield* run(selectCallsAfter, [{ account_id, after: cursor ?? '', limit }]);
  const rows = page.flatMap((row) => {
    const masked = withoutNumber(row, number);
    return masked === null ? [] : [{ account_id, ...masked }];
  });
  return { rows, cursor: page.length < limit ? null : page.at(-1)!.request_id };
}

export function* maskRequests(items: readonly MaskableRequests[]): Operation<null[]> {
  yield* run(
    updateCalls,
    items.flatMap(({ rows }) => rows),
  );
  return items.map(() => null);
}

export const requestLogStore = storeModule({
  name: 'request log',
  writes: {
    addRequests: { run: addRequests, journal: 'apart', unsynced: true },
    forgetRequests: { run: forgetRequests, journal: 'apart', owned: ownedDuty('retention') },
    maskRequests: { run: maskRequests, journal: 'apart', owned: ownedDuty('retention') },
  },
  reads: {
    requests: { run: requests, needs: 'nothing' },
    request: { run: request, needs: 'nothing' },
    unkeptRequests: { run: unkeptRequests, needs: 'nothing' },
    forgettableRequests: { run: forgettableRequests, needs: 'nothing' },
    maskableRequests: { run: maskableRequests, needs: 'nothing' },
  },
  verbs: (on) => ({
    addRequests: oneDone(on.addRequests),
    /**
     * Deletes an account's calls before `before`, and all others except the newest `keep`; true while there is more.
     */
    async forgetRequests(search: Parameters<typeof on.forgettableRequests>[0]) {
      const found = await on.forgettableRequests(search);
      if (found.requestIds.length > 0 || found.unkeptBefore !== null) await on.forgetRequests([found]);
      return found.more;
    },
    /** Masks a number in an account's calls; reads at most `limit` of them. Returns null after the last. */
    async eraseFromRequests(search: Parameters<typeof on.maskableRequests>[0]) {
      const found = await on.maskableRequests(search);
      if (found.rows.length > 0) await on.maskRequests([found]);
      return found.cursor;
    },
  }),
});

export interface RequestLogStore extends StoreOf<typeof requestLogStore> {}
