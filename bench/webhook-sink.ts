/**
 * A receiver of webhooks in its own process: answers 200 to everything or to nothing, counts, and measures the delay
 * from each event to its webhook. Plain sockets, because it shares the CPU with the gateway. It checks no signature.
 */
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { answerParent } from './processes.ts';

export type WebhookSinkCommand =
  /** Without `port` it listens on a free one. */
  | { ask: 'listen'; port?: number; answers?: boolean; answerDelayMs?: number }
  /** Refuses connections from now on. */
  | { ask: 'shut' }
  | { ask: 'count' }
  /** Since the last `lags`. */
  | { ask: 'lags' };

/** From the time of the event to the arrival of its webhook. */
export interface Lags {
  count: number;
  p50Ms: number;
  p95Ms: number;
  p99Ms: number;
  maxMs: number;
}

const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
const headEnd = Buffer.from('\r\n\r\n');
const timestampMark = Buffer.from('"timestamp":"');
const isoLength = 24;
const lagMsMax = 600_000;

const sockets = new Set<Socket>();
const histogram = new Uint32Array(lagMsMax + 1);
let answers = true;
let answerDelayMs = 0;
let count = 0;
const server = createServer({ noDelay: true }, (socket) => {
  let rest: Buffer | null = null;
  sockets.add(socket);
  socket.on('data', (chunk: Buffer) => {
    rest = read(rest === null ? chunk : Buffer.concat([rest, chunk]), socket);
  });
  socket.on('error', () => {});
  socket.on('close', () => sockets.delete(socket));
});

/** Takes every complete request; returns the rest of the bytes. */
function read(bytes: Buffer, socket: Socket): Buffer | null {
  let at = 0;
  while (at < bytes.length) {
    const head = bytes.indexOf(headEnd, at);
    if (head === -1) break;
    const length = /\r\ncontent-length: *(\d+)/i.exec(bytes.toString('latin1', at, head))?.[1];
    const end = head + headEnd.length + Number(length ?? 0);
    if (bytes.length < end) break;
    take(bytes.subarray(head, end));
    if (answers && answerDelayMs > 0) setTimeout(() => socket.write(answer), answerDelayMs);
    else if (answers) socket.write(answer);
    at = end;
  }
  return at < bytes.length ? bytes.subarray(at) : null;
}

function take(body: Buffer): void {
  count++;
  const from = body.indexOf(timestampMark) + timestampMark.length;
  const lagMs = Date.now() - Date.parse(body.toString('latin1', from, from + isoLength));
  histogram[Math.min(Math.max(lagMs, 0), lagMsMax)]!++;
}

function lags(): Lags {
  const total = histogram.reduce((sum, some) => sum + some, 0);
  const quantile = (part: number): number => {
    let left = Math.ceil(total * part);
    return Math.max(
      histogram.findIndex((some) => {
        left -= some;
        return left <= 0 && total > 0;
      }),
      0,
    );
  };
  const found = {
    count: total,
    p50Ms: quantile(0.5),
    p95Ms: quantile(0.95),
    p99Ms: quantile(0.99),
    maxMs: quantile(1),
  };
  histogram.fill(0);
  return found;
}

/** Resolves with the port. */
function listen(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

function shut(): Promise<void> {
  for (const socket of sockets) socket.destroy();
  return new Promise((resolve) => server.close(() => resolve()));
}

answerParent<WebhookSinkCommand>((command) => {
  switch (command.ask) {
    case 'listen':
      answers = command.answers ?? true;
      answerDelayMs = command.answerDelayMs ?? 0;
      return listen(command.port ?? 0);
    case 'shut':
      return shut().then(() => null);
    case 'count':
      return count;
    case 'lags':
      return lags();
  }
});
