/** Stands in for `store/open.ts` when a test planted something; see plant.ts. */
import { openStore as openReal } from '../../../packages/gateway/src/store/open.ts';
import { throughPlant } from './plant.ts';

export * from '../../../packages/gateway/src/store/open.ts';

export async function openStore(...given: Parameters<typeof openReal>): ReturnType<typeof openReal> {
  return throughPlant.store(await openReal(...given));
}
