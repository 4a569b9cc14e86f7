/** What the store is, in its own words. Changes nothing. */
import type { StoreFacts } from '../../domain/upkeep.ts';
import { type Operation, run } from '../query.ts';
import { selectNewestEventAt, selectPostgresFacts, selectSchema, selectSqliteFacts } from '../statements/upkeep.ts';

/** What the operator is shown of the database. */
export function* storeFacts(engine: StoreFacts['engine']): Operation<StoreFacts> {
  const [schema] = yield* run(selectSchema, [{}]);
  const [facts] = yield* run(engine === 'sqlite' ? selectSqliteFacts : selectPostgresFacts, [{}]);
  return { engine, schemaVersion: schema!.version, engineVersion: facts!.version, bytes: facts!.bytes };
}

/** Of so many: they stand in the order of their commits, which is nearly that of their times. */
const latestEvents = 1_000;

export function* newestEventAt(): Operation<number | null> {
  const [found] = yield* run(selectNewestEventAt, [{ limit: latestEvents }]);
  return found?.at ?? null;
}
