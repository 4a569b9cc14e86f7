/** Replaces `app/open-store.ts` when a test planted something; see plant.ts. */
import { openStore as openReal } from '../../../packages/gateway/src/app/open-store.ts';
import { throughPlant } from './plant.ts';

export * from '../../../packages/gateway/src/app/open-store.ts';

export async function openStore(...given: Parameters<typeof openReal>): ReturnType<typeof openReal> {
  return throughPlant.store(await openReal(...given));
}
