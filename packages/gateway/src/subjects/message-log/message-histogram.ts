/** `GET /message-histogram`: the results of a message search, counted over time. */
import { isoTime } from '../../http/envelope.ts';
import { success } from '../../http/exchange.ts';
import type { PortalRoutes } from '../../http/portal/portal-guard.ts';
import { textQueries } from '../../http/query-fields.ts';
import { answers } from '../../http/route.ts';
import type { RouteDeps } from '../../http/server.ts';
import { counted } from '../../kernel/counted.ts';
import { barsOf, stepOf } from '../../model/histogram.ts';
import { searchOf } from './message-list.ts';
import { messageHistogram } from './message-log-shapes.ts';
import type { MessageLogStore } from './store/module.ts';

/** Messages of each direction that are read: as many as the list reads for a page. */
const look = 10_000;

export function addHistogram(
  routes: PortalRoutes,
  store: Pick<MessageLogStore, 'countMessages'>,
  { directory, clock }: Pick<RouteDeps, 'directory' | 'clock'>,
): void {
  routes.add({
    method: 'GET',
    path: '/message-histogram',
    access: 'read',
    query: textQueries({ q: 'In the search language of the message log.' }),
    answer: answers(messageHistogram, 'The messages that the search finds, counted over time'),
    work: async (call) => {
      const { search, problems } = searchOf(call, directory(), call.query.q ?? '');
      const { counts, countedTo } = await store.countMessages({ ...search, look });
      const { after, before } = search.filter;
      const until = Math.min(before ?? clock.now(), clock.now());
      const oldest = counts.reduce((least, { at }) => Math.min(least, at), until);
      // When the caller requested a time without messages, the empty range is shown too.
      const from = Math.min(Math.max(after ?? oldest, countedTo ?? 0), until);
      const stepMs = stepOf(from, until);
      const bars = counts.length === 0 ? [] : barsOf(counts, from, until, stepMs);
      const count = counts.reduce((sum, one) => sum + one.count, 0);
      return success(`${counted(count, 'message')}.`, {
        from: isoTime(from),
        until: isoTime(until),
        stepMs,
        bars: bars.map((bar) => ({ ...bar, at: isoTime(bar.at) })),
        count,
        countedTo: countedTo === null ? null : isoTime(countedTo),
        problems,
      });
    },
  });
}
