/**
 * A sender over N keep-alive connections. It writes each acknowledged message to a file outside the system under test
 * before the message counts as acknowledged. Every message has its own destination, which identifies it everywhere.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { ScratchCaller } from '../../packages/gateway/src/cli/prove/scratch-records.ts';
import { createHttpConnection, type HttpAnswer, type HttpConnection } from './http-connection.ts';
import { liveCaller } from './live-records.ts';

export interface ClientOptions {
  port: number;
  connections: number;
  /** `destination TAB messageId LF` for each recipient of each 200. */
  acknowledgedFile: string;
  /** Recipients per request, as a number or as a function of the request's number (from 0). */
  recipientsPerRequest?: number | ((request: number) => number);
  /** A function of the request's number (from 0); at least one URL makes the request an MMS. Default: texts only. */
  mediaUrlsOf?: (request: number) => string[];
  /** Upper bound of requests a second over all connections; 0 = none. */
  requestsPerSecond?: number;
  /** Sends each request again with its Idempotency-Key until it is answered 200 or 400. */
  retry?: boolean;
  /** First number of the destinations; keep it apart between clients. */
  firstNumber?: number;
  /** Stops by itself after this many requests. */
  requestsMax?: number;
}

export interface ClientCounts {
  requests: number;
  /** Answers other than 200, by status. */
  refused: Record<string, number>;
  /** Requests whose connection ended without an answer. */
  unanswered: number;
  /** Times a request was sent again under its key. */
  repeated: number;
}

export interface Refusal {
  status: number;
  retryAfter: boolean;
  body: string;
}

export interface Client {
  /** Destination → messageId. */
  readonly acknowledged: ReadonlyMap<string, string>;
  /** Destination → the last answer other than 200, if any. */
  readonly refused: ReadonlyMap<string, Refusal>;
  counts(): ClientCounts;
  /** Resolves when `requestsMax` requests have ended. */
  readonly finished: Promise<void>;
  /** Waits for requests under way (at most `withinMs`), then closes. */
  stop(withinMs?: number): Promise<void>;
}

const reconnectMs = 10;

/** The destination of message `number`: 11 digits that are valid in every country's rules. */
export function destinationOf(number: number): string {
  return `4${String(number).padStart(10, '0')}`;
}

