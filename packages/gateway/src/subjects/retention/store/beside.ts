/**
 * What is stored of messages beside the tables whose partitions are dropped (`store/postgres-message-partitions.ts`), and
 * what keeps a partition from being dropped. Times are those of acceptance.
 */
import type { EpochMs } from '../../../kernel/clock.ts';
import { type AccountId, firstIdAt } from '../../../kernel/ids.ts';
import { deleteMmsDeliveries } from '../../../messaging/store/statements/media.ts';
import { deleteRefusedOfRequests } from '../../../messaging/store/statements/refused.ts';
import { deleteThreads } from '../../../messaging/store/statements/threads.ts';
import { type Operation, run } from '../../../store/query.ts';
import {
  deleteLeft,
  deleteMediaOfRequests,
  selectAnyNotification,
  selectAnyWorking,
  selectOldLeft,
  selectOldMedia,
  selectOldMms,
  selectOldRefused,
  selectOldThreads,
  type ThreadKey,
} from './statements.ts';

/** Whether something is still to happen with a message accepted before. */
export function* hasUnfinished({ before }: { before: EpochMs }): Operation<boolean> {
  const of = [{ before: firstIdAt('msg_', before) }];
  if ((yield* run(selectAnyWorking, of)).length > 0) return true;
  return (yield* run(selectAnyNotification, of)).length > 0;
}

export interface BesideRequest {
  before: EpochMs;
  accountIds: readonly AccountId[];
  /** Rows of each table; some more of those that are kept by account. */
  limit: number;
}

export interface Beside {
  mms: { request_id: string; message_id: string }[];
  media: { request_id: string }[];
  refused: { request_id: string }[];
  left: { account_id: string; message_id: string }[];
  threads: ThreadKey[];
}

export function* storedBeside({ before, accountIds, limit }: BesideRequest): Operation<Beside> {
  const requests = [{ before: firstIdAt('req_', before), limit }];
  const found: Beside = {
    mms: [...(yield* run(selectOldMms, requests))],
    media: [...(yield* run(selectOldMedia, requests))],
    refused: [...(yield* run(selectOldRefused, requests))],
    left: [],
    threads: [],
  };
  for (const account_id of accountIds) {
    if (found.left.length + found.threads.length >= limit) break;
    const of = { account_id, before: firstIdAt('msg_', before), limit };
    found.left.push(...(yield* run(selectOldLeft, [of])));
    for (const done of [0, 1]) found.threads.push(...(yield* run(selectOldThreads, [{ ...of, done }])));
  }
  return found;
}

export function* forgetBeside(items: readonly Beside[]): Operation<null[]> {
  for (const { mms, media, refused, left, threads } of items) {
    yield* run(deleteMmsDeliveries, mms);
    yield* run(deleteMediaOfRequests, distinct(media));
    yield* run(deleteRefusedOfRequests, distinct(refused));
    yield* run(deleteLeft, left);
    yield* run(deleteThreads, threads);
  }
  return items.map(() => null);
}

const distinct = (rows: readonly { request_id: string }[]) =>
  [...new Set(rows.map(({ request_id }) => request_id))].map((request_id) => ({ request_id }));
