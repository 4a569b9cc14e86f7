/**
 * Unknown paths (404), known paths with another method (405 with `Allow`), and the list of routes behind both. All
 * answer with the envelope.
 */
import { METHODS } from 'node:http';
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

/** Gives every known path an answer for every other method, and every other path a 404. Call after the last route. */
export function answerUnmatched(app: FastifyInstance, routes: RouteList, pages: Pages): void {
  for (const method of METHODS)
    if (!app.supportedMethods.includes(method) && method !== 'CONNECT') app.addHttpMethod(method);
  for (const [url, methods] of [...routes]) {
    const allow = [...new Set(methods)].sort().join(', ');
    const others = app.supportedMethods.filter((method) => !methods.includes(method));
    app.route({
      url,
      method: others,
      config: refusesMethods,
      // In the first hook: no body is ever read for this answer.
      onRequest: (request, reply) => refuseMethod(request, reply as FastifyReply, allow, pages),
      handler: () => {},
    });
  }
  app.setNotFoundHandler((request, reply) => {
    const exchange = exchangeOf(request.raw);
    asItsDoor(exchange);
    // Somebody who typed an address gets a page that helps on; programs get the envelope.
    const isPage = request.method === 'GET' && wantsHtml(request.headers.accept) && !isMachines.test(exchange.path);
    respond(reply, isPage ? { ...pages.home(request), status: 404, reason: 'NOT_FOUND' } : notFound());
  });
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
