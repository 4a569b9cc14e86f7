/**
 * The HTTP client of one MM7 carrier: posts a body and returns the answer, or reports whether bytes may have been
 * sent. Own connection pool, no environment proxy, no retries.
 */
import type { Socket } from 'node:net';
import { buildConnector, type Dispatcher, errors, Pool } from 'undici';
import type { Clock } from '../../kernel/clock.ts';
import type { PeerCertificate } from '../../model/peer-certificate.ts';
import type { DoubtCause } from '../../model/repeats.ts';
import { certificateOn, whenShown } from '../peer-certificate.ts';
import type { Mm7Profile } from './profile.ts';

/** TCP and TLS together. */
const connectTimeoutMs = 10_000;
/** Shorter than what common servers keep, so that we rarely write into a connection that is being closed. */
const keepAliveMs = 4_000;
const answerBytesMax = 256 * 1_024;
const headerBytesMax = 16 * 1_024;

export interface HttpAnswer {
  status: number;
  /** Names in lower case; of several of one name the first. */
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}

/** `not_sent`: provably no byte of the request left. `broken`: some may have, and no whole answer came. */
export type PostResult =
  | { kind: 'answered'; answer: HttpAnswer }
  | { kind: 'not_sent'; detail: string }
  | { kind: 'broken'; cause: DoubtCause; detail: string };

export interface Mm7Client {
  post(headers: Readonly<Record<string, string>>, body: Buffer): Promise<PostResult>;
  /** Opens a connection, closes it, and resolves with what went wrong; null when nothing did. */
  probe(): Promise<string | null>;
  /** What the peer showed when a connection was last made; null over plain http. */
  certificate(): PeerCertificate | null;
  /** What it showed when a connection was last refused for it; null once one was made. */
  refusedCertificate(): PeerCertificate | null;
  /** Ends every request under way and closes every connection. */
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
    connect,
    connections: profile.window,
    pipelining: 1,
    allowH2: false,
    maxHeaderSize: headerBytesMax,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMs,
    // Time is measured here, on the clock that is handed in.
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

/** Told of a connection that came to stand, or of none and what the peer showed before it failed. */
type Tell = (socket: Socket | null, shown: PeerCertificate | null) => void;

/** Fails, rather than throws, when the PEM of the profile is none. */
function limitedConnector(profile: Mm7Profile, clock: Clock, tell: Tell): Connect {
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
      tell(result[1] ?? null, shown);
      callback(...result);
    };
    try {
      // The connector returns its socket, though its type does not say so.
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

  /** The carrier had its time, or its answer is of no use: the link did not break. */
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
      // An answer came, and it is none of HTTP.
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

/** Says what happened, not where: addresses and names are in the record. */
function detailOf(error: Error & { code?: string }): string {
  const inner = error instanceof AggregateError ? (error.errors[0] as NodeJS.ErrnoException | undefined) : undefined;
  const code = error.code ?? inner?.code;
  const text = (inner?.message || error.message).slice(0, 200);
  return code === undefined || text.includes(code) ? text : `${text} (${code})`;
}
