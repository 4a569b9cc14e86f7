/**
 * One request and its response over one connection, within limits of time, size and speed. Follows no redirect, decodes
 * nothing (Content-Encoding stays as received) and reports faults only by constant words.
 */
import type { Dispatcher } from 'undici';
import type { Clock } from './clock.ts';
import type { Connection } from './connections.ts';

export interface RoundTripRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
  /** End a redirect at its headers: its body is not needed. */
  readonly skipRedirectBody: boolean;
}

export interface ResponseCaps {
  /** From the start of the request to the end of the response's headers. */
  readonly firstByteMs: number;
  /** The most bytes of the body that are read. */
  readonly bodyBytesMax: number;
  /**
   * `'whole'`: the body matters; if it is cut short, too large or too slow, the request fails. A number: the status
   * matters; the first bytes of the body are kept, and an early end of the body is no failure.
   */
  readonly keep: 'whole' | number;
  /** Minimum speed of the body, measured over `slowWindowMs`; undefined = none. */
  readonly bytesPerSecondMin?: number;
}

export type RoundTrip =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly location: string | null;
      readonly body: Buffer;
      /** The body had more bytes than `body`, or its end never came. */
      readonly truncated: boolean;
      /** The response is complete: the connection is free for the next request. */
      readonly ended: boolean;
    }
  | {
      readonly kind: 'failed';
      readonly why: 'timeout' | 'reset' | 'too-large' | 'too-slow' | 'protocol';
      /** True when a byte of the request may have been sent. */
      readonly sent: boolean;
    };

type Failure = (RoundTrip & { kind: 'failed' })['why'];
type ResponseHeaders = Record<string, string | string[] | undefined>;

export const slowWindowMs = 5_000;

/** The response headers that are passed on. */
const keptHeaders = ['content-type', 'content-length', 'content-encoding', 'retry-after', 'date'];

/** Ends within `caps` or when `signal` aborts (`timeout`). Unless `ended`, the connection must be dropped. */
export function roundTrip(
  connection: Connection,
  request: RoundTripRequest,
  caps: ResponseCaps,
  clock: Clock,
  signal: AbortSignal,
): Promise<RoundTrip> {
  return new Promise((resolve) => {
    const { skipRedirectBody, ...sent } = request;
    const reader = new ResponseReader(caps, clock, skipRedirectBody, (outcome) => {
      signal.removeEventListener('abort', late);
      resolve(outcome);
    });
    const late = () => reader.fail('timeout');
    if (signal.aborted) return late();
    signal.addEventListener('abort', late, { once: true });
    connection.client.dispatch(sent, reader);
  });
}

/** The handler that undici calls as the response comes in. Settles once; later events are ignored. */
class ResponseReader implements Dispatcher.DispatchHandler {
  readonly #caps: ResponseCaps;
  readonly #clock: Clock;
  readonly #skipRedirectBody: boolean;
  readonly #settle: (outcome: RoundTrip) => void;
  readonly #keepBytes: number;
  readonly #chunks: Buffer[] = [];
  #sent = false;
  #settled = false;
  #status = 0;
  #headers: ResponseHeaders = {};
  #bytes = 0;
  #keptBytes = 0;
  #stopTimer: () => void;

  constructor(caps: ResponseCaps, clock: Clock, skipRedirectBody: boolean, settle: (outcome: RoundTrip) => void) {
    this.#caps = caps;
    this.#clock = clock;
    this.#skipRedirectBody = skipRedirectBody;
    this.#settle = settle;
    this.#keepBytes = caps.keep === 'whole' ? caps.bodyBytesMax : caps.keep;
    this.#stopTimer = clock.after(caps.firstByteMs, () => this.fail('timeout'));
  }

  onRequestStart(): void {
    this.#sent = true;
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: ResponseHeaders): void {
    // RFC 9110 §15.2: an interim response is not the answer; the wait for the first byte goes on.
    if (this.#settled || status < 200) return;
    this.#status = status;
    this.#headers = headers;
    this.#stopTimer();
    const { keep, bodyBytesMax } = this.#caps;
    if (this.#skipRedirectBody && isRedirect(status)) this.#answer(false);
    else if (keep === 'whole' && Number(one(headers['content-length'])) > bodyBytesMax) this.fail('too-large');
    else this.#watchSpeed();
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#settled) return;
    this.#bytes += chunk.length;
    const wanted = chunk.subarray(0, this.#keepBytes - this.#keptBytes);
    if (wanted.length > 0) this.#chunks.push(wanted);
    this.#keptBytes += wanted.length;
    if (this.#bytes > this.#caps.bodyBytesMax) this.fail('too-large');
  }

  onResponseEnd(): void {
    if (!this.#settled) this.#answer(true);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(isProtocolFault(error) ? 'protocol' : 'reset');
  }

  /** Ends the exchange as failed, unless the status has come and nothing more is needed. */
  fail(why: Failure): void {
    if (this.#settled) return;
    if (this.#status !== 0 && this.#caps.keep !== 'whole') this.#answer(false);
    else this.#end({ kind: 'failed', why, sent: this.#sent });
  }

  #answer(complete: boolean): void {
    this.#end({
      kind: 'answered',
      status: this.#status,
      headers: pick(this.#headers),
      location: one(this.#headers.location) ?? null,
      body: Buffer.concat(this.#chunks),
      truncated: !complete || this.#bytes > this.#keptBytes,
      ended: complete,
    });
  }

  #end(outcome: RoundTrip): void {
    this.#settled = true;
    this.#stopTimer();
    this.#settle(outcome);
  }

  #watchSpeed(): void {
    const { bytesPerSecondMin } = this.#caps;
    if (bytesPerSecondMin === undefined) return;
    const before = this.#bytes;
    this.#stopTimer = this.#clock.after(slowWindowMs, () => {
      const wanted = (bytesPerSecondMin * slowWindowMs) / 1_000;
      if (this.#bytes - before < wanted) this.fail('too-slow');
      else this.#watchSpeed();
    });
  }
}

/** RFC 9110 §15.4: the statuses that redirect a GET by Location. */
export function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

function one(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

function pick(headers: ResponseHeaders): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of keptHeaders) {
    const value = one(headers[name]);
    if (value !== undefined) kept[name] = value;
  }
  return kept;
}

/** Invalid HTTP: undici's errors by name, so that their classes need not be loaded here. */
function isProtocolFault(error: Error): boolean {
  return protocolFaults.has(error.name);
}

const protocolFaults = new Set([
  'HTTPParserError',
  'HeadersOverflowError',
  'ResponseContentLengthMismatchError',
  'InvalidArgumentError',
]);
