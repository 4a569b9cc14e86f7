/** One TCP or TLS connection: requests in flight, and closing it when a request cannot be read to its end. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../kernel/clock.ts';
import { STATUS_CODES } from '../kernel/node-http.ts';
import type { ClientSockets } from './client-sockets.ts';
import type { Admitted } from './sent-pair.ts';

/** How long a client may take to read the answer on a connection that we no longer read from. */
const lingerMs = 1_000;
/** How long a client may take to read any other answer, unless the answer sets a longer time. */
const readAnswerMs = 15_000;

const nothing = (): void => {};
const connectionKey = Symbol('connection');

/** What all connections of one server share. */
export interface ListenerState {
  clock: Clock;
  /** True once the server is stopping: each answer then carries `Connection: close`. */
  stopping: boolean;
  /** Sockets kept open only until their client has read the last answer. */
  lingering: Set<Socket>;
  /** Sockets whose client has an answer to read. */
  unread: ClientSockets;
}

export class Connection {
  readonly socket: Socket;
  /** Requests handed on and not answered yet; more than one only when the client pipelines. */
  unanswered = 0;
  /** The rest of the input on this connection cannot be parsed: close it after the last answer. */
  broken = false;
  /** The last answer is known, and sent after the earlier ones: no further request is taken. */
  closing = false;
  /** The request whose body is being read. */
  reading: IncomingMessage | null = null;
  /** No further request is answered on this connection. */
  ended = false;
  /** The cell whose gateway is at the other end; null for everybody else. */
  fromCell: string | null = null;
  /** Holds a secret. Null until a request is let in. */
  admitted: Admitted | null = null;
  readonly #listenerState: ListenerState;

  constructor(socket: Socket, listenerState: ListenerState) {
    this.socket = socket;
    this.#listenerState = listenerState;
  }

  /** True when the only unanswered request is one whose body is still incomplete. */
  get awaitsBody(): boolean {
    return this.unanswered === 1 && this.reading !== null && !this.reading.complete;
  }

  /**
   * Writes one last answer and stops reading. The socket is destroyed a little later: closing it at once while unread
   * bytes wait would reset the connection, and the client would never see why (RFC 9112 §9.6).
   */
  end(bytes: Buffer): void {
    if (this.ended) return;
    this.ended = true;
    const { socket } = this;
    const { clock, lingering, stopping } = this.#listenerState;
    socket.end(bytes);
    socket.pause();
    if (stopping) {
      socket.destroySoon();
      return;
    }
    lingering.add(socket);
    const cancel = clock.after(lingerMs, () => socket.destroy());
    socket.once('close', () => {
      lingering.delete(socket);
      cancel();
    });
  }

  /**
   * Call after writing an answer, or a piece of a long one. Cuts off a client that does not read it in time; when its
   * address leaves too many answers unread, cuts off the one that has waited longest. The returned function removes the
   * limit, as does the end of the answer.
   */
  limitReading(response: ServerResponse, limitMs = readAnswerMs): () => void {
    const { socket } = this;
    // Pieces of a long answer are buffered in the response, other answers in the socket.
    if (socket.writableLength === 0 && response.writableLength === 0) return nothing;
    const { clock, unread } = this.#listenerState;
    unread.add(socket)?.destroy();
    const cancel = clock.after(limitMs, () => socket.destroy());
    const over = (): void => {
      cancel();
      unread.remove(socket);
      response.off('finish', over);
      response.off('close', over);
    };
    response.once('finish', over);
    response.once('close', over);
    return over;
  }
}

/** Begins the book-keeping of a socket; call once when it connects. */
export function openConnection(socket: Socket, listenerState: ListenerState, fromCell: string | null = null): void {
  // Node keeps the address in the socket once it is asked for: asked here, all sockets are of one shape, which the code
  // that V8 compiles for them counts on. A client that reset the connection before it was taken has no address any more,
  // though what it sent could still be read.
  if (socket.remoteAddress === undefined) {
    socket.destroy();
    return;
  }
  const connection = new Connection(socket, listenerState);
  connection.fromCell = fromCell;
  (socket as SocketWithConnection)[connectionKey] = connection;
}

/** Undefined for a socket whose TLS handshake never ended, or whose client was gone before. */
export function connectionOf(socket: Socket): Connection | undefined {
  return (socket as SocketWithConnection)[connectionKey];
}

type SocketWithConnection = Socket & { [connectionKey]?: Connection };

/** A whole HTTP/1.1 answer as bytes; `headers` are name, value, name, value. */
export function answerBytes(status: number, headers: readonly string[], body: string | Buffer): Buffer {
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n`;
  for (let i = 0; i < headers.length; i += 2) head += `${headers[i]}: ${headers[i + 1]}\r\n`;
  return Buffer.concat([Buffer.from(`${head}\r\n`, 'latin1'), Buffer.from(body)]);
}
