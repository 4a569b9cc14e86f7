/** `GET /metrics` on the gateway's port, for clients with the token. */
import { exchangeOf, respond } from '../../http/exchange.ts';
import type { RouteModule } from '../../http/server.ts';
import type { Scrape } from './scrape.ts';

const challenge = ['WWW-Authenticate', 'Bearer'] as const;

export function metricsRoute(scrape: Scrape): RouteModule {
  return (app, { fail }) => {
    app.get('/metrics', (request, reply) => {
      scrape(request.headers.authorization).then(
        ({ status, contentType, body }) => {
          const isRefused = status !== 200;
          const reason = isRefused ? 'NOT_AUTHORIZED' : 'SUCCESS';
          respond(reply, { status, reason, contentType, body, ...(isRefused && { headers: challenge }) });
        },
        (error: unknown) => {
          reply.hijack();
          fail(exchangeOf(request.raw), error);
        },
      );
    });
  };
}
