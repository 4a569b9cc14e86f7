/**
 * The HTTP server with its time-outs and caps, and every refusal that comes before routing. Errors that Node.js would
 * answer itself get our envelope.
 */
import type { IncomingMessage, RequestListener, Server, ServerOptions, ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { createServer } from '../kernel/node-http.ts';
import { tlsFloor } from '../kernel/tls.ts';
import { ClientSockets } from './client-sockets.ts';
import { answerBytes, connectionOf, openConnection } from './connection.ts';
import { renderRejection } from './envelope.ts';
import {
  baseHeaders,
  Exchange,
  notSent,
  probePaths,
  rejection,
  type ServerState,
  strictTransport,
} from './exchange.ts';
import type { IsOwnHost } from './own-hosts.ts';

/** Time-outs and caps of the server. */
export interface EdgeCaps {
  /** For the request line and all headers. */
  headersTimeoutMs: number;
  /** For the whole request, body included. */
  requestTimeoutMs: number;
  /** How long an idle connection stays open for the next request. */
  keepAliveTimeoutMs: number;
  /** How often connections are checked for these time-outs. */
  checkEveryMs: number;
  connectionsMax: number;
  /** Connections for each client (an IPv4 address or an IPv6 /64); 0 = no limit. */
  connectionsPerClient: number;
  /** Connections for each client with an unread answer. */
  unreadPerClient: number;
  headersCountMax: number;
  headerBytesMax: number;
}

export const edgeCaps: EdgeCaps = {
  headersTimeoutMs: 5_000,
  requestTimeoutMs: 15_000,
  keepAliveTimeoutMs: 5_000,
  checkEveryMs: 500,
  connectionsMax: 10_000,
  connectionsPerClient: 1_000,
  unreadPerClient: 64,
  headersCountMax: 100,
  headerBytesMax: 16 * 1_024,
};

export interface EdgeTls {
  /** PEM. */
  cert: string;
  key: string;
  /** Requests a certificate from every peer, but requires none. */
  asksForCertificate?: boolean;
}

export interface EdgeParts {
  tls: EdgeTls | undefined;
  caps: EdgeCaps;
  trustedProxies: readonly string[];
  handler: RequestListener;
  isOwnHost?: IsOwnHost | undefined;
}

export function createEdge(serverState: ServerState, parts: EdgeParts): Server {
  const { tls } = parts;
  const options = serverOptions(parts.caps);
  const server: Server =
    tls === undefined ? createServer(options) : createTlsServer({ ...options, ...tlsOptions(tls) });
  server.on(tls === undefined ? 'connection' : 'secureConnection', (socket: Socket) =>
    openConnection(socket, serverState),
  );
  limitClients(server, serverState, parts);
  return takeRequests(server, serverState, parts);
}

/** Time-outs, and what the parser lets through. */
export function serverOptions(caps: EdgeCaps): ServerOptions {
  return {
    headersTimeout: caps.headersTimeoutMs,
    requestTimeout: caps.requestTimeoutMs,
    keepAliveTimeout: caps.keepAliveTimeoutMs,
    connectionsCheckingInterval: caps.checkEveryMs,
    maxHeaderSize: caps.headerBytesMax,
    insecureHTTPParser: false,
    // Joins two headers of the same name with a comma, so that every check below refuses the value.
    joinDuplicateHeaders: true,
    // Node would answer a missing Host with an empty 400.
    requireHostHeader: false,
    noDelay: true,
  };
}

/** Refuses what no route should have to think of, and hands on the rest; each socket must be an open connection. */
export function takeRequests(
  server: Server,
  serverState: ServerState,
  parts: Pick<EdgeParts, 'caps' | 'handler' | 'isOwnHost'>,
): Server {
  const { caps } = parts;
  server.maxConnections = caps.connectionsMax;
  // Node silently drops headers over this number, and the dropped one may matter: allow one more, so that an excess is
  // visible.
  server.maxHeadersCount = caps.headersCountMax + 1;

  const take = (request: IncomingMessage, response: ServerResponse): void => {
    const connection = connectionOf(request.socket);
    if (connection === undefined || connection.ended || connection.closing) return;
    const exchange = new Exchange(serverState, request, response, connection);
    const problem = requestProblem(request);
    const { host } = request.headers;
    if (request.rawHeaders.length > caps.headersCountMax * 2) exchange.send(tooManyHeaders);
    else if (problem === null) {
      const isOurs = host === undefined || (parts.isOwnHost?.(host, request.socket.localAddress) ?? true);
      // Health probes may use any host name; their answers reveal nothing.
      if (isOurs || probePaths.has(exchange.path)) parts.handler(request, response);
      else exchange.send(misdirected);
    } else exchange.send(rejection('INVALID_REQUEST', `${problem} ${notSent}`, { abandon: true }));
  };
  server.on('request', take);
  // The body reader answers `Expect: 100-continue`, after authentication; other expectations are refused.
  server.on('checkContinue', take);
  server.on('checkExpectation', take);
  server.on('connect', (_request: IncomingMessage, socket: Socket) => {
    refuse(serverState, socket, 405, 'METHOD_NOT_ALLOWED', 'This gateway is not a proxy and takes no CONNECT.', [
      'Allow',
      'GET, POST',
    ]);
  });
  const late = createTimeOutQueue(serverState);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') late(error, socket);
    else clientError(serverState, error, socket);
  });
  return server;
}

