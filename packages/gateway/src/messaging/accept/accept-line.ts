/**
 * Requests take turns: only so many are stored at once, and the rest wait in line, for a bounded time. Without it, under
 * overload, acceptance takes the processor from sending, and a thousand requests are in memory half done.
 */
import type { Clock } from '../../kernel/clock.ts';
import { createFifo } from '../../kernel/passing.ts';
import { StoreUnavailable } from '../../store/faults.ts';

/** More gain nothing: they would share the same commits. */
const atOnceMax = 64;
/** Requests in line; above it they are refused at once. */
const lineMax = 2_000;
/** The longest a request waits in line: as long as for a store that hangs. */
const waitMaxMs = 5_000;

interface Waiter {
  since: number;
  enter: () => void;
  refuse: (error: StoreUnavailable) => void;
}

export interface AcceptLine {
  /** Runs `work` when it is its turn. Rejects with StoreUnavailable, without running it, when too many wait, or too long. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
}

export function createAcceptLine(clock: Pick<Clock, 'monotonicMs' | 'after'>): AcceptLine {
  const line = createFifo<Waiter>();
  let inside = 0;
  let isWatched = false;

  function wait(): Promise<void> {
    if (line.size >= lineMax) return Promise.reject(tooMany());
    return new Promise((enter, refuse) => {
      line.push({ since: clock.monotonicMs(), enter, refuse });
      watch();
    });
  }

  function leave(): void {
    const next = line.shift();
    if (next === undefined) inside -= 1;
    else next.enter();
  }

  /** Refuses those whose time is over, while anybody waits. */
  function watch(): void {
    const first = isWatched ? undefined : line.shift();
    if (first === undefined) return;
    line.putBack(first);
    isWatched = true;
    clock.after(first.since + waitMaxMs - clock.monotonicMs(), () => {
      isWatched = false;
      refuseLate();
      watch();
    });
  }

  function refuseLate(): void {
    const latest = clock.monotonicMs() - waitMaxMs;
    let first = line.shift();
    for (; first !== undefined && first.since <= latest; first = line.shift()) first.refuse(tooMany());
    if (first !== undefined) line.putBack(first);
  }

  async function run<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      leave();
    }
  }

  return {
    inTurn: (work) => {
      if (inside >= atOnceMax) return wait().then(() => run(work));
      inside += 1;
      return run(work);
    },
  };
}

function tooMany(): StoreUnavailable {
  return new StoreUnavailable('busy', 'more requests come than can be stored');
}
