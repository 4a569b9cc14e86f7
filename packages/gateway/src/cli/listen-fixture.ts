/**
 * For tests of `helio listen` and `helio trigger`: a gateway with an event log, and a local server that records
 * requests.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { webhooks } from '@heliograph/client';
import { onTestFinished } from 'vitest';

export interface LoggedEvent {
  id: string;
  type: string;
  timestamp: string;
  data: Record<string, unknown>;
}

export function event(n: number, type = 'message.received'): LoggedEvent {
  return { id: `evt_${n}`, type, timestamp: '2026-01-01T00:00:00.000Z', data: { sequence: n, text: 'Grüße ✓' } };
}

export interface FakeGateway {
  baseUrl: string;
  /** Every request, method and path with query. */
  requests: string[];
  /** Adds to the log and answers waiting requests. */
  log(...events: LoggedEvent[]): void;
  /** Cuts every connection, and each new one until `up`. */
  down(): void;
  up(): void;
  /** The answer to every request from now on; null as usual. */
  answer: { status: number; reason: string } | null;
}

export async function fakeGateway(): Promise<FakeGateway> {
  const logged: LoggedEvent[] = [];
  const waiting = new Set<() => void>();
  let isDown = false;
  const gateway: Omit<FakeGateway, 'baseUrl'> = {
    requests: [],
    log: (...events) => {
      logged.push(...events);
      for (const answer of [...waiting]) answer();
    },
    down: () => {
      isDown = true;
      waiting.clear();
      server.closeAllConnections();
    },
    up: () => {
      isDown = false;
    },
    answer: null,
  };

  /** A cursor is the number of events before it; the id of an event means the position after it. */
  const placeOf = (after: string | null) => {
    if (after === null) return 0;
    if (after === 'latest') return logged.length;
    const index = logged.findIndex(({ id }) => id === after);
    return index === -1 ? Number(after.replace('pos_', '')) : index + 1;
  };

  function events(url: URL, response: ServerResponse): void {
    const place = placeOf(url.searchParams.get('after'));
    const types = url.searchParams.get('types')?.split(',');
    const answer = (): void => {
      const found = logged.slice(place).filter(({ type }) => types?.includes(type) ?? true);
      if (found.length === 0 && url.searchParams.has('wait')) return void waiting.add(answer);
      waiting.delete(answer);
      send(response, 200, { success: true, reason: 'SUCCESS', detail: '', data: found, next: `pos_${logged.length}` });
    };
    answer();
  }

  const server = await listening((request, response, body) => {
    if (isDown) return void request.socket.destroy();
    gateway.requests.push(`${request.method} ${request.url}`);
    const url = new URL(request.url!, 'http://gateway');
    if (gateway.answer !== null) {
      const { status, reason } = gateway.answer;
      send(response, status, { success: false, reason, detail: 'Why.' });
    } else if (url.pathname === '/api/v1/events') events(url, response);
    else
      send(response, 200, {
        success: true,
        reason: 'SUCCESS',
        detail: '',
        data: { id: 'evt_made', ...JSON.parse(body) },
      });
  });
  return Object.assign(gateway, { baseUrl: urlOf(server) });
}

export interface LocalServer {
  url: string;
  /** Received events with valid signatures. */
  got: { id: string; type: string; data: unknown }[];
  requests: number;
  /** Statuses of the next answers; 200 after the last. */
  statuses: number[];
}

/** A customer's server: verifies signatures with `secret` and answers. */
export async function localServer(secret: () => string, port = 0): Promise<LocalServer> {
  const local: Omit<LocalServer, 'url'> = { got: [], requests: 0, statuses: [] };
  const server = await listening((request, response, body) => {
    local.requests++;
    local.got.push(webhooks.verify(body, request.headers, secret()));
    const status = local.statuses.shift() ?? 200;
    response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end('any answer');
  }, port);
  return Object.assign(local, { url: `${urlOf(server)}/hooks` });
}

async function listening(
  handle: (request: IncomingMessage, response: ServerResponse, body: string) => void,
  port = 0,
): Promise<Server> {
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => handle(request, response, body));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return server;
}

function urlOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
