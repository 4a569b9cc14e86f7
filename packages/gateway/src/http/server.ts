/** Assembles the HTTP server from edge, guard and routes, and starts and stops it. */
import type { Server as HttpServer, RequestListener } from 'node:http';
import { type AddressInfo, Server as TcpServer } from 'node:net';
import type { Server as TlsServer } from 'node:tls';
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import type { Clock, EpochMs } from '../kernel/clock.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Directory } from '../model/directory.ts';
import { type Limits, stopRequestsMs } from '../model/limits.ts';
import { apiDocsRoutes, type ReferenceFrame } from './api-docs.ts';
import { isHttps, type Site } from './browser.ts';
import type { CountAnswer, NoteCall } from './call-record.ts';
import { type CellServerParts, createCellServer } from './cell-server.ts';
import { ClientSockets } from './client-sockets.ts';
import { createCredentials, type KeyUse } from './credentials.ts';
import { createEdge, type EdgeCaps, type EdgeTls, edgeCaps, tlsOptions } from './edge.ts';
import { baseHeaders, exchangeOf, respond, type ServerState, strictTransport } from './exchange.ts';
import { createFail, type Fail } from './failure.ts';
import { createFailureWatch } from './failure-watch.ts';
import type { OtherCells } from './forward.ts';
import { createGuardedRoutes, type GuardedRoutes } from './guard.ts';
import { openApiDocuments } from './openapi.ts';
import type { IsOwnHost } from './own-hosts.ts';
import { createPages, type Pages } from './pages.ts';
import { publicRoutes, type Readiness } from './public-routes.ts';
import { createRates } from './rate.ts';
import { answerUnmatched, notFound, type RouteList, type Unmatched, watchRoutes } from './unmatched.ts';

export interface ServerConfig {
  /** See `EdgeCaps`. */
  connectionsPerClient?: number;
  host: string;
  /** 0 = any free port. */
  port: number;
  /** Undefined = plain HTTP. */
  tls: EdgeTls | undefined;
  /** Addresses or CIDR blocks of proxies whose X-Forwarded-For is believed. */
  trustedProxies: readonly string[];
  /** The address that people type, without a slash at the end; null = made from host and port. */
  publicUrl: string | null;
  /** From this time on everybody must have a second factor; null or absent = each company decides. */
  secondFactorFrom?: EpochMs | null;
  /** Absent = requests may use any host name. */
  isOwnHost?: IsOwnHost;
}

/** Adds routes of another part of the gateway (accepting messages, webhooks, the portal, …) to the same server. */
export type RouteModule = (app: FastifyInstance, deps: RouteDeps) => void;

/** What a route module may use: `guarded` for routes with credentials, `respond` and `fail` for the others. */
export type RouteDeps = Omit<ServerDeps, 'routes' | 'caps' | 'home' | 'referenceFrame' | 'cells'> & {
  guarded: GuardedRoutes;
  fail: Fail;
  /** Reports each use of a key pair to one listener, which must not throw. */
  onKeyUse(listener: (use: KeyUse) => void): void;
};

export interface ServerDeps {
  config: ServerConfig;
  clock: Clock;
  ids: Ids;
  directory: () => Directory;
  limits: Limits;
  logger: Logger;
  /** How many nodes share the rates; absent = this one alone. */
  nodes?: () => number;
  ready: () => Readiness | Promise<Readiness>;
  /** Requests with this token get the list of carriers from `/readyz`; absent = nobody does. */
  doctorToken?: string;
  version: string;
  routes: readonly RouteModule[];
  /** Records calls of the API; absent = nothing is recorded. */
  noteCall?: NoteCall;
  /** Counts each answer; absent = answers are not counted. */
  countAnswer?: CountAnswer;
  /** What a browser gets at `/`; absent = a plain page. */
  home?: Pages['home'];
  /** Puts `/docs/api` into the frame of the built documentation; absent = a plain page. */
  referenceFrame?: ReferenceFrame;
  /** The other cells, and the door for them; absent = there are none. */
  cells?: ServerCells;
  /** Only tests change these. */
  caps?: Partial<EdgeCaps>;
}

