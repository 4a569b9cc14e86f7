/**
 * An MMS carrier for tests: takes messages over MM7 (SOAP over HTTP) or MM4 (SMTP), records what it accepts before it
 * answers, and misbehaves on request. Lives outside the gateway and never judges: `checker.ts` does.
 */
import { hash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';
import {
  isMalformed,
  isUnwritable,
  type Mm7Dialect,
  type MmsMessage,
  mm7StatusOf,
  readMm4,
  readMm7,
  writeMm7,
} from '../../packages/mms/src/index.ts';

/** How it behaves; every field may be changed while it runs. */
export interface MmsSinkBehaviour {
  responseDelayMs: number;
  /** Refuses this many tries of each message temporarily before it accepts. */
  refusals: number;
  /** An MM7 StatusCode, or 429 as the HTTP status. */
  refusalStatus: number;
  /**
   * After the refusals: reads this many tries of each message whole, accepts them and cuts the connection instead of
   * answering.
   */
  cuts: number;
}

/** One copy of a message. */
export interface AcceptedMms {
  destination: string;
  /** TransactionID of MM7, X-Mms-Message-ID of MM4: the same for each copy of a message. */
  peerId: string;
  media: { contentType: string; sizeBytes: number; sha256: string }[];
}

export interface MmsSink {
  readonly protocol: 'mm7' | 'mm4';
  readonly port: number;
  readonly behaviour: MmsSinkBehaviour;
  /** Everything accepted, in order. */
  readonly accepted: readonly AcceptedMms[];
  /** Copies accepted by destination. */
  readonly copies: ReadonlyMap<string, number>;
  counts(): MmsSinkCounts;
  stop(): Promise<void>;
}

export interface MmsSinkCounts {
  /** Messages read whole. */
  submits: number;
  refused: number;
  cut: number;
  malformed: number;
  /** The most unanswered messages at a time. */
  unansweredMax: number;
}

export interface MmsSinkOptions {
  protocol?: 'mm7' | 'mm4';
  behaviour?: Partial<MmsSinkBehaviour>;
}

export async function startMmsSink({ protocol = 'mm7', behaviour }: MmsSinkOptions = {}): Promise<MmsSink> {
  const ledger = createLedger({ responseDelayMs: 0, refusals: 0, refusalStatus: 429, cuts: 0, ...behaviour });
  const { port, stop } = await (protocol === 'mm7' ? listenMm7(ledger) : listenMm4(ledger));
  return {
    protocol,
    port,
    behaviour: ledger.behaviour,
    accepted: ledger.accepted,
    copies: ledger.copies,
    counts: () => ({ ...ledger.counts }),
    stop,
  };
}

interface Submitted {
  peerId: string;
  message: MmsMessage;
}

interface Ledger {
  readonly behaviour: MmsSinkBehaviour;
  readonly accepted: AcceptedMms[];
  readonly copies: Map<string, number>;
  readonly counts: MmsSinkCounts;
  /** Decides and records; calls `reply` when it is time to answer. */
  take(submitted: Submitted | null, reply: (verdict: Verdict) => void): void;
}

type Verdict = { kind: 'taken'; messageId: string } | { kind: 'refused' | 'cut' | 'malformed' };

function createLedger(behaviour: MmsSinkBehaviour): Ledger {
  const accepted: AcceptedMms[] = [];
  const copies = new Map<string, number>();
  const tries = new Map<string, number>();
  const counts: MmsSinkCounts = { submits: 0, refused: 0, cut: 0, malformed: 0, unansweredMax: 0 };
  let unanswered = 0;

  function decide({ peerId, message }: Submitted): Verdict {
    const nth = (tries.get(peerId) ?? 0) + 1;
    tries.set(peerId, nth);
    if (nth <= behaviour.refusals) {
      counts.refused++;
      return { kind: 'refused' };
    }
    const media = message.parts.filter(({ contentType }) => contentType !== 'text/plain');
    for (const destination of message.to) {
      copies.set(destination, (copies.get(destination) ?? 0) + 1);
      accepted.push({
        destination,
        peerId,
        media: media.map(({ contentType, bytes }) => ({
          contentType,
          sizeBytes: bytes.length,
          sha256: hash('sha256', bytes),
        })),
      });
    }
    if (nth > behaviour.refusals + behaviour.cuts) return { kind: 'taken', messageId: `mms-${accepted.length}` };
    counts.cut++;
    return { kind: 'cut' };
  }

  return {
    behaviour,
    accepted,
    copies,
    counts,
    take: (submitted, reply) => {
      counts.submits++;
      if (submitted === null) {
        counts.malformed++;
        reply({ kind: 'malformed' });
        return;
      }
      unanswered++;
      counts.unansweredMax = Math.max(counts.unansweredMax, unanswered);
      const verdict = decide(submitted);
      setTimeout(() => {
        unanswered--;
        reply(verdict);
      }, behaviour.responseDelayMs);
    },
  };
}

interface Listening {
  port: number;
  stop(): Promise<void>;
}

async function listenMm7(ledger: Ledger): Promise<Listening> {
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => takeMm7(ledger, request, response, Buffer.concat(chunks)));
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function takeMm7(ledger: Ledger, request: IncomingMessage, response: ServerResponse, body: Buffer): void {
  const read = readMm7({ contentType: request.headers['content-type'] ?? '', body });
  if (isMalformed(read) || read.message.type !== 'SubmitReq') {
    ledger.take(null, () => response.writeHead(400).end());
    return;
  }
  const { dialect } = read;
  const { transactionId, message } = read.message;
  ledger.take({ peerId: transactionId, message }, (verdict) => {
    const { refusalStatus } = ledger.behaviour;
    if (verdict.kind === 'taken') answerMm7(response, { dialect, transactionId }, 1000, verdict.messageId);
    else if (verdict.kind === 'cut') request.socket.destroy();
    else if (refusalStatus === 429) response.writeHead(429, { 'retry-after': '1' }).end();
    else answerMm7(response, { dialect, transactionId }, refusalStatus, '');
  });
}

function answerMm7(
  response: ServerResponse,
  to: { dialect: Mm7Dialect; transactionId: string },
  code: number,
  messageId: string,
): void {
  const written = writeMm7(
    { type: 'SubmitRsp', transactionId: to.transactionId, status: mm7StatusOf(code), messageId },
    { dialect: to.dialect },
  );
  if (isUnwritable(written)) throw new Error(`${written.field} ${written.detail}`);
  response.writeHead(200, { ...written.headers }).end(written.body);
}

async function listenMm4(ledger: Ledger): Promise<Listening> {
  /** By the peer's port, which identifies the connection to a session. */
  const sockets = new Map<number, Socket>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    logger: false,
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const read = readMm4(Buffer.concat(chunks));
        const forwarded = isMalformed(read) || read.message.type !== 'MM4_forward.REQ' ? null : read.message;
        const submitted = forwarded && { peerId: forwarded.messageId, message: forwarded.message };
        ledger.take(submitted, (verdict) => {
          if (verdict.kind === 'taken') done(null);
          else if (verdict.kind === 'cut') sockets.get(session.remotePort)?.destroy();
          else
            done(Object.assign(new Error('try again later'), { responseCode: verdict.kind === 'refused' ? 451 : 554 }));
        });
      });
    },
  });
  server.on('error', () => {});
  server.server.on('connection', (socket: Socket) => sockets.set(socket.remotePort!, socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.server.address() as AddressInfo).port,
    stop: async () => {
      for (const socket of sockets.values()) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
