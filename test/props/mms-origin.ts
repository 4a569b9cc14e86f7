/**
 * A web server on loopback for customers' media URLs: each URL is a medium of its own, each request is counted, and
 * some URLs misbehave. Independent of the product. It never judges: the tests do.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { crc32, deflateSync, gzipSync } from 'node:zlib';

/**
 * `card`: a vCard, which is not converted; `picture`: a PNG of some hundred bytes; `large`: one of over 600 KB, which
 * must be fitted; `changing`: a picture with other pixels at each request.
 */
export type OriginMedium = 'card' | 'picture' | 'large' | 'changing';
/**
 * `never` accepts the request and does not answer; `drip` sends a byte now and then; `short` announces more bytes than
 * it sends; `endless` never stops; `bomb` is small and inflates to 100 MB.
 */
export type OriginFault = 'never' | 'drip' | 'short' | 'endless' | 'bomb';

export interface MmsOrigin {
  /** `number` makes the medium, and so its hash, unique. */
  url(what: OriginMedium | OriginFault, number: number): string;
  /** Requests by URL. */
  readonly requests: ReadonlyMap<string, number>;
  /** Wait before each answer. May be changed while it runs. */
  delayMs: number;
  /** Bytes written to connections whose request wanted an endless answer. */
  endlessBytes(): number;
  stop(): Promise<void>;
}

/** 3 × 500 × 500 bytes of noise: no smaller PNG can hold it. */
const largeEdge = 500;
const smallEdge = 8;
const dripEveryMs = 500;
const pourEveryMs = 5;
const inflatedBytes = 100 * 1024 * 1024;
const chunk = Buffer.alloc(64 * 1024, 0x5a);

export async function startMmsOrigin(): Promise<MmsOrigin> {
  const requests = new Map<string, number>();
  const sockets = new Set<Socket>();
  const endless: Socket[] = [];
  let endlessClosed = 0;
  let base = '';
  const server = createServer((request, response) => {
    const url = base + request.url;
    const count = (requests.get(url) ?? 0) + 1;
    requests.set(url, count);
    const [, what, number] = /^\/([a-z]+)\/(\d+)$/.exec(request.url ?? '') ?? [];
    setTimeout(() => answer(what as OriginMedium | OriginFault, Number(number), count), origin.delayMs);

    function answer(kind: OriginMedium | OriginFault, own: number, nth: number): void {
      if (kind === 'card') whole(response, card(own));
      else if (kind === 'picture') whole(response, picture(own, smallEdge));
      else if (kind === 'large') whole(response, picture(own, largeEdge));
      else if (kind === 'changing') whole(response, picture(own * 1_000 + nth, smallEdge));
      else if (kind === 'endless') pourAll(request, response);
      else misbehave(kind, response);
    }
  });

  function pourAll(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    endless.push(socket);
    socket.once('close', () => {
      endlessClosed += socket.bytesWritten;
    });
    pour(request, response);
  }

  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const origin: MmsOrigin = {
    url: (what, number) => `${base}/${what}/${number}`,
    requests,
    delayMs: 0,
    endlessBytes: () =>
      endless.reduce((sum, socket) => sum + (socket.destroyed ? 0 : socket.bytesWritten), endlessClosed),
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  return origin;
}

/** The type header is meaningless: the content counts. */
function whole(response: ServerResponse, bytes: Buffer, headers: Record<string, string> = {}): void {
  response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': bytes.length, ...headers });
  response.end(bytes);
}

function misbehave(kind: Exclude<OriginFault, 'endless'>, response: ServerResponse): void {
  switch (kind) {
    case 'never':
      return;
    case 'drip': {
      response.writeHead(200, { 'content-length': 1_000_000 });
      const timer = setInterval(() => response.write('x'), dripEveryMs);
      response.once('close', () => clearInterval(timer));
      return;
    }
    case 'short':
      response.writeHead(200, { 'content-length': 10_000 });
      response.write(chunk.subarray(0, 100), () => response.destroy());
      return;
    case 'bomb':
      whole(response, gzipSync(Buffer.alloc(inflatedBytes), { level: 9 }), { 'content-encoding': 'gzip' });
      return;
    default:
      response.writeHead(404).end();
  }
}

/** Slower than a local connection, so that little is in flight when the reader gives up. */
function pour({ socket }: IncomingMessage, response: ServerResponse): void {
  const timer = setInterval(() => response.write(chunk), pourEveryMs);
  socket.once('close', () => clearInterval(timer));
}

function card(number: number): Buffer {
  return Buffer.from(`BEGIN:VCARD\r\nVERSION:3.0\r\nN:Test;${number}\r\nFN:Test ${number}\r\nEND:VCARD\r\n`);
}

/** A PNG (ISO/IEC 15948) of 8-bit RGB: noise from `seed`. */
function picture(seed: number, edge: number): Buffer {
  const rowBytes = 1 + 3 * edge;
  const rows = Buffer.alloc(edge * rowBytes);
  // Any differing numbers will do (xorshift32).
  let state = seed * 2 + 1;
  for (let at = 0; at < rows.length; at++) {
    if (at % rowBytes === 0) continue;
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    rows[at] = state & 0xff;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(edge, 0);
  header.writeUInt32BE(edge, 4);
  header.set([8, 2], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(rows, { level: 1 })),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(body, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