export interface ServerCells extends Omit<CellServerParts, 'caps' | 'handler'> {
  others: CellServerParts['others'];
  requests: OtherCells;
  /** Where the door listens. */
  host: string;
  port: number;
  /** What is thrown when that address cannot be had. */
  refused(error: NodeJS.ErrnoException): Error;
}

export interface Server {
  /** Rejects when an address cannot be had. */
  listen(): Promise<{ port: number }>;
  /** Stops accepting connections, lets current requests end, and resolves within 10 s. */
  close(): Promise<void>;
  /** Serves another certificate from the next connection on. Call only on an https server. */
  renewCertificate(tls: EdgeTls): void;
  app: FastifyInstance;
  /** Methods by path, as registered. */
  routes: RouteList;
}

/** On stopping, idle clients get this long to send their next request and get `Connection: close`. */
const leaveMs = 1_000;

export async function createServer(deps: ServerDeps): Promise<Server> {
  const { clock, ids, logger, limits, directory, config, noteCall, countAnswer } = deps;
  const serverState: ServerState = {
    clock,
    ids,
    logger,
    bodyBytesMax: limits.bodyBytesMax,
    stopping: false,
    lingering: new Set(),
    unread: new ClientSockets(capsOf(deps).unreadPerClient, config.trustedProxies),
    https: config.tls !== undefined,
    ...(noteCall !== undefined && { noteCall }),
    ...(countAnswer !== undefined && { countAnswer }),
  };
  const fail = createFail(logger);
  const { app, handler } = createApp(deps, serverState, fail, (request, reply) => unmatched(request, reply));
  const { cells } = deps;
  const cellServer =
    cells === undefined ? null : createCellServer(serverState, { ...cells, caps: capsOf(deps), handler });
  const routes = watchRoutes(app);
  let keyUsed: (use: KeyUse) => void = () => {};
  const onKeyUse: RouteDeps['onKeyUse'] = (listener) => {
    keyUsed = listener;
  };
  const { routes: guarded, records } = createGuardedRoutes(app, {
    clock,
    fail,
    credentials: createCredentials({
      clock,
      directory,
      failures: createFailureWatch({ clock, logger }),
      used: (use) => keyUsed(use),
      hasOtherCells: cells !== undefined,
    }),
    rates: createRates(deps),
    limits,
    ...(cells !== undefined && { cells: cells.requests }),
  });
  const baseUrl = (): string => config.publicUrl ?? localUrl(app.server, config);
  const plain = createPages({ version: deps.version, baseUrl });
  const pages: Pages = { ...plain, home: deps.home ?? plain.home };

  publicRoutes(app, { ...deps, stopping: () => serverState.stopping, pages, fail });
  for (const add of deps.routes) add(app, { ...deps, guarded, fail, onKeyUse });
  const described = () => ({ version: deps.version, limits, baseUrl: baseUrl(), routes, records });
  apiDocsRoutes(app, { documents: openApiDocuments(records, described), frame: deps.referenceFrame });
  const unmatched = answerUnmatched(app, routes, pages);
  await app.ready();

  return {
    app,
    routes,
    listen: async () => {
      if (cells !== undefined && cellServer !== null) {
        await listen(cellServer, cells).catch((error: NodeJS.ErrnoException) => {
          throw cells.refused(error);
        });
      }
      return await listen(app.server, config);
    },
    close: () => close(app, cellServer === null ? [app.server] : [app.server, cellServer], { serverState, clock }),
    renewCertificate: (tls) => (app.server as unknown as TlsServer).setSecureContext(tlsOptions(tls)),
  };
}

function capsOf({ config: { connectionsPerClient = edgeCaps.connectionsPerClient }, caps }: ServerDeps): EdgeCaps {
  return { ...edgeCaps, connectionsPerClient, ...caps };
}

/** Routes check bodies themselves (`guard.ts`); Fastify would load two compilers of schemas and never use them. */
const noCompilers = {
  buildValidator: () => noSchemas,
  buildSerializer: () => noSchemas,
};

