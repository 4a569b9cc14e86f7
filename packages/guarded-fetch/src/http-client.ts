/**
 * The HTTP engine on an open, checked socket. Loaded with the first connection: undici is more than a megabyte, and
 * many programs never make a request.
 */
import type { Socket } from 'node:net';
import { Client, type Dispatcher } from 'undici';

const headerBytesMax = 16_384;

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

const continueMark = 'HTTP/1.1 100';
const headEnd = '\r\n\r\n';

/**
 * Takes `100 Continue` out of what undici reads from `socket`: RFC 9110 §15.2 lets a server send it unasked, and undici
 * ends such a connection. Returns a function to call before each request: only the beginning of an answer is looked at.
 */
function skipContinue(socket: Socket): () => void {
  const read = socket.read.bind(socket);
  let atHead = false;
  let held = Buffer.alloc(0);
  socket.read = (size) => {
    const chunk: Buffer | null = read(size);
    if (!atHead || chunk === null) return chunk;
    held = Buffer.concat([held, chunk]);
    while (continueMark.startsWith(held.toString('latin1', 0, continueMark.length))) {
      const end = held.indexOf(headEnd);
      if (end < 0 && held.length < headerBytesMax) return null;
      if (end < 0) break;
      held = held.subarray(end + headEnd.length);
    }
    atHead = false;
    const passedOn = held;
    held = Buffer.alloc(0);
    return passedOn;
  };
  return () => {
    atHead = true;
  };
}
