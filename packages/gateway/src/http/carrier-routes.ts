/**
 * `POST /carriers/{carrierId}/…`: requests of carriers that speak HTTP, at the paths that each kind declares. The
 * carrier's adapter authenticates the request before it reads the body, and answers in its protocol. Contents are
 * never logged here.
 */
import type { X509Certificate } from 'node:crypto';
import { TLSSocket } from 'node:tls';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { carrierKinds } from '../carriers/kinds.ts';
import type { Clock } from '../kernel/clock.ts';
import type { CarrierAnswer, CarrierRequest } from '../model/carrier-http.ts';
import { type Answer, type Exchange, exchangeOf, rejection, respond, retryAfter } from './exchange.ts';
import { readBody } from './input.ts';
import type { RouteModule } from './server.ts';
import { untilGone } from './until-gone.ts';

/** Bodies held at one time, over all carriers. */
export const carrierBodiesMax = 16;
/** Bodies held for one carrier, so that the others can still send. */
export const bodiesPerCarrierMax = 8;

export interface CarrierRouteParts {
  /** The running adapter of an enabled carrier; `http` only when its kind receives HTTP. */
  carrier(carrierId: string): { http?(request: CarrierRequest): Promise<CarrierAnswer> } | undefined;
}

export function carrierRoutes({ carrier }: CarrierRouteParts): RouteModule {
  return (app, { clock, fail }) => {
    let bodies = 0;
    const bodiesOf = new Map<string, number>();

    const hold = (carrierId: string, more: 1 | -1): void => {
      bodies += more;
      const own = (bodiesOf.get(carrierId) ?? 0) + more;
      if (own === 0) bodiesOf.delete(carrierId);
      else bodiesOf.set(carrierId, own);
    };

    for (const path of new Set(carrierKinds.flatMap(({ httpPaths }) => httpPaths))) {
      app.post(`/carriers/:carrierId/${path}`, (request, reply) => take(request, reply));
    }

    function take(request: FastifyRequest, reply: FastifyReply): void {
      const exchange = exchangeOf(request.raw);
      const { carrierId } = request.params as { carrierId: string };
      const found = carrier(carrierId);
      if (found?.http === undefined) {
        respond(reply, unknownCarrier);
        return;
      }
      if (bodies >= carrierBodiesMax || (bodiesOf.get(carrierId) ?? 0) >= bodiesPerCarrierMax) {
        respond(reply, tooMany);
        return;
      }
      hold(carrierId, 1);
      exchange.route = request.routeOptions.url ?? null;
      reply.hijack();
      handOn(exchange, found.http(carrierRequest(request, exchange, clock)))
        .catch((error: unknown) => fail(exchange, error))
        .finally(() => hold(carrierId, -1));
    }
  };
}

/** Resolves when the request is answered or the peer is gone: if a body never ends, the adapter would wait for ever. */
async function handOn(exchange: Exchange, answering: Promise<CarrierAnswer>): Promise<void> {
  const answered = await untilGone(exchange, (signal) => {
    const gone = new Promise<null>((resolve) => signal.addEventListener('abort', () => resolve(null)));
    return Promise.race([answering, gone]);
  });
  if (answered === null) return;
  const { status, headers, body } = answered;
  exchange.send({ status, reason: status === 200 ? 'SUCCESS' : 'OTHER', body, ...typed(headers) });
}

function carrierRequest(request: FastifyRequest, exchange: Exchange, clock: Clock): CarrierRequest {
  const headers: Record<string, string | undefined> = Object.create(null);
  for (const [name, value] of Object.entries(request.headers)) {
    if (typeof value === 'string') headers[name] = value;
  }
  return {
    headers,
    body: (bytesMax) =>
      new Promise((resolve) => {
        const { connection } = exchange;
        exchange.askForBody();
        connection.reading = request.raw;
        readBody(request.raw, { clock, bytesMax }, (result) => {
          connection.reading = null;
          resolve(result.kind === 'read' ? result.bytes : result.kind);
        });
      }),
    remoteAddress: request.ip,
    clientCertSha256: fingerprintOf(request.raw.socket),
  };
}

/**
 * The fingerprint of the certificate whose key the peer proved to hold. The issuer does not matter: the certificate is
 * pinned.
 */
function fingerprintOf(socket: unknown): string | null {
  if (!(socket instanceof TLSSocket)) return null;
  const shown: X509Certificate | undefined = socket.getPeerX509Certificate();
  return shown === undefined ? null : shown.fingerprint256.replaceAll(':', '').toLowerCase();
}

function typed(headers: Readonly<Record<string, string>>): Pick<Answer, 'contentType' | 'headers'> {
  const { 'content-type': contentType, ...others } = headers;
  return { contentType, headers: Object.entries(others).flat() };
}

const unknownCarrier = rejection('NOT_FOUND', 'No carrier that sends over HTTP has this id.');

const tooMany = rejection(
  'TEMPORARILY_UNAVAILABLE',
  'Too many requests from carriers at this moment. Send the same again a little later.',
  { headers: retryAfter(1) },
);
