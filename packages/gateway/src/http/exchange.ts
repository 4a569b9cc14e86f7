/**
 * One request and its answer: id, common headers, access log line, keep-alive. Every answer leaves through `send`. The
 * query string holds a secret: it is never logged, and kept with the connection only once it was let in (`Admitted`).
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { Clock } from '../kernel/clock.ts';
import type { Ids, RequestId } from '../kernel/ids.ts';
import type { Logger } from '../kernel/logger.ts';
import { httpStatusOf, type RequestReason } from '../model/reason.ts';
import type { Caller } from '../model/send.ts';
import type { CallRecord, CountAnswer, NoteCall } from './call-record.ts';
import { answerBytes, type Connection, type ListenerState } from './connection.ts';
import { renderData, renderRejection } from './envelope.ts';
import type { Query } from './input.ts';
import { safePath, scrub } from './scrub.ts';
import { Admitted, type SentPair, type SentParts } from './sent-pair.ts';
import { Target } from './target.ts';

/** What all exchanges of one server share. */
export interface ServerState extends ListenerState {
  ids: Ids;
  logger: Logger;
  bodyBytesMax: number;
  /** True when every request comes over our own https. */
  https?: boolean;
  /** Records the call for the company's request log; absent = nothing is recorded. */
  noteCall?: NoteCall;
  /** Counts each answer; absent = answers are not counted. Must not throw. */
  countAnswer?: CountAnswer;
}

declare const bodyType: unique symbol;

/** `T` is the type of `data` in a success; a rejection has none. */
export interface Answer<T = unknown> {
  /** Never set: it only gives the body a type. */
  readonly [bodyType]?: T;
  status: number;
  /** Logged in the access line. */
  reason: string;
  body: string | Buffer;
  /** Absent = JSON. */
  contentType?: string;
  /** Name, value, name, value. */
  headers?: readonly string[];
  /** Absent = `no-store`. */
  cacheControl?: string;
  /** How long the client may take to read the answer, if longer than usual. */
  readMs?: number;
  /** The rest of the request will not be read. */
  abandon?: boolean;
  /** Status and headers are those that another cell answered, as name, value, name, value: none of ours are added. */
  given?: readonly string[];
  /** For the audit log of the portal; not sent. */
  changed?: { before: Record<string, unknown>; after: Record<string, unknown> };
}

/** An answer written piece by piece. */
export interface Streaming {
  /** False when the client reads more slowly than we write: wait for `drained`. */
  write(piece: string | Uint8Array): boolean;
  /** Resolves when the client can take more, or is gone. */
  drained(): Promise<void>;
  /** Bytes not yet taken by the client. */
  waitingBytes(): number;
  end(): void;
  /** Cuts the connection, so that a partial answer does not look complete. */
  abort(): void;
}

/** Returned by a route that has answered through `Exchange.stream`. */
export const streamed: Answer<never> = { status: 200, reason: 'SUCCESS', body: '' };

/** The last sentence of most rejections' `detail`. */
export const notSent = 'Nothing was sent or billed.';

/** Monitoring polls these every few seconds. */
export const probePaths: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

/** In a forwarded request: the address of its client, as the door saw it. Believed of cells alone. */
export const clientHeader = 'helio-cell-client';
/** What cells ask each other, on connections of theirs alone. */
export const cellPaths = '/cells/1/';

const json = 'application/json; charset=utf-8';
const notCached = 'no-store';
const alwaysHeaders = [
  'Api-Version',
  '1.0.0',
  'Referrer-Policy',
  'no-referrer',
  'X-Content-Type-Options',
  'nosniff',
] as const;

/** Headers that say when to retry; every 503 and 429 carries them. */
export function retryAfter(seconds: number): readonly string[] {
  return ['Retry-After', String(seconds)];
}

/** The answer to a refused request. */
export function rejection(reason: RequestReason, detail: string, extra: Partial<Answer<never>> = {}): Answer<never> {
  return { status: httpStatusOf(reason), reason, body: renderRejection(reason, detail), ...extra };
}

