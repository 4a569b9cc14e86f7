/**
 * One TCP or TLS connection as the doors see it: how many of its requests still wait for their answer, and how it is
 * ended when a request cannot be read to its end. Knows bytes, no reason codes.
 */
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../domain/clock.ts';

/** How long a client may take to read the answer of a connection that we no longer read from. */
const lingerMs = 1_000;

const connectionKey = Symbol('connection');

export class Connection {
  readonly socket: Socket;
  /** Requests handed on and not answered yet; more than one only when the client sends without waiting. */
  unanswered = 0;
  /** What follows on this connection cannot be understood: close it when the last answer is out. */
  broken = false;
  /** The body of the newest request is still coming in. */
  readingBody = false;
  /** Nothing more is answered here. */
  ended = false;
  readonly #clock: Clock;

  constructor(socket: Socket, clock: Clock) {
    this.socket = socket;
    this.#clock = clock;
  }

  /**
   * Writes one last answer and stops reading. The socket is destroyed a little later: closing it at once while unread
   * bytes wait would reset the connection, and the client would never see why (RFC 9112 §9.6).
   */
  end(bytes: Buffer): void {
    if (this.ended) return;
    this.ended = true;
    this.socket.end(bytes);
    this.socket.pause();
    const cancel = this.#clock.after(lingerMs, () => this.socket.destroy());
    this.socket.once('close', cancel);
  }
}

/** Begins the book-keeping of a socket; call once when it connects. */
export function openConnection(socket: Socket, clock: Clock): void {
  (socket as SocketWithConnection)[connectionKey] = new Connection(socket, clock);
}

/** Undefined for a socket whose TLS handshake never ended. */
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
