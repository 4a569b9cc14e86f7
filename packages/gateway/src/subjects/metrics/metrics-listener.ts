/** A listener for scrapes only, so that the figures need not be where customers reach the gateway. Plain HTTP. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IsOwnHost } from '../../http/own-hosts.ts';
import { createServer } from '../../kernel/node-http.ts';
import type { Scrape } from './scrape.ts';

/** A Prometheus server needs one. */
const connectionsMax = 16;
const requestTimeoutMs = 5_000;
const headerBytesMax = 8 * 1_024;
/** A client may take this long to read the answer. */
const socketTimeoutMs = 15_000;

export interface MetricsListener {
  /** Resolves with the port. Rejects when it cannot be bound. */
  listen(place: { host: string; port: number }): Promise<number>;
  close(): Promise<void>;
}

export interface MetricsListenerParts {
  scrape: Scrape;
  /** Whether a request may use this host name; absent where a token is required, because a web page cannot have it. */
  isOwnHost?: IsOwnHost | undefined;
  /** A scrape failed. */
  failed(error: unknown): void;
}

export function createMetricsListener({ scrape, isOwnHost, failed }: MetricsListenerParts): MetricsListener {
  const server = createServer(
    {
      requestTimeout: requestTimeoutMs,
      headersTimeout: requestTimeoutMs,
      maxHeaderSize: headerBytesMax,
    },
    (request, response) => {
      answer(request, response).catch((error: unknown) => {
        failed(error);
        response.destroy();
      });
    },
  );
  server.maxConnections = connectionsMax;
  server.timeout = socketTimeoutMs;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url = '/' } = request;
    const { host = '' } = request.headers;
    if (isOwnHost?.(host, request.socket.localAddress) === false) {
      return end(response, 421, {}, 'This gateway does not go by that name. Use its address.\n');
    }
    if (url.split('?')[0] !== '/metrics') return end(response, 404, {}, 'Only /metrics is here.\n');
    if (method !== 'GET' && method !== 'HEAD') return end(response, 405, { Allow: 'GET, HEAD' }, 'Use GET.\n');
    const { status, contentType, body } = await scrape(request.headers.authorization);
    const challenge: Record<string, string> = status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {};
    end(response, status, { 'Content-Type': contentType, ...challenge }, body);
  }

  return {
    listen: ({ host, port }) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen({ host, port }, () => {
          server.off('error', reject);
          resolve((server.address() as AddressInfo).port);
        });
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function end(response: ServerResponse, status: number, headers: Record<string, string>, body: string): void {
  response.writeHead(status, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...headers,
  });
  response.end(body);
}
