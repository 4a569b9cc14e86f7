/**
 * One raw keep-alive HTTP/1.1 connection with at most one request under way, for senders that must use little CPU and
 * must see exactly which answers came back. Reads only answers with Content-Length. Never retries.
 */
import { createConnection, type Socket } from 'node:net';

export interface HttpAnswer {
  status: number;
  /** Whether the answer has a Retry-After. */
  retryAfter: boolean;
  /** Undecoded; decode it only if you need it. */
  body: Buffer;
}

export interface HttpConnection {
  /**
   * Connects when needed and writes `request`; exactly one of the two callbacks follows. Call again only after that.
   */
  send(request: Buffer | string): void;
  close(): void;
}

const headEnd = Buffer.from('\r\n\r\n');

/** `answered` gets each complete answer; `broken` means that the connection ended before the answer. */
export function createHttpConnection(
  port: number,
  callbacks: { answered: (answer: HttpAnswer) => void; broken: (cause: string) => void },
): HttpConnection {
  let socket: Socket | null = null;
  let waiting = false;
  let received: Buffer | null = null;

  function ended(from: Socket, cause: string): void {
    if (socket !== from) return;
    socket = null;
    received = null;
    from.destroy();
    if (!waiting) return;
    waiting = false;
    callbacks.broken(cause);
  }

  function read(from: Socket, chunk: Buffer): void {
    if (socket !== from) return;
    received = received === null ? chunk : Buffer.concat([received, chunk]);
    const head = received.indexOf(headEnd);
    if (head === -1) return;
    const header = received.toString('latin1', 0, head);
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(header)?.[1] ?? '0');
    const total = head + 4 + length;
    if (received.length < total) return;
    const answer = {
      status: Number(header.slice(9, 12)),
      retryAfter: /\r\nretry-after:/i.test(header),
      body: received.subarray(head + 4, total),
    };
    received = null;
    waiting = false;
    if (/\r\nconnection: *close/i.test(header)) {
      socket = null;
      from.destroy();
    }
    callbacks.answered(answer);
  }

  function connect(): Socket {
    const opened = createConnection({ port, host: '127.0.0.1', noDelay: true });
    opened.on('data', (chunk: Buffer) => read(opened, chunk));
    opened.on('error', (error: NodeJS.ErrnoException) => ended(opened, error.code ?? error.message));
    opened.on('close', () => ended(opened, 'closed'));
    return opened;
  }

  return {
    send: (request) => {
      waiting = true;
      socket ??= connect();
      socket.write(request);
    },
    close: () => {
      waiting = false;
      socket?.destroy();
      socket = null;
    },
  };
}
