/**
 * Tracks media jobs from accept to queue. Until the media are ready, deliveries are queued but due only at the end of
 * their validity, so nothing claims them and the sweep expires them.
 */
import type { EpochMs } from '../../../kernel/clock.ts';
import type { AccountId, MessageId, RequestId } from '../../../kernel/ids.ts';
import type { FittedSet, PreparedMedia } from '../../../model/delivery.ts';
import { hostGroup } from '../../../model/media-hosts.ts';
import type { StoredMedium } from '../../../model/medium.ts';
import { queueTime, type WriteContext } from '../../../store/context.ts';
import { type Operation, run } from '../../../store/query.ts';
import { type AcceptItem, isSmsItem } from '../items.ts';
import type { FailedMedium, MediaJob, MediaPreparation } from '../media-items.ts';
import { insertFittedMedia, insertMessageMedia } from '../statements/media.ts';
import {
  delayMediaJobs,
  deleteMediaJobs,
  insertMediaJobs,
  insertMmsDeliveries,
  type MediaJobRow,
  type MmsDeliveryRow,
  selectDueMediaJobs,
  selectDueMediaJobsOfHosts,
  selectMediaJobAccounts,
  selectMediaJobHosts,
  selectMediaJobs,
  selectNextMediaJob,
  selectRequestOf,
  selectWaitingMms,
  updateDue,
} from '../statements/media-jobs.ts';
import { failedBudget, originalBudget } from './media.ts';
import { makeMoves } from './move.ts';

/** Groups of hosts examined in addition to an account's earliest jobs, and the jobs examined per group. */
const hostGroupsMax = 64;
const jobsPerGroup = 8;

type JobsRequest = { now: EpochMs; limit: number; served?: readonly string[] };
type OutcomeTo<T> = Extract<MediaPreparation['outcome'], { to: T }>;
/** A preparation with its outcome. */
type Prepared<T> = Omit<MediaPreparation, 'outcome'> & { outcome: OutcomeTo<T> };

/** For newly accepted messages; runs no statement when none of them is an MMS. */
export function* addMediaJobs(items: readonly AcceptItem[]): Operation<void> {
  const waiting = items.filter((item) => !isSmsItem(item) && item.deliveries.length > 0);
  yield* run(
    insertMediaJobs,
    waiting.map(({ message, deliveries }) => ({
      request_id: message.requestId,
      account_id: message.accountId,
      due_at: message.acceptedAt,
      expires_at: Math.max(...deliveries.map(({ expiresAt }) => expiresAt)),
      hosts: hostGroup(message.mediaUrls),
    })),
  );
  yield* run(
    insertMmsDeliveries,
    waiting.flatMap(({ message, deliveries }) =>
      deliveries.map(({ messageId }) => ({
        request_id: message.requestId,
        message_id: messageId,
        accepted_at: message.acceptedAt,
      })),
    ),
  );
}

export function* mediaJobs(request: JobsRequest): Operation<MediaJob[]> {
  const rows = yield* inTurns(request);
  const waiting = Map.groupBy(yield* run(selectWaitingMms, rows), (row) => row.request_id);
  return rows.map((row) => ({
    requestId: row.request_id,
    accountId: row.account_id,
    mediaUrls: JSON.parse(row.media_urls),
    lanes: lanesOf(waiting.get(row.request_id) ?? []),
    expiresAt: row.expires_at,
    tries: row.tries,
  }));
}

function* inTurns({ now, limit, served = [] }: JobsRequest): Operation<MediaJobRow[]> {
  const rank = new Map(served.map((accountId, index) => [accountId, index + 1]));
  const rankOf = (accountId: AccountId): number => rank.get(accountId) ?? 0;
  const accounts = (yield* run(selectMediaJobAccounts, [{}]))
    .filter(({ due_at }) => due_at <= now)
    .sort((a, b) => rankOf(a.account_id) - rankOf(b.account_id) || a.due_at - b.due_at)
    .slice(0, limit);
  const due: { row: MediaJobRow; turn: number }[] = [];
  for (const { account_id } of accounts) {
    const rows = yield* jobsOfAccount(account_id, now, limit);
    due.push(...rows.map((row, turn) => ({ row, turn })));
  }
  // Within a turn, accounts keep their order.
  due.sort((a, b) => a.turn - b.turn);
  return due.slice(0, limit).map(({ row }) => row);
}