function noSchemas(): never {
  throw new Error('Routes have no schema of Fastify.');
}

function createApp(deps: ServerDeps, serverState: ServerState, fail: Fail, unmatched: Unmatched) {
  const { config, limits } = deps;
  const { tls, trustedProxies } = config;
  let handler: RequestListener;
  const app = Fastify({
    serverFactory: (made) => {
      handler = made;
      return createEdge(serverState, { tls, caps: capsOf(deps), trustedProxies, handler, isOwnHost: config.isOwnHost });
    },
    genReqId: (request) => exchangeOf(request as never).requestId,
    logger: false,
    // The edge answers these errors itself.
    clientErrorHandler: () => {},
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    bodyLimit: limits.bodyBytesMax,
    // The query string never reaches the router: see `Exchange`.
    routerOptions: { querystringParser: () => ({}) },
    schemaController: { compilersFactory: noCompilers },
    frameworkErrors: (_error, _request, reply) => respond(reply as unknown as FastifyReply, notFound()),
  });
  // Routes that take a body read it themselves; no other body is read.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  app.setErrorHandler((error, request, reply) => {
    if (request.is404) {
      unmatched(request, reply);
      return;
    }
    reply.hijack();
    fail(exchangeOf(request.raw), error);
  });
  // The exchange knows about our own https; behind a proxy, the trusted proxy or the public URL decides.
  const site: Site = { publicUrl: config.publicUrl, tls: tls !== undefined };
  if (!site.tls && (trustedProxies.length > 0 || site.publicUrl?.startsWith('https://') === true)) {
    app.addHook('onRequest', (request, _reply, done) => {
      if (isHttps(request, site)) exchangeOf(request.raw).secure = true;
      done();
    });
  }
  // Adds the common headers for routes that answer through Fastify. Answers by `respond` do not pass here.
  app.addHook('onSend', (request, reply, _payload, done) => {
    const headers = baseHeaders(request.id);
    if (exchangeOf(request.raw).secure) headers.push(...strictTransport);
    for (let i = 0; i < headers.length; i += 2) reply.header(headers[i]!, headers[i + 1]);
    exchangeOf(request.raw).sentElsewhere(reply.statusCode);
    done();
  });
  return { app, handler: handler! };
}

function listen(server: HttpServer, { host, port }: Pick<ServerConfig, 'host' | 'port'>): Promise<{ port: number }> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve({ port: (server.address() as AddressInfo).port });
    });
  });
}

async function close(
  app: FastifyInstance,
  servers: readonly HttpServer[],
  { serverState, clock }: { serverState: ServerState; clock: Clock },
): Promise<void> {
  serverState.stopping = true;
  // Nothing is read from these any more, so that they would not even keep the process alive until their time is up.
  for (const socket of serverState.lingering) socket.destroy();
  const cancels: (() => void)[] = [];
  const leave = (): void => {
    for (const server of servers) server.closeIdleConnections();
    cancels[0] = clock.after(leaveMs / 4, leave);
  };
  cancels[0] = clock.after(leaveMs, leave);
  cancels[1] = clock.after(stopRequestsMs, () => {
    for (const server of servers) server.closeAllConnections();
  });
  // Not http.Server's own close: that cuts idle connections at once, under the feet of clients about to use them.
  const closed = (server: HttpServer) =>
    new Promise<void>((resolve) => TcpServer.prototype.close.call(server, () => resolve()));
  await Promise.all(servers.map(closed));
  for (const cancel of cancels) cancel();
  for (const server of servers) server.close();
  await app.close();
}

function localUrl(server: HttpServer, { host, port, tls }: ServerConfig): string {
  const address = server.address();
  const inUse = typeof address === 'object' && address !== null ? address.port : port;
  const everywhere = ['127.0.0.1', '::1', '0.0.0.0', '::', 'localhost'].includes(host);
  const name = everywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `${tls === undefined ? 'http' : 'https'}://${name}:${inUse}`;
}
