/**
 * Counts what campaigns and brands have sent: segments and MMS of the last minute, with the queue of waiting messages,
 * and of the day.
 */
import type { Clock, EpochMs } from '../../kernel/clock.ts';
import { createMinuteWindow, type MinuteWindow } from '../../kernel/minute-window.ts';
import type { MessageKind } from '../../model/records.ts';
import { type CapDay, capDay } from './pacing-limits.ts';

/** What one campaign sends of one kind, and who waits for a turn. */
export interface PaceQueue {
  window: MinuteWindow;
  /** The next free turn, monotonic ms. */
  freeAtMs: number;
  /** `acceptedAt` of the youngest message with an assigned turn. */
  youngest: EpochMs;
  warnedAtMs: number;
}

export function createPaceQueues() {
  const queues = new Map<string, Map<MessageKind, PaceQueue>>();
  return {
    of: (queueKey: string, kind: MessageKind): PaceQueue => {
      const kinds = queues.get(queueKey) ?? new Map<MessageKind, PaceQueue>();
      queues.set(queueKey, kinds);
      const queue = kinds.get(kind) ?? {
        window: createMinuteWindow(),
        freeAtMs: 0,
        youngest: 0,
        warnedAtMs: Number.NEGATIVE_INFINITY,
      };
      kinds.set(kind, queue);
      return queue;
    },
    forget: (queueKey: string): void => void queues.delete(queueKey),
    /** Slots assigned under another limit are void. */
    newOrder: (queueKey: string): void => {
      for (const queue of queues.get(queueKey)?.values() ?? []) Object.assign(queue, { freeAtMs: 0, youngest: 0 });
    },
  };
}

/** The counts of the current day. */
export function createDay(clock: Clock) {
  let today = capDay(clock.now());
  let counts = new Map<string, number>();

  function current(): CapDay {
    const now = clock.now();
    // A clock set back by less than a day does not start the old day again.
    if (now >= today.endsAt || now < today.startsAt - (today.endsAt - today.startsAt)) {
      today = capDay(now);
      counts = new Map();
    }
    return today;
  }

  return {
    current,
    used: (key: string): number => {
      current();
      return counts.get(key) ?? 0;
    },
    add: (key: string, units: number): number => {
      current();
      const sum = Math.max(0, (counts.get(key) ?? 0) + units);
      counts.set(key, sum);
      return sum;
    },
    forget: (key: string): void => void counts.delete(key),
  };
}
