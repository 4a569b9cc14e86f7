/**
 * Counts the results of a message search over time. Reads a bounded number of messages, through an index or from the
 * newest backwards, and reports how far back it counted.
 */
import type { EpochMs } from '../../../kernel/clock.ts';
import { idTime } from '../../../kernel/ids.ts';
import type {
  MessageCounts,
  MessageCountsQuery,
  MessageSearch,
  MessageSearchPage,
} from '../../../messaging/store/message-log-items.ts';
import { selectCounted } from '../../../messaging/store/statements/message-log.ts';
import type { CountedAt } from '../../../model/histogram.ts';
import { wantsOnlyRefused } from '../../../model/message-search.ts';
import { type Operation, run } from '../../../store/query.ts';
import { talkOf } from './message-talk.ts';
import { directionsOf, edgeOf, endId, filterRow, isScarce, searchMessages, spanOf } from './operations.ts';

/** Pages of an index that are counted, and messages of each. */
const pagesMax = 4;
const pageRows = 500;

export function* countMessages({ look, ...request }: MessageCountsQuery): Operation<MessageCounts> {
  const search = { ...request, before: null, after: null, limit: pageRows };
  if (wantsOnlyRefused(request.filter)) return { counts: [], countedTo: null };
  return isNarrow(search) ? yield* countPages(search) : yield* countRange(search, look);
}

/** Whether an index leads to the messages, so that a search finds or reads only few. */
function isNarrow(search: MessageSearch): boolean {
  const { messageIds, requestId, reference, states } = search.filter;
  if (messageIds.length > 0 || requestId !== null || reference !== null || talkOf(search) !== null) return true;
  return states.length > 0 && states.every(isScarce);
}

function* countPages(search: MessageSearch): Operation<MessageCounts> {
  const counts: CountedAt[] = [];
  let before: string | null = null;
  let countedTo: EpochMs | null = null;
  for (let page = 0; page < pagesMax; page++) {
    const found: MessageSearchPage = yield* searchMessages({ ...search, before });
    for (const { acceptedAt, messageId, state } of found.messages) {
      counts.push({ at: idTime(messageId) ?? acceptedAt, state, count: 1 });
    }
    before = found.next;
    countedTo = before === null ? null : idTime(endId(before));
    if (before === null) break;
  }
  return { counts, countedTo };
}

/** Ordered by the time within their ids, like `after:` and `before:` of the search. */
function* countRange(search: MessageSearch, look: number): Operation<MessageCounts> {
  const span = yield* spanOf(search);
  if (span === null) return { counts: [], countedTo: null };
  const directions = directionsOf(search.filter);
  const edge = yield* edgeOf(search.accountId, directions, span, look);
  const params = filterRow(search);
  const counts: CountedAt[] = [];
  for (const direction of directions) {
    const range = { account_id: search.accountId, direction, before: span.before, after: edge ?? span.after };
    const rows = yield* run(selectCounted, [{ ...range, ...params }]);
    for (const { time, state, found } of rows) {
      const at = idTime(endId(`msg_${time}`));
      if (at !== null) counts.push({ at, state, count: found });
    }
  }
  return { counts, countedTo: edge === null ? null : idTime(endId(edge)) };
}
