/**
 * Searches an account's refused recipients, newest request first: by number, or from the newest backwards within a
 * bound.
 */
import { firstIdAt, idTime } from '../../../kernel/ids.ts';
import type {
  ListedRefused,
  RefusedPage,
  RefusedPlace,
  RefusedSearch,
} from '../../../messaging/store/message-log-items.ts';
import { patternOf } from '../../../messaging/store/operations/text-search.ts';
import {
  type RefusedLogRow,
  selectRefusedByNumber,
  selectRefusedLog,
} from '../../../messaging/store/statements/refused.ts';
import { wantsRefused } from '../../../model/message-search.ts';
import { isPortalKey, portalKeyMark } from '../../../model/people.ts';
import { type Operation, run } from '../../../store/query.ts';

/** Rows read one after the other, few at first, then more; for each number. */
const looks = [100, 1_000] as const;
const prefix = 'req_';
/** Sorts after every request id. */
const afterAllIds = '~';
/** A request gets its id a little before it is accepted. */
const slackMs = 60_000;

/** Refused recipients of all requests that match a search of the log. */
export function* searchRefused(request: RefusedSearch): Operation<RefusedPage> {
  const { filter, limit } = request;
  if (!wantsRefused(filter)) return { recipients: [], next: null, searchedTo: null };
  const numbers = numbersOf(request);
  const found: ListedRefused[] = [];
  let from: RefusedPlace | null = request.before;
  for (const look of looks) {
    const { rows, edge } = yield* lookOn(request, numbers, from, look);
    found.push(...rows.filter((row) => fits(request, row)).map(asListed));
    if (found.length > limit) break;
    from = edge;
    if (edge === null) break;
  }
  const recipients = found.slice(0, limit);
  if (found.length > limit) {
    const { requestId, place } = recipients.at(-1)!;
    return { recipients, next: { requestId, place }, searchedTo: null };
  }
  return { recipients, next: from, searchedTo: from === null ? null : idTime(from.requestId) };
}

/** The next rows, newest first, and the position up to which they are complete; null = to the end. */
function* lookOn(
  { accountId: account_id, filter }: RefusedSearch,
  numbers: readonly string[] | null,
  from: RefusedPlace | null,
  look: number,
): Operation<{ rows: RefusedLogRow[]; edge: RefusedPlace | null }> {
  const params = {
    account_id,
    look,
    text: filter.text === null ? null : patternOf(filter.text),
    ...spanOf(filter, from),
  };
  let edge: RefusedPlace | null = null;
  const rows: RefusedLogRow[] = [];
  for (const number of numbers ?? [null]) {
    const some =
      number === null
        ? yield* run(selectRefusedLog, [params])
        : yield* run(selectRefusedByNumber, [{ ...params, number }]);
    rows.push(...some);
    const last = some.length === look ? placeOf(some.at(-1)!) : null;
    if (last !== null && (edge === null || newestFirst(last, edge) < 0)) edge = last;
  }
  const until = edge;
  return {
    rows: rows
      .filter((row) => until === null || newestFirst(placeOf(row), until) <= 0)
      .sort((a, b) => newestFirst(placeOf(a), placeOf(b))),
    edge,
  };
}

function spanOf({ requestId, after, before }: RefusedSearch['filter'], from: RefusedPlace | null) {
  const ends = [
    ...(from === null ? [] : [from]),
    ...(before === null ? [] : [{ requestId: firstIdAt(prefix, before + slackMs), place: 0 }]),
    ...(requestId === null ? [] : [{ requestId, place: Number.MAX_SAFE_INTEGER }]),
  ].sort((a, b) => newestFirst(b, a));
  const end = ends[0] ?? { requestId: afterAllIds, place: 0 };
  const oldest = requestId ?? (after === null ? '' : firstIdAt(prefix, after - slackMs));
  return { before: end.requestId, before_place: end.place, after: oldest };
}

/** The numbers to search under; null = all, as a number may also be the sender. */
function numbersOf({ filter: { to, numbers }, ownNumbers }: RefusedSearch): string[] | null {
  if (to.length > 0) return [...new Set(to.flatMap(spellings))];
  if (numbers.length === 0 || numbers.some((one) => ownNumbers.includes(one))) return null;
  return [...new Set(numbers.flatMap(spellings))];
}

/** A North American number may lack its leading 1, which may be why it was refused. */
function spellings(number: string): string[] {
  return /^1[2-9]\d{9}$/.test(number) ? [number, number.slice(1)] : [number];
}

function fits({ filter, only, without }: RefusedSearch, row: RefusedLogRow): boolean {
  const digits = row.recipient.replace(/\D/g, '');
  const isTo = (number: string) => spellings(number).includes(digits);
  const any = <T>(wanted: readonly T[], is: (one: T) => boolean) => wanted.length === 0 || wanted.some(is);
  return (
    any(filter.to, isTo) &&
    any(filter.from, (one) => one === row.sender) &&
    any(filter.numbers, (one) => one === row.sender || isTo(one)) &&
    any(filter.codes, (one) => one === row.status) &&
    any(filter.keys, (one) => one === row.key_id || (one === portalKeyMark && isPortalKey(row.key_id))) &&
    (filter.reference === null || filter.reference === row.reference_id) &&
    (filter.type === null || filter.type === row.message_type) &&
    (filter.after === null || row.accepted_at >= filter.after) &&
    (filter.before === null || row.accepted_at < filter.before) &&
    row.has_text === 1 &&
    (only === undefined || only.includes(row.sender)) &&
    !without?.includes(row.sender)
  );
}

function newestFirst(a: RefusedPlace, b: RefusedPlace): number {
  if (a.requestId !== b.requestId) return a.requestId > b.requestId ? -1 : 1;
  return b.place - a.place;
}

function placeOf({ request_id: requestId, place }: RefusedLogRow): RefusedPlace {
  return { requestId, place };
}

function asListed(row: RefusedLogRow): ListedRefused {
  return {
    place: row.place,
    to: row.recipient,
    status: row.status,
    detail: row.detail,
    requestId: row.request_id,
    keyId: row.key_id,
    referenceId: row.reference_id,
    from: row.sender,
    acceptedAt: row.accepted_at,
  };
}
