/** Replaces `store/sqlite-connection.ts` when a test planted something; see plant.ts. */
import { openSqliteWriter as openReal } from '../../../packages/gateway/src/store/sqlite-connection.ts';
import { throughPlant } from './plant.ts';

export * from '../../../packages/gateway/src/store/sqlite-connection.ts';

export function openSqliteWriter(...given: Parameters<typeof openReal>): ReturnType<typeof openReal> {
  return throughPlant.connection(openReal(...given));
}