/** The answer to a successful request of `/api/v1`; `next` is the cursor of a list. */
export function success<T>(detail: string, data: T, next?: string | null): Answer<T> {
  return { status: 200, reason: 'SUCCESS', body: renderData(detail, data, next) };
}

/** Headers of every answer. */
export function baseHeaders(requestId: RequestId): string[] {
  return ['X-Request-Id', requestId, 'Cache-Control', notCached, ...alwaysHeaders];
}

/** For https only (RFC 6797 §7.2); two years. */
export const strictTransport = ['Strict-Transport-Security', 'max-age=63072000'] as const;

const exchangeKey = Symbol('exchange');
type RequestWithExchange = IncomingMessage & { [exchangeKey]?: Exchange };

/** The exchange of a request that passed the edge. */
export function exchangeOf(request: IncomingMessage): Exchange {
  return (request as RequestWithExchange)[exchangeKey]!;
}

export class Exchange {
  readonly requestId: RequestId;
  readonly path: string;
  readonly request: IncomingMessage;
  readonly connection: Connection;
  /** The pattern of the route, if the path has parameters. */
  route: string | null = null;
  /** Set once the key pair is known to be valid. */
  caller: Caller | null = null;
  /** Checks the caller again: null, or the refusal. Null for callers without credentials. */
  admission: { clock: Pick<Clock, 'after'>; again(): Answer | null | Promise<Answer | null> } | null = null;
  /** Replaces any other answer once the caller has lost access. */
  refused: Answer | null = null;
  /** Set for a call of the API whose credentials named an account, admitted or not. */
  record: CallRecord | null = null;
  /** Headers with a valid caller's remaining rate. */
  rateHeaders: readonly string[] | null = null;
  /** Headers that every answer of this part of the server carries; null for none. */
  fixedHeaders: readonly string[] | null = null;
  /** Number of unknown field names in the body. */
  unknownFields = 0;
  /** The cell that it was forwarded to. */
  cell: string | null = null;
  /** It came over https, ours or that of a trusted proxy. */
  secure: boolean;
  answered = false;
  readonly #serverState: ServerState;
  readonly #response: ServerResponse;
  readonly #target: Target;
  readonly #startedMs: number;
  #continued = false;

  /** Takes the query string off `request.url`, so that no later code can print it. */
  constructor(serverState: ServerState, request: IncomingMessage, response: ServerResponse, connection: Connection) {
    const url = request.url ?? '/';
    this.#target = connection.admitted?.target(url) ?? new Target(url);
    this.path = this.#target.path;
    request.url = this.path;
    (request as RequestWithExchange)[exchangeKey] = this;
    this.requestId = serverState.ids.request();
    this.secure = serverState.https === true;
    this.request = request;
    this.connection = connection;
    this.#serverState = serverState;
    this.#response = response;
    this.#startedMs = serverState.clock.monotonicMs();
    connection.unanswered++;
  }

  /** Holds a secret: read it for credentials and documented parameters only. */
  get query(): Query {
    return this.#target.query;
  }

  /** Path and query as they came. Holds a secret: for the cell that it is forwarded to only. */
  get target(): string {
    const { queryText } = this.#target;
    return queryText === '' ? this.path : `${this.path}?${queryText}`;
  }

  /** The client of a request that another cell forwarded; null for every other one. */
  get forwardedFor(): string | null {
    return this.connection.fromCell === null ? null : String(this.request.headers[clientHeader] ?? '');
  }

