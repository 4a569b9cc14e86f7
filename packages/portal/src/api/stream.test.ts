import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { followStream, type StreamMessage } from './stream';

/** A browser's stream that the test controls. */
class Source extends EventTarget {
  static readonly CLOSED = 2;
  static all: Source[] = [];
  readyState = 0;
  onopen: (() => void) | null = null;
  onerror: (() => void) | null = null;

  constructor() {
    super();
    Source.all.push(this);
  }

  close(): void {
    this.readyState = Source.CLOSED;
  }
}

let received: StreamMessage[] = [];
let stream: { close(): void };

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('EventSource', Source);
  Source.all = [];
  received = [];
  stream = followStream((message) => received.push(message));
});

afterEach(() => {
  stream.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const states = () => received.flatMap((one) => (one.kind === 'state' ? [one.state] : [one.kind]));

describe('the stream of the gateway', () => {
  it('that falls silent is reported as lost, and is opened again', () => {
    Source.all[0]!.onopen!();
    vi.advanceTimersByTime(39_000);
    Source.all[0]!.dispatchEvent(new Event('ping'));
    vi.advanceTimersByTime(39_000);
    expect(states()).toEqual(['live']);
    vi.advanceTimersByTime(1_000);
    expect(states()).toEqual(['live', 'reconnecting']);
    expect([Source.all.length, Source.all[0]!.readyState]).toEqual([2, Source.CLOSED]);
    Source.all[1]!.onopen!();
    expect(states()).toEqual(['live', 'reconnecting', 'live', 'gap']);
  });

  it('that never sends its first event is requested again and again, not waited for', () => {
    vi.advanceTimersByTime(120_000);
    expect(Source.all).toHaveLength(4);
    expect(Source.all.filter(({ readyState }) => readyState !== Source.CLOSED)).toHaveLength(1);
  });

  it('that was refused is requested a little later, once', () => {
    const [first] = Source.all;
    first!.readyState = Source.CLOSED;
    first!.onerror!();
    first!.onerror!();
    vi.advanceTimersByTime(5_000);
    expect(Source.all).toHaveLength(2);
    expect(states()).toContain('refused');
  });
});
