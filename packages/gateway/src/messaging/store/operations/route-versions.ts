/** The routing rules after each change, and the most recently sent messages to test a draft on. */
import type { Route } from '../../../model/records.ts';
import { type Operation, run } from '../../../store/query.ts';
import { raise } from '../../../store/system/statements.ts';
import type { RouteVersion, SentMessage } from '../records-items.ts';
import {
  deleteRouteVersions,
  insertRouteVersion,
  selectNewestSent,
  selectRouteVersions,
} from '../statements/records.ts';

const counter = 'route_version';
/** Versions kept. */
const versionsMax = 200;
/** Rows read per wanted message, because received messages lie between the sent ones. */
const lookPerMessage = 5;

/** Stores the rules. The first change also stores the rules before it. */
export function* keepRouteVersion(
  before: readonly string[],
  after: readonly string[],
  { who, now }: { who: string; now: number },
): Operation<void> {
  const isFirst = (yield* run(selectRouteVersions, [{ limit: 1 }])).length === 0;
  if (isFirst && before.length > 0) yield* keep(before, { who: '', now });
  yield* keep(after, { who, now });
}

function* keep(bodies: readonly string[], { who, now }: { who: string; now: number }): Operation<void> {
  const [raised] = yield* run(raise, [{ name: counter }]);
  const version = raised!.value;
  yield* run(insertRouteVersion, [{ version, at: now, who, body: `[${bodies.join(',')}]` }]);
  yield* run(deleteRouteVersions, [{ upto: version - versionsMax }]);
}

/** The newest first; the last 200 are kept. */
export function* routeVersions(limit: number): Operation<RouteVersion[]> {
  const rows = yield* run(selectRouteVersions, [{ limit }]);
  return rows.map(({ version, at, who, body }) => ({ version, at, who, routes: JSON.parse(body) as Route[] }));
}

/** The newest sent messages over all accounts, newest first. May be fewer if many messages are received. */
export function* newestSent(limit: number): Operation<SentMessage[]> {
  const rows = yield* run(selectNewestSent, [{ look: limit * lookPerMessage, limit }]);
  return rows.map((row) => ({
    messageId: row.message_id,
    from: row.sender,
    to: row.recipient,
    kind: row.message_type,
  }));
}