/** A route that needs a certificate compares its fingerprint, so no authority is checked. */
export function tlsOptions({ cert, key, asksForCertificate = false }: EdgeTls) {
  return { ...tlsFloor, cert, key, requestCert: asksForCertificate, rejectUnauthorized: false };
}

/** How often the log says that clients had too many connections. */
const crowdedEveryMs = 60_000;

/** Counts sockets from the TCP connection on, so that an unfinished TLS handshake counts too. */
function limitClients(
  server: Server,
  { clock, logger }: ServerState,
  { caps, trustedProxies }: { caps: EdgeCaps; trustedProxies: readonly string[] },
): void {
  const clients = new ClientSockets(caps.connectionsPerClient, trustedProxies);
  let loggedMs = Number.NEGATIVE_INFINITY;
  server.prependListener('connection', (socket: Socket) => {
    const isOver = clients.add(socket) !== null;
    const address = socket.remoteAddress;
    socket.once('close', () => clients.remove(socket));
    if (!isOver) return;
    socket.destroy();
    if (clock.monotonicMs() - loggedMs < crowdedEveryMs) return;
    loggedMs = clock.monotonicMs();
    logger.warn({ address, max: caps.connectionsPerClient }, 'too many connections from one address: more are cut off');
  });
}

const tooManyHeaders = rejection('INVALID_REQUEST', `There are too many headers. Send fewer. ${notSent}`, {
  status: 431,
  abandon: true,
});

/** RFC 9110 §15.5.20. The name is not repeated: the client chose it. */
const misdirected = rejection(
  'INVALID_REQUEST',
  `This gateway does not go by the name in the header Host. Use the address of HELIO_PUBLIC_URL, or have the operator add the name to HELIO_ALLOWED_HOSTS. ${notSent}`,
  { status: 421, abandon: true },
);

/** Faults of a request that parsed, checked once here for all routes; null when there is none. */
function requestProblem({ headers, httpVersion }: IncomingMessage): string | null {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return 'This gateway speaks HTTP/1.1.';
  const { host, 'transfer-encoding': encoding, expect } = headers;
  if (httpVersion === '1.1' && host === undefined) return 'The header Host is missing.';
  if (host !== undefined && !/^[\w.:[\]~-]*$/.test(host)) return 'The header Host is not one host.';
  if (encoding !== undefined && (encoding.toLowerCase() !== 'chunked' || httpVersion === '1.0')) {
    return 'The only transfer coding taken is chunked, in HTTP/1.1.';
  }
  return expect === undefined || /^100-continue$/i.test(expect)
    ? null
    : 'The header Expect asks for something unknown.';
}

/** Time-outs answered in one turn of the event loop. */
const timeOutsAtOnce = 50;

/**
 * Node reports all connections that have timed out in one go. Answering thousands at once would block everyone else, so
 * they are answered in small batches.
 */
function createTimeOutQueue(serverState: ServerState): (error: NodeJS.ErrnoException, socket: Socket) => void {
  const waiting: [NodeJS.ErrnoException, Socket][] = [];
  const work = (): void => {
    for (const [error, socket] of waiting.splice(0, timeOutsAtOnce)) clientError(serverState, error, socket);
    if (waiting.length > 0) setImmediate(work);
  };
  return (error, socket) => {
    if (waiting.push([error, socket]) === 1) setImmediate(work);
  };
}

/** HTTP that cannot be parsed, arrives too slowly or has too large headers (RFC 9112, RFC 6585 §5). */
function clientError(serverState: ServerState, error: NodeJS.ErrnoException, socket: Socket): void {
  const connection = connectionOf(socket);
  // No connection: the TLS handshake failed, for example because the client spoke plain HTTP. A redirect or an answer
  // in clear would invite the client to send the secret again.
  if (connection === undefined || error.code === 'ECONNRESET' || !socket.writable) {
    if (connection?.ended !== true) socket.destroy();
    return;
  }
  // It belongs to a request that is refused already.
  if (connection.closing) return;
  const { awaitsBody } = connection;
  if (connection.unanswered > 0 && !awaitsBody) {
    // Earlier requests are complete and in work: the client must not take their answers for this one's.
    connection.broken = true;
    return;
  }
  const timedOut = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  // A connection that was never used is closed without an answer.
  if (timedOut && !awaitsBody && socket.bytesRead === 0) socket.destroy();
  else if (timedOut)
    refuse(serverState, socket, 408, 'INVALID_REQUEST', 'The request came too slowly. Send it in one go.');
  else if (error.code === 'HPE_HEADER_OVERFLOW')
    refuse(
      serverState,
      socket,
      431,
      'INVALID_REQUEST',
      'The request line and headers are too large. Send fewer or shorter headers.',
    );
  else refuse(serverState, socket, 400, 'INVALID_REQUEST', 'The request is not well-formed HTTP/1.1.');
}

/** The answer to input that never became a request. */
function refuse(
  serverState: ServerState,
  socket: Socket,
  status: number,
  reason: string,
  what: string,
  extra: readonly string[] = [],
): void {
  const requestId = serverState.ids.request();
  const body = renderRejection(reason, `${what} ${notSent}`);
  const headers = [
    ...['Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(Buffer.byteLength(body))],
    ...baseHeaders(requestId),
    ...['Connection', 'close', 'Date', new Date(serverState.clock.now()).toUTCString()],
    ...extra,
    ...(serverState.https === true ? strictTransport : []),
  ];
  connectionOf(socket)?.end(answerBytes(status, headers, body));
  serverState.logger.info({ requestId, status, reason }, 'refused at the edge');
}
