/** Treats every waiting message of a store that was restored from a dump, or of a promoted standby. */
import type { Past, WaitingStep, WaitingWay } from '../messaging/store/operations/restored.ts';
import { stepRows } from '../store/hook.ts';
import type { Store } from './store.ts';

/** Returns their number. After a kill, the next call continues with the rest. */
export async function treatAllWaiting(
  store: Pick<Store, 'treatWaiting'>,
  way: WaitingWay,
  past: Past,
): Promise<number> {
  let treated = 0;
  for (let after: string | null = ''; after !== null; ) {
    const step: WaitingStep = await store.treatWaiting({ way, past, after, limit: stepRows });
    treated += step.done;
    after = step.cursor;
  }
  return treated;
}
