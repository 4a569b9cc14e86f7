/**
 * The server for the gateways of other cells: the same routes as the public one, and what cells ask each other. Both sides prove
 * the shared secret in the TLS handshake (TLS-PSK), and name the cell they are and the cell they mean.
 */
import { constants } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { Socket } from 'node:net';
import { ClientSockets } from './client-sockets.ts';
import { openConnection } from './connection.ts';
import { type EdgeCaps, serverOptions, takeRequests } from './edge.ts';
import { cellPaths, type Exchange, exchangeOf, type ServerState } from './exchange.ts';

/** The key of connections between cells, and the only cipher: forward secrecy, and no certificate to issue and renew. */
export interface CellKey {
  psk: Buffer;
}

export const cellTls = {
  minVersion: 'TLSv1.2',
  maxVersion: 'TLSv1.2',
  ciphers: 'ECDHE-PSK-CHACHA20-POLY1305',
} as const;

/** What a gateway says of itself in the handshake. */
export function cellIdentity(from: string, to: string): string {
  return `helio-cell ${from} ${to}`;
}

export interface CellServerParts {
  /** The name of this cell. */
  name: string;
  /** The names of the others. */
  others: readonly string[];
  key: CellKey;
  caps: EdgeCaps;
  /** The public routes. */
  handler: RequestListener;
  /** Answers what a cell asks. */
  calls(exchange: Exchange): void;
}

/** A request grows by the address of its client. */
const addedHeaders = 4;
const addedBytes = 1_024;
/** Longer than another gateway keeps an idle connection, or it would now and then send into one that is being closed. */
const keepAliveTimeoutMs = 90_000;
const strangersEveryMs = 60_000;

export function createCellServer(
  serverState: ServerState,
  { name, others, key, caps, handler, calls }: CellServerParts,
): Server {
  const wider: EdgeCaps = {
    ...caps,
    keepAliveTimeoutMs,
    headersCountMax: caps.headersCountMax + addedHeaders,
    headerBytesMax: caps.headerBytesMax + addedBytes,
  };
  const own: ServerState = {
    ...serverState,
    // One gateway carries many clients.
    unread: new ClientSockets(0, []),
    get stopping() {
      return serverState.stopping;
    },
  };
  const cells = new Map(others.map((cell) => [cellIdentity(cell, name), cell]));
  const from = new WeakMap<object, string>();
  const server = createServer({
    ...serverOptions(wider),
    ...cellTls,
    // A resumed session would name no cell.
    secureOptions: constants.SSL_OP_NO_TICKET,
    pskCallback: (socket, identity) => {
      const cell = cells.get(identity);
      if (cell === undefined) return null;
      from.set(socket, cell);
      return key.psk;
    },
  });
  server.on('secureConnection', (socket: Socket) => openConnection(socket, own, from.get(socket) ?? null));
  let loggedMs = Number.NEGATIVE_INFINITY;
  server.on('tlsClientError', (err, socket) => {
    if (serverState.clock.monotonicMs() - loggedMs < strangersEveryMs) return;
    loggedMs = serverState.clock.monotonicMs();
    const { remoteAddress: address } = socket;
    serverState.logger.warn({ err, address }, 'somebody without the secret of cells tried to connect');
  });
  return takeRequests(server, own, {
    caps: wider,
    handler: (request, response) => {
      const exchange = exchangeOf(request);
      // A connection without a cell has not come through the handshake above.
      if (exchange.connection.fromCell === null) request.socket.destroy();
      else if (exchange.path.startsWith(cellPaths)) calls(exchange);
      else handler(request, response);
    },
  }) as Server;
}
