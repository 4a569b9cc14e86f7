/** Live updates: passes the events of the stream to the query cache and to listening pages. */
import type { QueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { connectionIs } from './away';
import { api } from './client';
import { leaveSignedOut } from './signed-out';
import { followStream, type LiveData, type LiveState, type LiveType, type StreamMessage } from './stream';

type Listener = (type: LiveType, data: LiveData) => void;

const listeners = new Set<Listener>();
/** Called for pages that must refetch because they may have missed events. */
const missListeners = new Set<() => void>();
const stateListeners = new Set<() => void>();
let connection: LiveState = 'reconnecting';
let paused = false;

/** The queries that an event makes stale, by the first word of the query key. */
const touched: Readonly<Record<LiveType, readonly string[]>> = {
  message: ['home', 'messages', 'message', 'conversations', 'conversation', 'usage'],
  contact: ['contacts', 'optOuts', 'opt-outs', 'conversations', 'conversation', 'audit'],
  carrier: ['carriers', 'home', 'message'],
  records: [
    'numbers',
    'campaigns',
    'campaign',
    'brands',
    'keys',
    'endpoints',
    'carriers',
    'routes',
    'accounts',
    'company',
    'home',
    'audit',
  ],
  handset: ['handsets', 'handset'],
  conversation: ['conversations', 'conversation', 'audit'],
  // Pages that show it read it from the event.
  presence: [],
  request: ['requests'],
  webhook: ['deliveries', 'delivery', 'endpoints', 'home'],
};

/** At most one refetch of a kind in this time, because events come in bursts. */
const calmMs = 400;

/**
 * After a gap everything is refetched, at most once in this time. Thousands of events a second leave one gap after the other, and
 * several pages of one person would use up the requests that they may send.
 */
export const gapCalmMs = 5_000;

/** Lists that a person is reading are not refetched: they update their rows themselves, and offer new ones. */
export const staysPut = { staysPut: true } as const;

/** Refetches everything shown, except those lists: they refresh only the rows they show. */
export function readAgain(client: QueryClient, isStale: (name: string) => boolean = () => true): void {
  void client.invalidateQueries({
    predicate: ({ queryKey, meta }) => meta?.staysPut !== true && isStale(String(queryKey[0])),
  });
}

function missed(): void {
  for (const listener of missListeners) listener();
}

export function startLive(client: QueryClient): () => void {
  const stale = new Set<string>();
  let everLive = false;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let gapTimer: ReturnType<typeof setTimeout> | null = null;
  let gapReadAtMs = Number.NEGATIVE_INFINITY;

  function refresh(): void {
    timer = null;
    const keys = new Set(stale);
    stale.clear();
    readAgain(client, (name) => keys.has(name));
  }

  function fillGap(): void {
    gapTimer = null;
    gapReadAtMs = performance.now();
    readAgain(client);
    missed();
  }

  function mark(names: readonly string[]): void {
    for (const name of names) stale.add(name);
    timer ??= setTimeout(refresh, calmMs);
  }

  function take(message: StreamMessage): void {
    if (message.kind === 'state') {
      connection = message.state;
      connectionIs(connection);
      for (const listener of stateListeners) listener();
      // Events between a page's first fetch and the start of the stream are never sent.
      if (message.state === 'live' && !everLive) {
        everLive = true;
        mark(Object.values(touched).flat());
        missed();
      }
    } else if (message.kind === 'ended') {
      leaveSignedOut();
    } else if (message.kind === 'refused') {
      // A stream gives no reason; another request does, and the frame handles it.
      void api.get('/me').catch(() => undefined);
    } else if (message.kind === 'gap') {
      if (paused) return;
      gapTimer ??= setTimeout(fillGap, Math.max(calmMs, gapReadAtMs + gapCalmMs - performance.now()));
    } else if (!paused) {
      mark(touched[message.type]);
      for (const listener of listeners) listener(message.type, message.data);
    }
  }

  // A stream that never connects reports nothing.
  connectionIs(connection);
  const close = connect(take);
  return () => {
    close();
    for (const one of [timer, gapTimer]) if (one !== null) clearTimeout(one);
  };
}

function connect(take: (message: StreamMessage) => void): () => void {
  if (typeof SharedWorker === 'undefined') {
    const stream = followStream(take);
    return () => stream.close();
  }
  const worker = new SharedWorker(new URL('./live-worker.ts', import.meta.url), { type: 'module', name: 'helio-live' });
  worker.port.onmessage = ({ data }) => take(data as StreamMessage);
  worker.port.start();
  const bye = () => worker.port.postMessage('bye');
  addEventListener('pagehide', bye);
  return () => {
    removeEventListener('pagehide', bye);
    bye();
    worker.port.close();
  };
}

/** Pauses and resumes live updates (WCAG 2.2.2). */
export function setPaused(value: boolean, client: QueryClient): void {
  paused = value;
  for (const listener of stateListeners) listener();
  if (value) return;
  readAgain(client);
  missed();
}

export function isPaused(): boolean {
  return paused;
}

export function useLiveState(): LiveState | 'paused' {
  return useSyncExternalStore(
    (changed) => {
      stateListeners.add(changed);
      return () => stateListeners.delete(changed);
    },
    () => (paused ? 'paused' : connection),
  );
}

export function useLive(listener: Listener): void {
  useEffect(() => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }, [listener]);
}

/** Called when events may have been missed: at the start, after a gap, after a pause. */
export function useMissed(listener: () => void): void {
  useEffect(() => {
    missListeners.add(listener);
    return () => {
      missListeners.delete(listener);
    };
  }, [listener]);
}
