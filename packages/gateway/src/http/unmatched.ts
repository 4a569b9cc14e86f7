/**
 * Unknown paths (404), known paths with another method (405 with `Allow`), and the list of routes behind both. All
 * answer with the envelope.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Exchange, exchangeOf, notSent, rejection, respond } from './exchange.ts';
import { type Pages, wantsHtml } from './pages.ts';
import { dataHeaders } from './portal-headers.ts';

/** Methods by path pattern, as registered; what the OpenAPI document is held against. */
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
 * Gives every known path an answer for every other method, and every other path a 404. Call after the last route. What is
 * returned answers a request with a method that the router has never heard of.
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
    asItsDoor(exchange);
    // Somebody who typed an address gets a page that helps on; programs get the envelope.
    const isPage = request.method === 'GET' && wantsHtml(request.headers.accept) && !isMachines.test(exchange.path);
    respond(reply, isPage ? { ...pages.home(request), status: 404, reason: 'NOT_FOUND' } : notFound());
  };
  app.setNotFoundHandler(unmatched);
  return unmatched;
}

/**
 * The methods with which the router would go on to a wider path: `/carriers/kinds` takes no POST, `/carriers/:carrierId`
 * does, and no carrier is called `kinds`.
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

/** As many characters as the router takes for a part of a path. */
const partCharactersMax = 100;

/**
 * Finds the methods that a path takes, as `Allow` has them; undefined for a path that nothing takes. Made at the first
 * request that no route took: a route for every other method of every path would cost each start a tenth of a second.
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
    // As the router chooses between two that fit: what is written out comes before a parameter, that before the rest.
    rank: url.replace(/:[^/]+/g, '\u{fffe}').replace('*', '\u{ffff}'),
  }));
  known.sort((one, other) => (one.rank < other.rank ? -1 : 1));
  return (path) => {
    try {
      // The router takes `OPTIONS *` and the form for a proxy, too.
      const decoded = decodeURI(path === '*' ? '/' : path.replace(/^https?:\/\/.*?\//, '/'));
      return known.find(({ fits }) => fits.test(decoded))?.allow;
    } catch {
      return undefined;
    }
  };
}

/** Paths that no person types. */
const isMachines = /^\/(?:api|media|assets|SendSMS)\b/;

export function notFound() {
  return rejection(
    'NOT_FOUND',
    `No operation has this path. A message is sent with POST /SendSMS; the others are in /openapi.json. ${notSent}`,
  );
}

/** What no route of the portal takes is answered with the headers of the portal all the same. */
function asItsDoor(exchange: Exchange): void {
  if (exchange.path.startsWith('/api/portal/')) exchange.standingHeaders = dataHeaders(false);
}

function refuseMethod(request: FastifyRequest, reply: FastifyReply, allow: string, pages: Pages): void {
  const exchange = exchangeOf(request.raw);
  const { path } = exchange;
  asItsDoor(exchange);
  const headers = ['Allow', allow];
  if (path === '/SendSMS' && request.method === 'GET' && wantsHtml(request.headers.accept)) {
    const page = pages.howToSend();
    respond(reply, { ...page, headers: [...headers, ...(page.headers ?? [])] });
    return;
  }
  const detail = `This path takes ${allow}, not ${request.method}. Use that. ${notSent}`;
  respond(reply, rejection('METHOD_NOT_ALLOWED', detail, { headers }));
}
