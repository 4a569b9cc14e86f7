/**
 * Requests take turns: only so many are stored at once, and the rest wait in line, for a bounded time. Without it, under
 * overload, acceptance takes the processor from sending, and a thousand requests are in memory half done.
 */
import type { Clock } from '../../kernel/clock.ts';
import { createFifo } from '../../kernel/passing.ts';
import { StoreUnavailable } from '../../store/faults.ts';

/** More gain nothing: they would share the same commits. */
const atOnceMax = 64;
/**
 * While others wait, no more recipients are stored at once, unless a single request has more: the commits of sent messages, which
 * free the carriers' windows, wait behind them.
 */
const recipientsAtOnceMax = 256;
/** Requests in line; above it they are refused at once. */
const lineMax = 2_000;
/** The longest a request waits in line: as long as for a store that hangs. */
const waitMaxMs = 5_000;

interface Waiter {
  recipients: number;
  since: number;
  enter: () => void;
  refuse: (error: StoreUnavailable) => void;
}

export interface AcceptLine {
  /** Runs `work`, for so many recipients, when it is its turn. Rejects with StoreUnavailable, without running it, when too many wait, or too long. */
  inTurn<T>(recipients: number, work: () => Promise<T>): Promise<T>;
}

export function createAcceptLine(clock: Pick<Clock, 'monotonicMs' | 'after'>): AcceptLine {
  const line = createFifo<Waiter>();
  let inside = 0;
  let recipientsInside = 0;
  let isWatched = false;

  function wait(recipients: number): Promise<void> {
    if (line.size >= lineMax) return Promise.reject(tooMany());
    return new Promise((enter, refuse) => {
      line.push({ recipients, since: clock.monotonicMs(), enter, refuse });
      watch();
    });
  }

  function enter(recipients: number): void {
    inside += 1;
    recipientsInside += recipients;
  }

  function leave(recipients: number): void {
    inside -= 1;
    recipientsInside -= recipients;
    for (let next = line.first(); next !== undefined; next = line.first()) {
      const isRoom = inside < atOnceMax && recipientsInside + next.recipients <= recipientsAtOnceMax;
      if (!isRoom && inside > 0) return;
      line.shift();
      enter(next.recipients);
      next.enter();
    }
  }

  /** Refuses those whose time is over, while anybody waits. */
  function watch(): void {
    const first = line.first();
    if (isWatched || first === undefined) return;
    isWatched = true;
    clock.after(first.since + waitMaxMs - clock.monotonicMs(), () => {
      isWatched = false;
      refuseLate();
      watch();
    });
  }

  function refuseLate(): void {
    const latest = clock.monotonicMs() - waitMaxMs;
    for (let first = line.first(); first !== undefined && first.since <= latest; first = line.first()) {
      line.shift();
      first.refuse(tooMany());
    }
  }

  async function run<T>(recipients: number, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      leave(recipients);
    }
  }

  return {
    inTurn: (recipients, work) => {
      if (inside >= atOnceMax || line.size > 0) return wait(recipients).then(() => run(recipients, work));
      enter(recipients);
      return run(recipients, work);
    },
  };
}

function tooMany(): StoreUnavailable {
  return new StoreUnavailable('busy', 'more requests come than can be stored');
}
