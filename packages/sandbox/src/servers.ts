/** Shared by the servers of the package: listening on a well-known port, and reading a bounded body. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, ListenOptions, Server } from 'node:net';
import type { Logger } from './machine.ts';

export interface Listening {
  host: string;
  /** 0 = any. */
  preferredPort: number;
  /** Accept no other port. */
  exact?: boolean;
  logger: Logger;
  what: string;
}

/**
 * The port in use. Rejects when no port can be listened on, or not the `exact` one. `what`: begins the line of the log.
 */
export async function listenPreferred(
  server: Server,
  { host, preferredPort, exact = false, logger, what }: Listening,
): Promise<number> {
  try {
    return await listenOn(server, { host, port: preferredPort });
  } catch (err) {
    if (preferredPort === 0 || exact) throw err;
    const port = await listenOn(server, { host, port: 0 });
    logger.info({ preferredPort, port }, `${what} took another port: the usual one is in use`);
    return port;
  }
}

function listenOn(server: Server, options: ListenOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(options, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

/** Calls `done` with a complete body within the limit; answers larger ones itself. */
export function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  bytesMax: number,
  done: (body: Buffer) => void,
): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= bytesMax) chunks.push(chunk);
    else if (!response.writableEnded) end(response, 413);
  });
  request.on('end', () => {
    if (bytes <= bytesMax) done(Buffer.concat(chunks, bytes));
  });
}

export function end(response: ServerResponse, status: number): void {
  // Unread bytes would be taken for the next request.
  if (!response.req.complete) response.setHeader('connection', 'close');
  response.writeHead(status).end();
}

/** As written in a URL (RFC 3986 §3.2.2: an IPv6 address in brackets). */
export function atPort(host: string, port: number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}
