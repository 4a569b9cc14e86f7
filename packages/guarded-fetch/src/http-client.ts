/**
 * The HTTP engine on an open, checked socket. Loaded with the first connection: undici is more than a megabyte, and
 * many programs never make a request.
 */
import type { Socket } from 'node:net';
import { Client, type Dispatcher } from 'undici';
import { headerBytesMax, skipContinue } from './skip-continue.ts';

/**
 * A client bound to `socket`. Its own time-outs are off, except the `idleMs` of a free connection: the exchange has its
 * own.
 */
export function clientOver(socket: Socket, origin: string, idleMs: number): Dispatcher {
  let free = true;
  const expectHead = skipContinue(socket);
  const client = new Client(origin, {
    connect: (_options, done) => {
      const first = free;
      free = false;
      // Undici does not continue when the callback runs before `connect` returns.
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
  return client.compose((dispatch) => (options, handler) => {
    expectHead();
    return dispatch(options, handler);
  });
}
