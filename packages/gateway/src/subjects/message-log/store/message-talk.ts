/**
 * Finds messages between the account and one other number through the conversation tables, however old. Returns
 * candidates, which the caller checks.
 */
import { firstIdAt } from '../../../kernel/ids.ts';
import type { MessageSearch } from '../../../messaging/store/message-log-items.ts';
import type { ListedRow } from '../../../messaging/store/statements/message-log.ts';
import { selectRuns, selectTalk } from '../../../messaging/store/statements/message-log.ts';
import { type Operation, run } from '../../../store/query.ts';

/** Own numbers that are looked up one by one; with more, all messages are scanned instead. */
const ownMax = 20;
/** Runs of conversations read together: few at first, for pairs that write to each other all the time. */
const hops = [2, 16, 128, 1_024, 8_192] as const;
/** Ids read at one time for one own number. */
const idsMax = 2_000;
/** An id may be older than the run it is in, by the duration of a commit. */
const slackMs = 60_000;

/** Ids to search: before `before`, down to `after`. */
export interface Span {
  before: string;
  after: string;
}

/** Results, newest first: enough for a page and one more, unless they end before. */
export interface Found {
  rows: ListedRow[];
  /** How far the search went, if not to the end. */
  end: string | null;
}

export function newestFirst(a: string, b: string): number {
  return a < b ? 1 : a > b ? -1 : 0;
}

export interface Talk {
  own: readonly string[];
  peer: string;
}

/** Null unless the filter names exactly one number that is not the account's. */
export function talkOf({ filter, ownNumbers }: Pick<MessageSearch, 'filter' | 'ownNumbers'>): Talk | null {
  const isOwn = (number: string): boolean => ownNumbers.includes(number);
  const groups = [filter.to, filter.from, filter.numbers].filter((group) => group.length > 0);
  const foreign = groups.filter((group) => !group.some(isOwn));
  if (foreign.length !== 1 || foreign[0]!.length !== 1) return null;
  const named = groups.filter((group) => group !== foreign[0]).flat();
  const own = named.length > 0 ? named.filter(isOwn) : ownNumbers;
  return own.length === 0 || own.length > ownMax ? null : { own, peer: foreign[0]![0]! };
}

export function* readTalk(
  { limit }: MessageSearch,
  { own, peer }: Talk,
  span: Span,
  matching: (ids: readonly string[]) => Operation<Found>,
): Operation<Found> {
  const rows: ListedRow[] = [];
  let beforeRun = Number.MAX_SAFE_INTEGER;
  let { before } = span;
  let waiting: string[] = [];
  for (const count of hops) {
    const part = yield* readRuns({ beforeRun, hops: count, own, peer, before: span.before, after: span.after });
    waiting.push(...part.ids);
    const sure = waiting.filter((id) => id >= part.floor).sort(newestFirst);
    waiting = waiting.filter((id) => id < part.floor);
    const found = yield* matching(sure);
    rows.push(...found.rows);
    before = part.floor;
    if (rows.length > limit || part.run === null) return { rows, end: found.end };
    if (found.end !== null || part.cut) return { rows, end: found.end ?? before };
    beforeRun = part.run;
  }
  return { rows, end: before };
}

interface Runs extends Talk, Span {
  beforeRun: number;
  hops: number;
}

/** Ids of the next runs. Complete from `floor` on; `cut`: there are more before that. */
function* readRuns({ beforeRun, hops: count, own, peer, before, after }: Runs) {
  const [reach] = yield* run(selectRuns, [{ before_run: beforeRun, hops: count }]);
  const isLast = reach!.run === null || reach!.runs < count;
  // Messages in an earlier run were made before this one began, or a little later by another clock.
  let floor = isLast ? '' : firstIdAt('msg_', reach!.run! + slackMs);
  const ids: string[] = [];
  let cut = false;
  for (const number of own) {
    const params = { before_run: beforeRun, hops: count, own: number, peer, before, after, limit: idsMax };
    const found = yield* run(selectTalk, [params]);
    for (const { message_id } of found) ids.push(message_id);
    const oldest = found.at(-1)?.message_id ?? '';
    if (found.length < idsMax) continue;
    cut = true;
    if (oldest > floor) floor = oldest;
  }
  return { ids, floor, cut, run: isLast && !cut ? null : (reach!.run ?? 0) };
}
