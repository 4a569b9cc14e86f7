/** Whether the gateway is unreachable, and how old the page is. */
import { useEffect, useSyncExternalStore } from 'react';
import type { LiveState } from './stream';

/** A connection that returns within this time is not reported as lost. */
const patienceMs = 2_500;

let connection: LiveState = 'reconnecting';
let isAway = false;
let timer: ReturnType<typeof setTimeout> | null = null;
/** One entry for each part of the page that shows data: when the data was read. */
const readTimes = new Map<symbol, number>();
const listeners = new Set<() => void>();

function changed(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Set by the follower of the stream, as often as it likes; the time counts from the first loss. */
export function connectionIs(now: LiveState): void {
  connection = now;
  if (now === 'live') {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    isAway = false;
  } else {
    timer ??= setTimeout(() => {
      isAway = true;
      changed();
    }, patienceMs);
  }
  changed();
}

/** The stream itself: a person's pause is not a loss. */
export function useConnection(): LiveState {
  return useSyncExternalStore(subscribe, () => connection);
}

export function isKnownAway(): boolean {
  return isAway;
}

export function useIsAway(): boolean {
  return useSyncExternalStore(subscribe, isKnownAway);
}

/** Reports when the shown data was read; 0 while there is none. */
export function useReadTime(readAt: number): void {
  useEffect(() => (readAt > 0 ? keepReadTime(readAt) : undefined), [readAt]);
}

/** Until the returned function is called. */
export function keepReadTime(readAt: number): () => void {
  const key = Symbol();
  readTimes.set(key, readAt);
  changed();
  return () => {
    readTimes.delete(key);
    changed();
  };
}

/** When the oldest of the shown data was read; null when nothing is shown. */
export function oldestReadTime(): number | null {
  return readTimes.size === 0 ? null : Math.min(...readTimes.values());
}

export function useOldestReadTime(): number | null {
  return useSyncExternalStore(subscribe, oldestReadTime);
}
