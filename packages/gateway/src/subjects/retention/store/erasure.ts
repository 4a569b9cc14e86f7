/** The erasure of a number: who requested it, its progress, and its steps. */
import type { EpochMs } from '../../../kernel/clock.ts';
import type { AccountId } from '../../../kernel/ids.ts';
import { refusedPlaces } from '../../../messaging/store/operations/refused.ts';
import { deleteRefused } from '../../../messaging/store/statements/refused.ts';
import { maskNumber } from '../../../model/number.ts';
import { type Operation, run } from '../../../store/query.ts';
import { deleteContacts } from '../../contacts/store/statements.ts';
import { type Gone, goneOf, isSettled, letGo, oldPage, requestIds } from './gone.ts';
import {
  type ErasureRow,
  insertErasures,
  type OldRow,
  selectErasure,
  selectErasures,
  selectOpenErasures,
  updateErasure,
} from './statements.ts';

/** A number whose messages must be deleted. */
export interface Erasure {
  /** `era_` + 26 characters. */
  erasureId: string;
  accountId: AccountId;
  /** E.164 digits; masked once it is done. */
  peer: string;
  requestedAt: EpochMs;
  /** For people: an e-mail address. */
  requestedBy: string;
  /** Messages deleted so far. */
  deleted: number;
  /** Messages that are not final, or became final a moment ago: they stay. */
  leftOver: number;
  doneAt: EpochMs | null;
}

export interface ErasuresQuery {
  accountId: AccountId | null;
  limit: number;
}

export interface EraseRequest {
  erasureId: string;
  endpointIds: string[];
  settledBefore: EpochMs;
  now: EpochMs;
  limit: number;
}

export function* addErasure(
  items: readonly Pick<Erasure, 'erasureId' | 'accountId' | 'peer' | 'requestedAt' | 'requestedBy'>[],
): Operation<null[]> {
  yield* run(
    insertErasures,
    items.map(({ erasureId, accountId, peer, requestedAt, requestedBy }) => ({
      erasure_id: erasureId,
      account_id: accountId,
      peer,
      requested_at: requestedAt,
      requested_by: requestedBy,
    })),
  );
  return items.map(() => null);
}

/** Those of one account, newest first; or unfinished ones of all accounts, oldest first. */
export function* erasures({ accountId, limit }: ErasuresQuery): Operation<Erasure[]> {
  const rows =
    accountId === null
      ? yield* run(selectOpenErasures, [{ limit }])
      : yield* run(selectErasures, [{ account_id: accountId, limit }]);
  return rows.map((row) => ({
    erasureId: row.erasure_id,
    accountId: row.account_id,
    peer: row.peer,
    requestedAt: row.requested_at,
    requestedBy: row.requested_by,
    deleted: row.deleted,
    leftOver: row.left_over,
    doneAt: row.done_at,
  }));
}

/** Marks a direction that was read to its end. */
const toTheEnd = '~';

export interface ErasureStep {
  row: ErasureRow;
  gone: Gone | null;
  /** Where the number was refused in requests that stay. */
  refused: { request_id: string; place: number }[];
  contact: { account_id: AccountId; contact: string };
  more: boolean;
}

export function* erasable(request: EraseRequest): Operation<ErasureStep | null> {
  const [row] = yield* run(selectErasure, [{ erasure_id: request.erasureId }]);
  if (row === undefined || row.done_at !== null) return null;
  const direction = row.passed_outbound === toTheEnd ? 'inbound' : 'outbound';
  const after = direction === 'outbound' ? row.passed_outbound : row.passed_inbound;
  const accountId = row.account_id;
  const page = yield* oldPage({ accountId, limit: request.limit }, direction, after, Number.POSITIVE_INFINITY);
  const theirs = (one: OldRow) => (direction === 'outbound' ? one.recipient : one.sender) === row.peer;
  const found = page.requests.flat().filter(theirs);
  const messages = found.filter((one) => isSettled(one) && one.updated_at <= request.settledBefore);
  const goes = new Set(messages);
  const whole = page.requests.filter((rows) => rows.every((one) => goes.has(one))).flat();
  const passed = page.more ? (page.last ?? toTheEnd) : toTheEnd;
  const done = direction === 'inbound' && passed === toTheEnd;
  const next: ErasureRow = {
    ...row,
    [`passed_${direction}`]: passed,
    deleted: row.deleted + messages.length,
    left_over: row.left_over + found.length - messages.length,
    ...(done && { done_at: request.now, peer: maskNumber(row.peer) }),
  };
  const gone = yield* goneOf({ accountId, endpointIds: request.endpointIds }, messages, requestIds(whole));
  const refused = yield* refusedPlaces(requestIds(page.requests.flat()), row.peer);
  return { row: next, gone, refused, contact: { account_id: accountId, contact: row.peer }, more: !done };
}

export function* erase(items: readonly ErasureStep[]): Operation<null[]> {
  for (const { row, gone, refused, contact } of items) {
    if (gone !== null) yield* letGo(gone);
    yield* run(deleteRefused, refused);
    yield* run(deleteContacts, [contact]);
    yield* run(updateErasure, [row]);
  }
  return items.map(() => null);
}
