/** Replaces `store/journal/journal.ts` when a test planted something; see plant.ts. */
import { openJournal as openReal } from '../../../packages/gateway/src/store/journal/journal.ts';
import { throughPlant } from './plant.ts';

export * from '../../../packages/gateway/src/store/journal/journal.ts';

export function openJournal(...given: Parameters<typeof openReal>): ReturnType<typeof openReal> {
  return throughPlant.journal(openReal(...given));
}