  /** The connection was let in with this pair. */
  remember(parts: SentParts, pair: SentPair): void {
    this.connection.admitted = new Admitted(this.#target, parts, pair);
  }

  /** Since the request came, in milliseconds with two decimals. */
  tookMs(): number {
    return Math.round((this.#serverState.clock.monotonicMs() - this.#startedMs) * 100) / 100;
  }

  /**
   * Sends `100 Continue` to a client that waits for it, unless its Content-Length is over `bytesMax`. One that speaks
   * HTTP/1.0 does not wait, and would take it for the answer (RFC 9110 §10.1.1).
   */
  askForBody(bytesMax = Number.POSITIVE_INFINITY): void {
    const { headers, httpVersion } = this.request;
    const { expect, 'content-length': length } = headers;
    if (expect === undefined || httpVersion === '1.0' || this.#continued || !(Number(length ?? 0) <= bytesMax)) return;
    this.#continued = true;
    this.#response.writeContinue();
  }

  /** Sends the answer; a second one is dropped. */
  send(answer: Answer): void {
    if (this.answered) return;
    this.answered = true;
    const { connection } = this;
    const last = connection.unanswered === 1;
    connection.unanswered--;
    const headers = this.#headersOf(answer);
    if (answer.abandon === true || this.#unread()) {
      headers.push('Connection', 'close', 'Date', new Date(this.#serverState.clock.now()).toUTCString());
      this.#sendLast(answerBytes(answer.status, headers, this.request.method === 'HEAD' ? '' : answer.body));
    } else {
      const closes = this.#serverState.stopping || connection.broken;
      if (last && closes && !connection.closing) headers.push('Connection', 'close');
      this.#response.writeHead(answer.status, headers);
      this.#response.end(answer.body);
      connection.limitReading(this.#response, answer.readMs);
    }
    this.#log(answer);
  }

  /** The rest of the request is not read, so no later one is answered. Answers to earlier requests go first. */
  #sendLast(bytes: Buffer): void {
    const { connection } = this;
    connection.closing = true;
    // Node gives a response its socket when those before it have ended.
    if (this.#response.socket !== null) connection.end(bytes);
    else this.#response.once('socket', () => connection.end(bytes));
  }

  /** Begins an answer of unknown length. Null when the request is already answered or the client is gone. */
  stream({ contentType, headers = [] }: Pick<Answer, 'contentType' | 'headers'>): Streaming | null {
    const response = this.#response;
    if (this.answered || response.destroyed || this.request.socket.destroyed) return null;
    this.answered = true;
    const { connection } = this;
    const head = this.#headersOf({ ...streamed, contentType, headers });
    // A stream has no Content-Length.
    head.splice(head.indexOf('Content-Length'), 2);
    response.writeHead(200, head);
    response.flushHeaders();
    let over = false;
    this.whenOver(() => {
      if (over) return;
      over = true;
      connection.unanswered--;
      this.#log(streamed);
    });
    return {
      write: (piece) => over || response.write(piece),
      drained: () =>
        new Promise((resolve) => {
          if (over || !response.writableNeedDrain) return resolve();
          const read = connection.limitReading(response);
          const goOn = (): void => {
            read();
            response.off('drain', goOn);
            stayed();
            resolve();
          };
          response.once('drain', goOn);
          const stayed = this.whenOver(goOn);
        }),
      waitingBytes: () => response.writableLength,
      end: () => {
        response.end();
        connection.limitReading(response);
      },
      abort: () => response.destroy(),
    };
  }

  /** Calls `run` once, when the answer is sent or the client is gone; the returned function cancels that. */
  whenOver(run: () => void): () => void {
    const { socket } = this.request;
    const off = (): void => {
      this.#response.off('close', over);
      socket.off('close', over);
    };
    const over = (): void => {
      off();
      run();
    };
    this.#response.once('close', over);
    // While earlier answers are still waiting, this response emits no such event.
    socket.once('close', over);
    return off;
  }

  /** Counts and logs an answer that Fastify itself writes (a route that uses `reply.send`). */
  sentElsewhere(status: number): void {
    if (this.answered) return;
    this.answered = true;
    this.connection.unanswered--;
    this.#log({ status, reason: status < 400 ? 'SUCCESS' : 'OTHER', body: '' });
  }

  /** Values of this request that an error might quote and a log must not. */
  secrets(): string[] {
    const { authorization = '', 'x-api-key': apiKey = '', cookie = '' } = this.request.headers;
    const cookies = cookie.split(/;\s*/).map((pair) => pair.slice(pair.indexOf('=') + 1));
    const words = [authorization, ...authorization.split(/\s+/), String(apiKey), this.#target.queryText, ...cookies];
    for (const [name, value] of this.query) if (/^(apikey|signature$)/.test(name)) words.push(value ?? '');
    return words.filter((word) => word.length >= 4 && word.toLowerCase() !== 'bearer');
  }

  #headersOf(answer: Answer): string[] {
    if (answer.given !== undefined) return [...answer.given, ...(this.secure ? strictTransport : [])];
    const headers = [
      'Content-Type',
      answer.contentType ?? json,
      'X-Request-Id',
      this.requestId,
      'Cache-Control',
      answer.cacheControl ?? notCached,
      ...alwaysHeaders,
    ];
    // RFC 9110 §8.6: in a 304, Content-Length would be that of the bytes the client has.
    if (answer.status !== 304) headers.push('Content-Length', String(Buffer.byteLength(answer.body)));
    if (this.fixedHeaders !== null) headers.push(...this.fixedHeaders);
    if (this.rateHeaders !== null) headers.push(...this.rateHeaders);
    if (answer.headers !== undefined) headers.push(...answer.headers);
    if (this.secure && !headers.includes(strictTransport[0])) headers.push(...strictTransport);
    return headers;
  }

  /** True when the rest of the body is not worth reading just to keep the connection. */
  #unread(): boolean {
    const { headers, complete } = this.request;
    if (complete) return false;
    if (headers['transfer-encoding'] !== undefined) return true;
    const length = headers['content-length'];
    if (length === undefined) return false;
    return Number(length) > this.#serverState.bodyBytesMax || (headers.expect !== undefined && !this.#continued);
  }

  #log(answer: Answer): void {
    const { logger, noteCall, countAnswer } = this.#serverState;
    const { status, reason } = answer;
    // The length of a stream depends on the client, so it is no measure of the gateway.
    countAnswer?.(this.path, status, reason, answer === streamed ? null : this.tookMs());
    const isProbe = probePaths.has(this.path) || (this.request.method !== 'POST' && this.path.startsWith('/carriers/'));
    const isCall = this.connection.fromCell !== null && this.path.startsWith(cellPaths);
    const quiet = isProbe || (status === 200 && (this.path === '/SendSMS' || isCall));
    const level = quiet ? 'debug' : 'info';
    const isLogged = logger.isLevelEnabled?.(level) ?? true;
    if (this.record === null && !isLogged) return;
    if (this.record !== null) noteCall?.(this, this.record, answer);
    if (!isLogged) return;
    const fields: Record<string, unknown> = {
      requestId: this.requestId,
      method: this.request.method,
      path: this.path === '/SendSMS' ? this.path : safePath(this.path, this.secrets()),
      status,
      reason,
      ms: this.tookMs(),
      keyId: this.caller?.key.keyId ?? null,
    };
    if (this.route !== null) fields.route = this.route;
    if (this.cell !== null) fields.cell = this.cell;
    if (this.connection.fromCell !== null) fields.fromCell = this.connection.fromCell;
    if (this.unknownFields > 0) fields.unknownFields = this.unknownFields;
    const clientRequestId = this.request.headers['x-request-id'];
    if (typeof clientRequestId === 'string' && /^[!-~]{1,64}$/.test(clientRequestId)) {
      fields.clientRequestId = scrub(clientRequestId, this.secrets());
    }
    logger[level](fields, 'answered');
  }
}

/** Answers a Fastify request through its exchange; Fastify then no longer touches the socket. */
export function respond(reply: FastifyReply, answer: Answer): void {
  reply.hijack();
  const exchange = exchangeOf(reply.request.raw);
  const url = reply.request.routeOptions.url;
  if (url?.includes(':')) exchange.route = url;
  exchange.send(answer);
}
