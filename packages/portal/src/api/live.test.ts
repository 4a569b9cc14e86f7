import '../language/english';

import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { gapCalmMs, startLive } from './live';

/** The gateway's stream, as the test sends it. */
class Source extends EventTarget {
  static now: Source | null = null;
  onopen: (() => void) | null = null;

  constructor() {
    super();
    Source.now = this;
  }

  close(): void {}
}

const client = new QueryClient();
const invalidate = vi.spyOn(client, 'invalidateQueries').mockResolvedValue();
let stop: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('EventSource', Source);
  stop = startLive(client);
  Source.now!.onopen!();
  vi.advanceTimersByTime(1_000);
  invalidate.mockClear();
});

afterEach(() => {
  stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const gap = () => Source.now!.dispatchEvent(new Event('gap'));

it('fills a gap soon, and one after the other calmly', () => {
  gap();
  vi.advanceTimersByTime(500);
  expect(invalidate).toHaveBeenCalledTimes(1);
  // Thousands of events a second: a gap every tenth of a second, for twenty seconds.
  for (let at = 0; at < 20_000; at += 100) {
    gap();
    vi.advanceTimersByTime(100);
  }
  expect(invalidate).toHaveBeenCalledTimes(1 + 20_000 / gapCalmMs);
});

it('reads again what an event makes stale, and nothing else', () => {
  Source.now!.dispatchEvent(new MessageEvent('contact', { data: '{}' }));
  vi.advanceTimersByTime(500);
  const { predicate } = invalidate.mock.calls[0]![0]!;
  const isStale = (name: string) => predicate!({ queryKey: [name], meta: undefined } as never);
  expect(['contacts', 'conversations', 'home', 'carriers'].filter(isStale)).toEqual(['contacts', 'conversations']);
});
