/**
 * The outbox of one MMS side of the sandbox: reports, responses and messages from handsets, due now or later. A few are
 * sent at a time; those that the gateway cannot accept now are retried a few times with growing waits. Bounded in
 * number and bytes.
 */

import { createFifo } from './fifo.ts';
import type { Clock, Logger } from './machine.ts';
import { createTimers } from './timers.ts';

/** The result of one attempt. `later`: not accepted now, or unknown. `never`: refused permanently. */
export type Posted = 'taken' | 'later' | 'never';
/** One attempt over the wire; it must end soon after `signal` aborts. A rejection counts as `later`. */
export type Post = (signal: AbortSignal) => Promise<Posted>;

export interface MmsOutboxLimits {
  /** Entries scheduled, queued, under way and waiting for a retry together. */
  heldMax: number;
  heldBytesMax: number;
  /** Attempts under way at a time. */
  postsMax: number;
  tryTimeoutMs: number;
  triesMax: number;
  repeatFirstMs: number;
}

export const defaultMmsOutboxLimits: MmsOutboxLimits = {
  heldMax: 10_000,
  heldBytesMax: 64 * 1024 * 1024,
  postsMax: 8,
  tryTimeoutMs: 15_000,
  triesMax: 6,
  repeatFirstMs: 1_000,
};

export interface MmsOutbox {
  /** Whether this many more entries with this many bytes in total fit. */
  hasRoom(entries: number, bytes?: number): boolean;
  /** Calls `make` after `delayMs` and posts the result. The caller must have checked `hasRoom`. */
  after(delayMs: number, bytes: number, make: () => Post | null): void;
  post(post: Post, bytes?: number): void;
  /** Drops everything and ends attempts under way. */
  stop(): void;
}

interface Entry {
  post: Post;
  bytes: number;
  tries: number;
}

export function createMmsOutbox(
  { clock, logger }: { clock: Clock; logger: Logger },
  limits: MmsOutboxLimits = defaultMmsOutboxLimits,
): MmsOutbox {
  const queue = createFifo<Entry>();
  const timers = createTimers(clock);
  const stopping = new AbortController();
  let held = 0;
  let heldBytes = 0;
  let underWay = 0;

  function hold(entries: 1 | -1, bytes: number): void {
    held += entries;
    heldBytes += entries * bytes;
  }

  function settle(entry: Entry, posted: Posted): void {
    const tries = entry.tries + 1;
    if (posted === 'later' && tries < limits.triesMax) {
      timers.after(limits.repeatFirstMs * 2 ** entry.tries, () => enqueue({ ...entry, tries }));
      return;
    }
    hold(-1, entry.bytes);
    if (posted !== 'taken') logger.warn({ tries, posted }, 'the gateway did not take what the sandbox had for it');
  }

  async function attempt(entry: Entry): Promise<void> {
    const timeout = new AbortController();
    const cancel = clock.after(limits.tryTimeoutMs, () => timeout.abort());
    const posted = await entry.post(AbortSignal.any([timeout.signal, stopping.signal])).catch((err) => {
      if (!stopping.signal.aborted) logger.info({ err }, 'the sandbox did not reach the gateway');
      return 'later' as const;
    });
    cancel();
    underWay--;
    if (stopping.signal.aborted) return;
    settle(entry, posted);
    pump();
  }

  function pump(): void {
    while (queue.size > 0 && underWay < limits.postsMax && !stopping.signal.aborted) {
      underWay++;
      void attempt(queue.shift()!);
    }
  }

  function enqueue(entry: Entry): void {
    queue.push(entry);
    pump();
  }

  function post(one: Post, bytes = 0): void {
    hold(1, bytes);
    enqueue({ post: one, bytes, tries: 0 });
  }

  return {
    hasRoom: (entries, bytes = 0) =>
      held + entries <= limits.heldMax && heldBytes + bytes <= limits.heldBytesMax && !stopping.signal.aborted,
    after: (delayMs, bytes, make) => {
      hold(1, bytes);
      timers.after(delayMs, () => {
        hold(-1, bytes);
        const made = make();
        if (made !== null) post(made);
      });
    },
    post,
    stop: () => {
      stopping.abort();
      timers.cancelAll();
    },
  };
}