/**
 * The account's jobs, taking its groups of hosts in turn. With more jobs than `limit`, the first few jobs of other
 * groups are added to the earliest ones, because those may all lead to one hanging host.
 */
function* jobsOfAccount(account_id: string, now: EpochMs, limit: number): Operation<MediaJobRow[]> {
  const rows = yield* run(selectDueMediaJobs, [{ account_id, now, limit }]);
  if (rows.length === limit) {
    const seen = new Set(rows.map(({ hosts }) => hosts));
    const groups = yield* run(selectMediaJobHosts, [{ account_id, limit: hostGroupsMax }]);
    for (const { hosts } of groups) {
      if (seen.has(hosts)) continue;
      rows.push(...(yield* run(selectDueMediaJobsOfHosts, [{ account_id, hosts, now, limit: jobsPerGroup }])));
    }
  }
  const turns = new Map<string, number>();
  const inTurn = rows.map((row) => {
    const turn = turns.get(row.hosts) ?? 0;
    turns.set(row.hosts, turn + 1);
    return { row, turn };
  });
  inTurn.sort((a, b) => a.turn - b.turn || a.row.due_at - b.row.due_at);
  return inTurn.map(({ row }) => row);
}

export function* nextMediaJobAt(): Operation<EpochMs | null> {
  const [row] = yield* run(selectNextMediaJob, [{}]);
  return row?.due_at ?? null;
}

/**
 * Returns, for each, the lanes in which deliveries are due now. The first decision on a request ends its job; later
 * ones find none.
 */
export function* prepareMedia(items: readonly MediaPreparation[], context: WriteContext): Operation<string[][]> {
  const requestIds = new Set(items.map((item) => item.requestId));
  const jobs = yield* run(
    selectMediaJobs,
    [...requestIds].map((request_id) => ({ request_id })),
  );
  const acceptedAt = new Map(jobs.map((job) => [job.request_id, job.accepted_at]));
  const expiresAt = new Map(jobs.map((job) => [job.request_id, job.expires_at]));
  const open = new Set(acceptedAt.keys());
  const existing = items.filter(({ requestId, outcome }) =>
    outcome.to === 'later' ? open.has(requestId) : open.delete(requestId),
  );
  const prepared = existing.filter((item): item is Prepared<'queued'> => item.outcome.to === 'queued');
  const failed = existing.filter((item): item is Prepared<'failed'> => item.outcome.to === 'failed');
  const later = new Map(
    existing.flatMap(({ requestId, outcome }) => (outcome.to === 'later' ? [[requestId, outcome.dueAt]] : [])),
  );

  const decided = [...prepared, ...failed].map(({ requestId }) => ({ request_id: requestId }));
  const waiting = Map.groupBy(yield* run(selectWaitingMms, decided), (row) => row.request_id);
  // Drop a job that no message waits for: nothing would find it again.
  const ready = prepared.filter(({ requestId }) => waiting.has(requestId));
  yield* run(
    insertMessageMedia,
    ready.flatMap(({ requestId, outcome }) => mediaRows(requestId, outcome.media, acceptedAt.get(requestId)!)),
  );
  const lanes = yield* makeDue(ready, waiting, context);
  yield* fail(failed, waiting, context);
  // A delivery held for a person cannot fail: its job stays and runs again when the message is released.
  const kept = failed.filter(({ requestId }) => waiting.get(requestId)?.some(isHeld));
  for (const { requestId } of kept) later.set(requestId, expiresAt.get(requestId)!);
  yield* run(
    insertMessageMedia,
    failed.flatMap(({ requestId, outcome }) =>
      waiting.has(requestId) && !later.has(requestId) && outcome.failedMedium !== undefined
        ? failedRows(requestId, outcome.failedMedium, acceptedAt.get(requestId)!)
        : [],
    ),
  );
  yield* run(
    delayMediaJobs,
    [...later].map(([request_id, due_at]) => ({ request_id, due_at })),
  );
  yield* run(
    deleteMediaJobs,
    decided.filter(({ request_id }) => !later.has(request_id)),
  );
  return items.map((item) => lanes.get(item) ?? []);
}

