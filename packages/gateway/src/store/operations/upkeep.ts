/** What the store is, in its own words. Changes nothing. */
import type { StoreFacts } from '../../domain/upkeep.ts';
import { type Operation, run } from '../query.ts';
import { selectPostgresFacts, selectSchema, selectSqliteFacts } from '../statements/upkeep.ts';

export function* storeFacts(engine: StoreFacts['engine']): Operation<StoreFacts> {
  const [schema] = yield* run(selectSchema, [{}]);
  const [facts] = yield* run(engine === 'sqlite' ? selectSqliteFacts : selectPostgresFacts, [{}]);
  return { engine, schemaVersion: schema!.version, engineVersion: facts!.version, bytes: facts!.bytes };
}
