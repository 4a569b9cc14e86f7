/**
 * Requests take turns: only so many are stored at once, and the rest queue, for a bounded time. Without the queue, under
 * overload, acceptance takes the processor from sending, and a thousand requests are in memory half done.
 */
import type { Clock } from '../../kernel/clock.ts';
import { createFifo } from '../../kernel/passing.ts';
import { StoreUnavailable } from '../../store/faults.ts';
import { createSendingFirst, type SendingFigures } from './sending-first.ts';

/** More gain nothing: they would share the same commits. */
const atOnceMax = 64;
/**
 * While others wait, no more recipients are stored at once, unless a single request has more: the commits of sent messages, which
 * free the carriers' windows, wait behind them.
 */
const recipientsAtOnceMax = 256;
/** Requests in the queue; above it they are refused at once. */
const queueMax = 2_000;
/** A request that would wait longer, at the speed of the queue, is refused at once. */
const expectedMsMax = 500;
/** The longest a request waits in the queue: as long as for a store that hangs. */
const waitMaxMs = 5_000;
/** The longest while sending goes first: requests that a burst left in the queue would wait for seconds at the speed of sending. */
const heldWaitMaxMs = 700;
/** A longer gap between two requests that leave is a pause of the store, and does not count as the speed of the queue. */
const gapMsMax = 100;
/** The speed of the queue is measured over about this many recipients. */
const recipientsMeasured = 4_000;

interface Waiter {
  recipients: number;
  since: number;
  enter: () => void;
  refuse: (error: StoreUnavailable) => void;
}

export interface AcceptQueue {
  /** Runs `work`, for so many recipients, when it is its turn. Rejects with StoreUnavailable, without running it, when too many wait, or too long. */
  inTurn<T>(recipients: number, work: () => Promise<T>): Promise<T>;
  /** Whether one more would be refused at once. */
  isFull(): boolean;
}

export function createAcceptQueue(
  clock: Pick<Clock, 'monotonicMs' | 'after'>,
  sending: () => SendingFigures,
): AcceptQueue {
  const queue = createFifo<Waiter>();
  const sendingFirst = createSendingFirst(clock, sending, () => {
    refuseLate(heldWaitMaxMs);
    letIn();
  });
  let inside = 0;
  let recipientsInside = 0;
  let recipientsQueued = 0;
  let isWatched = false;
  /** Recipients that left while others waited, and how long that took. */
  const speed = { recipients: 0, ms: 0, atMs: 0 };

  function isFull(): boolean {
    if (queue.size >= queueMax) return true;
    return queue.size > 0 && recipientsQueued * speed.ms > expectedMsMax * speed.recipients && speed.recipients > 0;
  }

  function wait(recipients: number): Promise<void> {
    if (isFull()) return Promise.reject(tooMany());
    return new Promise((enter, refuse) => {
      const since = clock.monotonicMs();
      if (queue.size === 0) speed.atMs = since;
      queue.push({ recipients, since, enter, refuse });
      recipientsQueued += recipients;
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
    if (queue.size === 0) return;
    measure(recipients);
    letIn();
  }

  function measure(recipients: number): void {
    const now = clock.monotonicMs();
    const fade = recipientsMeasured / (recipientsMeasured + recipients);
    speed.recipients = speed.recipients * fade + recipients;
    speed.ms = speed.ms * fade + Math.min(gapMsMax, now - speed.atMs);
    speed.atMs = now;
  }

  function letIn(): void {
    for (let next = queue.first(); next !== undefined; next = queue.first()) {
      const fits = inside < atOnceMax && recipientsInside + next.recipients <= recipientsAtOnceMax;
      if ((!fits && inside > 0) || !sendingFirst.mayEnter(next.recipients)) return;
      take();
      enter(next.recipients);
      next.enter();
    }
  }

  /** Takes the first out of the queue. */
  function take(): void {
    recipientsQueued -= queue.shift()!.recipients;
  }

  /** Refuses requests that have waited too long, while any wait. */
  function watch(): void {
    const first = queue.first();
    if (isWatched || first === undefined) return;
    isWatched = true;
    clock.after(first.since + waitMaxMs - clock.monotonicMs(), () => {
      isWatched = false;
      refuseLate(waitMaxMs);
      watch();
    });
  }

  function refuseLate(afterMs: number): void {
    const latest = clock.monotonicMs() - afterMs;
    for (let first = queue.first(); first !== undefined && first.since <= latest; first = queue.first()) {
      take();
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
      if (inside >= atOnceMax || queue.size > 0) return wait(recipients).then(() => run(recipients, work));
      enter(recipients);
      return run(recipients, work);
    },
    isFull,
  };
}

function tooMany(): StoreUnavailable {
  return new StoreUnavailable('busy', 'more requests come than can be stored');
}