type Waiting = ReadonlyMap<string, MmsDeliveryRow[]>;

/** Leaves expired messages to the sweep. */
function* makeDue(
  ready: readonly Prepared<'queued'>[],
  waiting: Waiting,
  context: WriteContext,
): Operation<Map<MediaPreparation, string[]>> {
  const lanes = new Map<MediaPreparation, string[]>();
  const due: { message_id: string; now: EpochMs; due_at: EpochMs }[] = [];
  for (const item of ready) {
    const rows = (waiting.get(item.requestId) ?? []).filter((row) => !isHeld(row) && row.expires_at > item.now);
    const due_at = queueTime(context, item.now);
    due.push(...rows.map((row) => ({ message_id: row.message_id, now: item.now, due_at })));
    lanes.set(item, lanesOf(rows));
  }
  yield* run(updateDue, due);
  return lanes;
}

function* fail(failed: readonly Prepared<'failed'>[], waiting: Waiting, context: WriteContext): Operation<void> {
  yield* makeMoves(
    failed.flatMap(({ requestId, now, outcome: { code, detail } }) =>
      (waiting.get(requestId) ?? [])
        .filter((row) => !isHeld(row))
        .map((row) => ({ row, change: { to: 'failed' as const, at: now, code, detail } })),
    ),
    context,
  );
}

/** A person still decides about it, whatever happens to its media. */
function isHeld({ state }: MmsDeliveryRow): boolean {
  return state === 'held';
}

function lanesOf(rows: readonly MmsDeliveryRow[]): string[] {
  return [...new Set(rows.map((row) => row.lane))].sort();
}

/** Stores nothing for a message that has been deleted meanwhile. */
export function* addFittedMedia(items: readonly { messageId: MessageId; set: FittedSet }[]): Operation<null[]> {
  const found = yield* run(
    selectRequestOf,
    items.map(({ messageId }) => ({ message_id: messageId })),
  );
  const requests = new Map(found.map((row) => [row.message_id, row]));
  yield* run(
    insertFittedMedia,
    items.flatMap(({ messageId, set }) => {
      const row = requests.get(messageId);
      return row === undefined ? [] : mediaRows(row.request_id, { original: [], fitted: [set] }, row.accepted_at);
    }),
  );
  return items.map(() => null);
}

function mediaRows(requestId: RequestId, { original, fitted }: PreparedMedia, acceptedAt: EpochMs) {
  return [{ budgetBytes: originalBudget, media: original }, ...fitted].flatMap(({ budgetBytes, media }) =>
    media.map((medium, position) => mediaRow({ requestId, budgetBytes, position, acceptedAt }, medium)),
  );
}

function failedRows(requestId: RequestId, { index, fetched }: FailedMedium, acceptedAt: EpochMs) {
  const mark = { requestId, budgetBytes: failedBudget, position: index, acceptedAt };
  return [...mediaRows(requestId, { original: fetched, fitted: [] }, acceptedAt), mediaRow(mark, noMedium)];
}

/** Stands for a failed medium. */
const noMedium: Omit<StoredMedium, 'type'> & { type: '' } = { hash: '', type: '', sizeBytes: 0 };

function mediaRow(
  place: { requestId: RequestId; budgetBytes: number; position: number; acceptedAt: EpochMs },
  medium: StoredMedium | typeof noMedium,
) {
  return {
    request_id: place.requestId,
    budget_bytes: place.budgetBytes,
    position: place.position,
    hash: medium.hash,
    type: medium.type,
    size_bytes: medium.sizeBytes,
    accepted_at: place.acceptedAt,
    width: medium.width ?? null,
    height: medium.height ?? null,
    frames: medium.frames ?? null,
    altered: medium.altered ?? null,
  };
}
