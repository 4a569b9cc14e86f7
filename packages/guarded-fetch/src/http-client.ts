/**
 * The HTTP engine over a socket that is open and checked. Loaded with the first connection: undici is more than a megabyte,
 * and many programs ask nobody.
 */
import type { Socket } from 'node:net';
import { Client } from 'undici';

const headerBytesMax = 16_384;

/**
 * A client that lives and dies with `socket`. Its own time limits are off, but for the `idleMs` of a free connection: the
 * exchange keeps the time.
 */
export function clientOver(socket: Socket, origin: string, idleMs: number): Client {
  let free = true;
  return new Client(origin, {
    connect: (_options, done) => {
      const first = free;
      free = false;
      // Undici does not go on by itself when it is called back before `connect` returns.
      queueMicrotask(() => (first ? done(null, socket) : done(new Error('The connection is gone.'), null)));
    },
    allowH2: false,
    pipelining: 1,
    maxHeaderSize: headerBytesMax,
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: idleMs,
    keepAliveMaxTimeout: idleMs,
  });
}
