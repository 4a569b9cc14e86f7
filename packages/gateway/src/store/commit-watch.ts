/** Shows what was committed to a watcher that counts: after the commit, once for each group. */
import type { Clock } from '../kernel/clock.ts';
import type { WriteCall } from './catalogue.ts';
import { CommitInDoubt, type Engine } from './engine.ts';

export interface CommitWatch {
  /** Must not throw. `results` per call and item; `tookMs`: from handing the group to the engine to its commit. */
  committed(calls: readonly WriteCall[], results: readonly (readonly unknown[])[], tookMs: number): void;
}

/** Both see all of it, in this order. */
export function watchedBy(...watches: readonly CommitWatch[]): CommitWatch {
  return {
    committed: (calls, results, tookMs) => {
      for (const watch of watches) watch.committed(calls, results, tookMs);
    },
  };
}

/** The same engine, watched. A commit in doubt is shown once it is known to be stored. */
export function watchCommits(engine: Engine, watch: CommitWatch, { monotonicMs }: Pick<Clock, 'monotonicMs'>): Engine {
  return {
    ...engine,
    async commit(calls) {
      const startedMs = monotonicMs();
      const seen = (results: unknown[][]): unknown[][] => {
        watch.committed(calls, results, monotonicMs() - startedMs);
        return results;
      };
      try {
        return seen(await engine.commit(calls));
      } catch (error) {
        if (error instanceof CommitInDoubt) throw new CommitInDoubt(error.outcome.then(seen));
        throw error;
      }
    },
  };
}