/** A whole POST /SendSMS. */
export function sendRequest(
  to: readonly string[],
  text: string,
  idempotencyKey?: string,
  mediaUrls: readonly string[] = [],
  caller: ScratchCaller = liveCaller,
): string {
  const media = mediaUrls.length === 0 ? {} : { mediaUrls };
  const body = JSON.stringify({ from: caller.from, to, text, ...media });
  const key = idempotencyKey === undefined ? '' : `Idempotency-Key: ${idempotencyKey}\r\n`;
  return (
    `POST /SendSMS?apikey=${caller.authToken} HTTP/1.1\r\nHost: 127.0.0.1\r\n` +
    `Authorization: Bearer ${caller.bearerToken}\r\nContent-Type: application/json\r\n${key}` +
    `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  );
}

interface Envelope {
  schema?: { resultResponses: { to: string; status: string; messageId?: string }[] };
}

export function startClient(options: ClientOptions): Client {
  const ledger = openLedger(options.acknowledgedFile);
  const counts: ClientCounts = { requests: 0, refused: {}, unanswered: 0, repeated: 0 };
  const requestsMax = options.requestsMax ?? Number.POSITIVE_INFINITY;
  const finished = Promise.withResolvers<void>();
  let nextNumber = options.firstNumber ?? 0;
  let stopping = false;
  let underWay = 0;
  let closed: Promise<void> | null = null;

  /** The next request, or null when there is none to send. */
  function begin(): string | null {
    if (stopping || counts.requests === requestsMax) return null;
    const request = counts.requests++;
    underWay++;
    const { recipientsPerRequest: length = 1 } = options;
    const to = Array.from({ length: typeof length === 'number' ? length : length(request) }, () =>
      destinationOf(nextNumber++),
    );
    const key = options.retry === true ? `key-${to[0]}` : undefined;
    return sendRequest(to, `message to ${to[0]}`, key, options.mediaUrlsOf?.(request));
  }

  function conclude(): void {
    underWay--;
    if (underWay === 0 && counts.requests === requestsMax) finished.resolve();
  }

  const shared: Shared = {
    options,
    ledger,
    counts,
    refused: new Map(),
    begin,
    conclude,
    pace: createPace(options.requestsPerSecond ?? 0),
    stopping: () => stopping,
  };
  const connections = Array.from({ length: options.connections }, () => runConnection(shared));

  async function close(withinMs: number): Promise<void> {
    stopping = true;
    const end = performance.now() + withinMs;
    while (underWay > 0 && performance.now() < end) await wait(5);
    for (const connection of connections) connection.close();
    ledger.close();
  }

  return {
    acknowledged: ledger.acknowledged,
    refused: shared.refused,
    counts: () => ({ ...counts }),
    finished: finished.promise,
    stop: (withinMs = 2_000) => {
      closed ??= close(withinMs);
      return closed;
    },
  };
}

function destinationsIn(request: string): string[] {
  return (JSON.parse(request.slice(request.indexOf('\r\n\r\n'))) as { to: string[] }).to;
}

/** Shared by the connections of one client. */
interface Shared {
  options: ClientOptions;
  ledger: Ledger;
  counts: ClientCounts;
  refused: Map<string, Refusal>;
  begin(): string | null;
  conclude(): void;
  pace(): number;
  stopping(): boolean;
}

/** Sends one request after another until none is left. */
function runConnection({ options, ledger, counts, refused, begin, conclude, pace, stopping }: Shared): HttpConnection {
  let request = '';
  const connection = createHttpConnection(options.port, {
    answered: (answer) => {
      if (answer.status === 200) ledger.write(answer);
      else {
        counts.refused[answer.status] = (counts.refused[answer.status] ?? 0) + 1;
        const { status, retryAfter, body } = answer;
        for (const to of destinationsIn(request)) refused.set(to, { status, retryAfter, body: body.toString() });
      }
      if (options.retry === true && answer.status >= 429) setTimeout(repeat, reconnectMs);
      else goOn();
    },
    broken: () => {
      counts.unanswered++;
      setTimeout(options.retry === true ? repeat : goOn, reconnectMs);
    },
  });

  function repeat(): void {
    if (stopping()) return;
    counts.repeated++;
    connection.send(request);
  }

  function goOn(): void {
    conclude();
    next();
  }

  function next(): void {
    const waitMs = stopping() ? 0 : pace();
    if (waitMs > 0) {
      setTimeout(next, waitMs);
      return;
    }
    const begun = begin();
    if (begun === null) return;
    request = begun;
    connection.send(request);
  }

  next();
  return connection;
}

/** Acknowledgements: written to the file first, then to memory. */
interface Ledger {
  readonly acknowledged: ReadonlyMap<string, string>;
  write(answer: HttpAnswer): void;
  close(): void;
}

function openLedger(path: string): Ledger {
  const file = openSync(path, 'a');
  const acknowledged = new Map<string, string>();
  return {
    acknowledged,
    write: (answer) => {
      const results = (JSON.parse(answer.body.toString()) as Envelope).schema?.resultResponses ?? [];
      const taken = results.filter((result) => result.status === 'SUCCESS');
      writeSync(file, taken.map((result) => `${result.to}\t${result.messageId ?? ''}\n`).join(''));
      for (const result of taken) acknowledged.set(result.to, result.messageId ?? '');
    },
    close: () => closeSync(file),
  };
}

/** Returns 0 when a request may go now (and counts it), else the ms to wait. */
function createPace(perSecond: number): () => number {
  if (perSecond === 0) return () => 0;
  let spentUntil = performance.now();
  return () => {
    const now = performance.now();
    // After a pause the client catches up on 50 ms at most.
    spentUntil = Math.max(spentUntil, now - 50);
    if (spentUntil > now) return Math.ceil(spentUntil - now);
    spentUntil += 1_000 / perSecond;
    return 0;
  };
}
