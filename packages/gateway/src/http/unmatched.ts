/**
 * Answers unknown paths (404) and known paths with another method (405 with `Allow`), and keeps the list of routes that
 * both need. All answers use the envelope.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Exchange, exchangeOf, notSent, rejection, respond } from './exchange.ts';
import { type Pages, wantsHtml } from './pages.ts';
import { dataHeaders } from './portal-headers.ts';

/** Methods by path pattern, as registered; a test compares the OpenAPI document with it. */
export type RouteList = Map<string, string[]>;

const refusesMethods = { refusesMethods: true };

/** Watches registrations; call before the first route. */
export function watchRoutes(app: FastifyInstance): RouteList {
  const routes: RouteList = new Map();
  app.addHook('onRoute', ({ url, method, config }) => {
    if (config === refusesMethods) return;
    routes.set(url, [...(routes.get(url) ?? []), ...[method].flat()]);
  });
  return routes;
}

export type Unmatched = (request: FastifyRequest, reply: FastifyReply) => void;

/**
 * Answers every other method of a known path with 405 and every unknown path with 404. Call after the last route. The
 * returned function answers requests whose method the router does not know.
 */
export function answerUnmatched(app: FastifyInstance, routes: RouteList, pages: Pages): Unmatched {
  for (const { url, methods, others } of fallThrough(routes)) {
    const handler: Unmatched = (request, reply) => refuseMethod(request, reply, listed(methods), pages);
    app.route({ url, method: others, config: refusesMethods, handler });
  }
  let allowed: ((path: string) => string | undefined) | undefined;
  const unmatched: Unmatched = (request, reply) => {
    const exchange = exchangeOf(request.raw);
    allowed ??= createAllowed(routes);
    const allow = allowed(exchange.path);
    if (allow !== undefined) {
      refuseMethod(request, reply, allow, pages);
      return;
    }
    withRouteHeaders(exchange);
    // A person who typed an address gets a helpful page; programs get the envelope.
    const isPage = request.method === 'GET' && wantsHtml(request.headers.accept) && !isMachines.test(exchange.path);
    respond(reply, isPage ? { ...pages.home(request), status: 404, reason: 'NOT_FOUND' } : notFound());
  };
  app.setNotFoundHandler(unmatched);
  return unmatched;
}

/**
 * Methods with which the router would fall through to a wider path: `/carriers/kinds` takes no POST but
 * `/carriers/:carrierId` does, and no carrier is called `kinds`.
 */
function* fallThrough(routes: RouteList): Generator<{ url: string; methods: string[]; others: string[] }> {
  const all = [...routes].map(([url, methods]) => ({ url, methods, parts: url.split('/') }));
  const wide = all.filter(({ url }) => url.includes('/:'));
  for (const { url, methods, parts } of all) {
    const wider = wide.filter(
      (other) =>
        other.url !== url &&
        other.parts.length === parts.length &&
        other.parts.every((part, place) => part === parts[place] || part.startsWith(':')),
    );
    const others = new Set(wider.flatMap((other) => other.methods).filter((method) => !methods.includes(method)));
    if (others.size > 0) yield { url, methods, others: [...others] };
  }
}

function listed(methods: readonly string[]): string {
  return [...new Set(methods)].sort().join(', ');
}

/** The longest path segment that the router accepts. */
const partCharactersMax = 100;

/**
 * Finds the methods that a path takes, as `Allow` lists them; undefined for an unknown path. Built at the first request
 * that no route took: registering a route for every other method of every path would add a tenth of a second to each
 * start.
 */
function createAllowed(routes: RouteList): (path: string) => string | undefined {
  const known = [...routes].map(([url, methods]) => ({
    fits: new RegExp(
      `^${url
        .split('/')
        .map((part) =>
          part.startsWith(':') ? `[^/]{0,${partCharactersMax}}` : part.replace(/[.+]/g, '\\$&').replace('*', '.*'),
        )
        .join('/')}$`,
    ),
    allow: listed(methods),
    // Ranks like the router: literal segments before parameters, those before wildcards.
    rank: url.replace(/:[^/]+/g, '\u{fffe}').replace('*', '\u{ffff}'),
  }));
  known.sort((one, other) => (one.rank < other.rank ? -1 : 1));
  return (path) => {
    try {
      // The router also takes `OPTIONS *` and the form for a proxy.
      const decoded = decodeURI(path === '*' ? '/' : path.replace(/^https?:\/\/.*?\//, '/'));
      return known.find(({ fits }) => fits.test(decoded))?.allow;
    } catch {
      return undefined;
    }
  };
}

/** Paths that only programs request. */
const isMachines = /^\/(?:api|media|assets|SendSMS)\b/;

export function notFound() {
  return rejection(
    'NOT_FOUND',
    `No operation has this path. A message is sent with POST /SendSMS; the others are in /openapi.json. ${notSent}`,
  );
}

/** Adds the portal's headers to answers below its path, even when no route took the request. */
function withRouteHeaders(exchange: Exchange): void {
  if (exchange.path.startsWith('/api/portal/')) exchange.fixedHeaders = dataHeaders(false);
}

function refuseMethod(request: FastifyRequest, reply: FastifyReply, allow: string, pages: Pages): void {
  const exchange = exchangeOf(request.raw);
  const { path } = exchange;
  withRouteHeaders(exchange);
  const headers = ['Allow', allow];
  if (path === '/SendSMS' && request.method === 'GET' && wantsHtml(request.headers.accept)) {
    const page = pages.howToSend();
    respond(reply, { ...page, headers: [...headers, ...(page.headers ?? [])] });
    return;
  }
  const detail = `This path takes ${allow}, not ${request.method}. Use that. ${notSent}`;
  respond(reply, rejection('METHOD_NOT_ALLOWED', detail, { headers }));
}
