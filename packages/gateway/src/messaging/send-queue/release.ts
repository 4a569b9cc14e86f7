/** Makes messages due that waited for a limit or a time, page by page. The caller chooses which ones. */
import type { Clock } from '../../kernel/clock.ts';
import type { OutcomeCode } from '../../model/reason.ts';
import type { PacingStore } from '../store/modules/pacing.ts';
import type { StoreRetry } from './store-retry.ts';

/** Messages per look. */
const pageMax = 1_000;

type WaitingRequest = Parameters<PacingStore['waitingFor']>[0];
export type WaitingMessage = Awaited<ReturnType<PacingStore['waitingFor']>>['waiting'][number];

export interface ReleaseParts {
  clock: Pick<Clock, 'now'>;
  store: Pick<PacingStore, 'waitingFor' | 'makeDue'>;
}

/** Makes the chosen messages due among those that wait with one of these codes. Returns how many; fewer if stopped. */
export async function release(
  { clock, store }: ReleaseParts,
  retry: StoreRetry,
  codes: readonly OutcomeCode[],
  chosen: (waiting: WaitingMessage) => boolean,
): Promise<number> {
  const now = clock.now();
  let due = 0;
  for (let after: WaitingRequest['after'] = null; !retry.stopped(); ) {
    const request: WaitingRequest = { codes, now, after, limit: pageMax };
    const page = await retry.untilAvailable(() => store.waitingFor(request));
    if (page === null) break;
    const ids = page.waiting.filter(chosen).map(({ messageId }) => messageId);
    if (ids.length > 0) due += (await retry.untilAvailable(() => store.makeDue(ids, clock.now()))) ?? 0;
    after = page.next;
    if (after === null) break;
  }
  return due;
}
