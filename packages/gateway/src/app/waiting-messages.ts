/** Treats every message that waits in a store of the past: a restored dump, or a standby that was promoted. */
import type { Past, WaitingStep, WaitingWay } from '../messaging/store/operations/restored.ts';
import { stepRows } from '../store/hook.ts';
import type { Store } from './store.ts';

/** How many there were. After a kill in between, the next call goes on with the rest. */
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
