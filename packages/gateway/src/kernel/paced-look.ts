/** A look that may take long is repeated the more seldom, the longer it takes. */
import type { Clock } from './clock.ts';

/** How long to rest after a look that took this long, so that looks take a two-hundredth of the time; at most `maxMs`. */
export const restAfter = (tookMs: number, maxMs: number): number => Math.min(maxMs, tookMs * 200);

/** The longest that an answer is used. */
const restMaxMs = 30_000;

/** The last answer, until it is older than 200 times what it took, or 30 s; then a new look. */
export function pacedLook<T>(clock: Pick<Clock, 'monotonicMs'>, look: () => Promise<T>): () => Promise<T> {
  let last: { answer: T; untilMs: number } | null = null;
  return async () => {
    const startedMs = clock.monotonicMs();
    if (last !== null && startedMs < last.untilMs) return last.answer;
    const answer = await look();
    const endedMs = clock.monotonicMs();
    last = { answer, untilMs: endedMs + restAfter(endedMs - startedMs, restMaxMs) };
    return answer;
  };
}
