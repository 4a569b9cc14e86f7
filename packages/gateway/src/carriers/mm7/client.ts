/**
 * The HTTP client of one MM7 carrier: posts a body and returns the answer, or reports whether bytes may have been
 * sent. Own connection pool, no environment proxy, no retries.
 */
import type { Socket } from 'node:net';
import { headerBytesMax, skipContinue } from '@heliograph/guarded-fetch';
import { buildConnector, Client, type Dispatcher, errors, Pool } from 'undici';
import type { Clock } from '../../kernel/clock.ts';
import type { PeerCertificate } from '../../model/peer-certificate.ts';
import type { DoubtCause } from '../../model/repeats.ts';
import { certificateOn, whenShown } from '../peer-certificate.ts';
import type { Mm7Profile } from './profile.ts';

/** TCP and TLS together. */
const connectTimeoutMs = 10_000;
/** Shorter than common servers' timeouts, so that we rarely write to a connection that is being closed. */
const keepAliveMs = 4_000;
const answerBytesMax = 256 * 1_024;

export interface HttpAnswer {
  status: number;
  /** Names in lower case; of repeated headers the first. */
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}

/**
 * `not_sent`: provably no byte of the request was sent. `broken`: some may have been sent, and no complete answer came.
 */
export type PostResult =
  | { kind: 'answered'; answer: HttpAnswer }
  | { kind: 'not_sent'; detail: string }
  | { kind: 'broken'; cause: DoubtCause; detail: string };

export interface Mm7Client {
  post(headers: Readonly<Record<string, string>>, body: Buffer): Promise<PostResult>;
  /** Opens and closes a connection; resolves with the problem, or null. */
  probe(): Promise<string | null>;
  /** The peer's certificate on the newest connection; null over plain http. */
  certificate(): PeerCertificate | null;
  /** The certificate of the last refused connection; null once one succeeds. */
  refusedCertificate(): PeerCertificate | null;
  /** Ends every request and closes every connection. */
  close(): Promise<void>;
}

export function createMm7Client(profile: Mm7Profile, clock: Clock): Mm7Client {
  const { origin, pathname, search, protocol, hostname, port } = new URL(profile.url);
  let certificate: PeerCertificate | null = null;
  let refused: PeerCertificate | null = null;
  const connect = limitedConnector(profile, clock, (socket, shown) => {
    if (socket !== null) certificate = certificateOn(socket) ?? certificate;
    refused = socket === null ? shown : null;
  });
  const pool = new Pool(origin, {
    factory: (url, options) => new PooledClient(url, options, connect),
    connections: profile.window,
    pipelining: 1,
    allowH2: false,
    maxHeaderSize: headerBytesMax,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMs,
    // Our own time-outs run on the given clock.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const timeoutMs = profile.responseTimeoutMs;

  return {
    post: (headers, body) =>
      new Promise((resolve) => {
        const options = { path: pathname + search, method: 'POST' as const, headers: { ...headers }, body };
        pool.dispatch(options, answerHandler({ clock, timeoutMs }, resolve));
      }),
    probe: () =>
      new Promise((resolve) => {
        const host = hostname.replace(/^\[|\]$/g, '');
        connect({ hostname: host, host: hostname, protocol, port }, (error, socket) => {
          socket?.on('error', () => {}).end();
          resolve(error === null ? null : detailOf(error));
        });
      }),
    certificate: () => certificate,
    refusedCertificate: () => refused,
    close: () => pool.destroy(),
  };
}

type Connect = (...args: Parameters<buildConnector.connector>) => void;

/** One connection of the pool. */
class PooledClient extends Client {
  /** Called before each request: the next bytes begin an answer. */
  #expectHead = (): void => {};

  constructor(origin: URL, options: Client.Options, connect: Connect) {
    super(origin, {
      ...options,
      connect: (target, done) =>
        connect(target, (...result) => {
          // Undefined, not null, when the connection failed.
          if (result[1]) {
            this.#expectHead = skipContinue(result[1]);
            this.#expectHead();
          }
          done(...result);
        }),
    });
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    this.#expectHead();
    return super.dispatch(options, handler);
  }
}

/**
 * Called with an open connection, or with null and the certificate that the peer showed before the connection failed.
 */
type ReportSocket = (socket: Socket | null, shown: PeerCertificate | null) => void;

/** Fails, rather than throws, when the profile's PEM is malformed. */
function limitedConnector(profile: Mm7Profile, clock: Clock, report: ReportSocket): Connect {
  const { tlsVerify, caCertificate, clientCertificate, clientKey } = profile;
  const connect = buildConnector({
    timeout: 0,
    allowH2: false,
    rejectUnauthorized: tlsVerify,
    ...(caCertificate !== '' && { ca: caCertificate }),
    ...(clientCertificate !== '' && { cert: clientCertificate }),
    ...(clientKey !== '' && { key: clientKey }),
  });
  return (options, callback) => {
    let cancel = (): void => {};
    let shown: PeerCertificate | null = null;
    const done: typeof callback = (...result) => {
      cancel();
      report(result[1] ?? null, shown);
      callback(...result);
    };
    try {
      // The connector returns its socket, though its type does not declare it.
      const socket = connect(options, done) as unknown as Socket;
      whenShown(socket, (certificate) => {
        shown = certificate;
      });
      cancel = clock.after(connectTimeoutMs, () => socket.destroy(new Error('no connection in time')));
    } catch (error) {
      done(error as Error, null);
    }
  };
}

function answerHandler(
  { clock, timeoutMs }: { clock: Clock; timeoutMs: number },
  resolve: (result: PostResult) => void,
): Dispatcher.DispatchHandler {
  let started = false;
  let cancel = (): void => {};
  let status = 0;
  let headers: Record<string, string> = {};
  let received = 0;
  const chunks: Buffer[] = [];
  let cause: DoubtCause = 'broken';

  /** The carrier took too long, or its answer is unusable: the link itself is not broken. */
  function giveUp(controller: Dispatcher.DispatchController, why: string): void {
    cause = 'unanswered';
    controller.abort(new Error(why));
  }

  return {
    // Called right before the first byte is written.
    onRequestStart: (controller) => {
      started = true;
      cancel = clock.after(timeoutMs, () => giveUp(controller, 'no answer in time'));
    },
    onResponseStart: (_controller, statusCode, given) => {
      status = statusCode;
      headers = firstOfEach(given);
    },
    onResponseData: (controller, chunk) => {
      received += chunk.length;
      if (received > answerBytesMax) giveUp(controller, 'the answer is too large');
      else chunks.push(chunk);
    },
    onResponseEnd: () => {
      cancel();
      resolve({ kind: 'answered', answer: { status, headers, body: Buffer.concat(chunks) } });
    },
    onResponseError: (_controller, error) => {
      cancel();
      // An answer came, but it is not HTTP.
      if (error instanceof errors.HTTPParserError || error instanceof errors.HeadersOverflowError) cause = 'unanswered';
      const detail = detailOf(error);
      resolve(started ? { kind: 'broken', cause, detail } : { kind: 'not_sent', detail });
    },
  };
}

function firstOfEach(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const first: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) first[name.toLowerCase()] = String(Array.isArray(value) ? value[0] : value);
  }
  return first;
}

/** Describes what happened without addresses and names: the record has those. */
function detailOf(error: Error & { code?: string }): string {
  const inner = error instanceof AggregateError ? (error.errors[0] as NodeJS.ErrnoException | undefined) : undefined;
  const code = error.code ?? inner?.code;
  const text = (inner?.message || error.message).slice(0, 200);
  return code === undefined || text.includes(code) ? text : `${text} (${code})`;
}
