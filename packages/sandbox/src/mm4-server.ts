/**
 * The MM4 side of the sandbox: an SMTP server on loopback that accepts MM4_forward.REQ for its own domain as a
 * carrier's MMSC does. 250 means that it was read; MM4_forward.RES reports the result, which the network decides.
 */
import {
  defaultLimits,
  type Mm4Request,
  type Mm4RequestStatus,
  type Mm4Response,
  readAddress,
  readMm4,
} from '@heliograph/mms';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import type { MmsRefusal } from './behaviour.ts';
import type { Clock, Logger } from './machine.ts';
import type { Mm4Channel } from './mm4-channel.ts';
import type { MmsNetwork } from './mms-network.ts';
import { type MmsWire, pairOfSubmitted } from './mms-wire.ts';
import { listenPreferred } from './servers.ts';
import { createTimers, type Timers } from './timers.ts';

const connectionsMax = 20;
const idleTimeoutMs = 60_000;
const systemUser = 'mms-system';

export interface Mm4ServerOptions {
  /** Address to listen on. */
  host: string;
  /** Used if free, else any free port; 0 = any. */
  preferredPort: number;
  /** Fail if the preferred port is in use. */
  exactPorts: boolean;
  /** Other domains are refused: RFC 5321 §3.6.2. */
  ownDomain: string;
  clock: Clock;
  logger: Logger;
  channel: Mm4Channel;
  submitted: MmsNetwork;
  wire: MmsWire;
}

export interface Mm4Server {
  readonly host: string;
  readonly port: number;
  stop(): Promise<void>;
}

/** An SMTP answer other than 250. */
interface SmtpRefusal {
  code: number;
  text: string;
}

/** Rejects only when no port can be listened on. */
export async function startMm4Server(options: Mm4ServerOptions): Promise<Mm4Server> {
  const { host, preferredPort, exactPorts: exact, logger, ownDomain } = options;
  const timers = createTimers(options.clock);
  const server = new SMTPServer({
    name: ownDomain,
    banner: 'sandbox MMSC',
    logger: false,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    size: defaultLimits.bytesMax,
    maxClients: connectionsMax,
    socketTimeout: idleTimeoutMs,
    closeTimeout: 1,
    onRcptTo: ({ address }, { envelope }, done) => done(smtpError(recipientProblem(address, envelope, ownDomain))),
    onData: (stream, session, done) => {
      readData(stream, (bytes) => {
        const answer = bytes === null ? tooLarge : take(bytes, session, options, timers.after);
        done(smtpError(answer));
      });
    },
  });
  server.on('error', (err) => logger.debug({ err }, 'the sandbox MM4 server, or a connection to it'));
  const what = 'the sandbox MM4 server';
  const port = await listenPreferred(server.server, { host, preferredPort, exact, logger, what });
  return {
    host,
    port,
    stop: () => {
      timers.cancelAll();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

const tooLarge: SmtpRefusal = { code: 552, text: '5.3.4 too large' };
const notMm4: SmtpRefusal = { code: 554, text: '5.6.0 no MM4 that can be read' };
const relaying: SmtpRefusal = { code: 550, text: '5.7.1 not for this domain' };
const nobody: SmtpRefusal = { code: 550, text: '5.1.1 no such user' };
/** RFC 5321 §4.5.3.1.10: the sender retries the others. Each handset then gives its own answer. */
const oneAtATime: SmtpRefusal = { code: 452, text: '4.5.3 one recipient at a time' };
const unsupported = { res: 'Error-unsupported-message', smtp: { code: 550, text: '5.7.0 not supported' } } as const;

/** Sent in the RES if the peer requests one, else by SMTP. A message that is too large is not even read. */
const refusals: Readonly<Record<MmsRefusal, { res: Mm4RequestStatus | null; smtp: SmtpRefusal }>> = {
  rejected: { res: 'Error-service-denied', smtp: { code: 550, text: '5.7.0 rejected' } },
  throttled: { res: 'Error-network-problem', smtp: { code: 451, text: '4.3.2 busy' } },
  'too large': { res: null, smtp: tooLarge },
  'no address': { res: 'Error-sending-address-unresolved', smtp: nobody },
};

function smtpError(refusal: SmtpRefusal | null): Error | null {
  return refusal === null ? null : Object.assign(new Error(refusal.text), { responseCode: refusal.code });
}

function recipientProblem(
  address: string,
  { rcptTo }: SMTPServerSession['envelope'],
  ownDomain: string,
): SmtpRefusal | null {
  const at = address.lastIndexOf('@');
  if (address.slice(at + 1).toLowerCase() !== ownDomain.toLowerCase()) return relaying;
  if (address.slice(0, at) !== systemUser && handsetOf(address) === null) return nobody;
  return rcptTo.length > 0 ? oneAtATime : null;
}

/** Digits; null for an address that is no handset. */
function handsetOf(address: string): string | null {
  const digits = readAddress(address);
  return digits === null || digits.includes('@') ? null : digits;
}

/** The handset that a mail is for; null when there is none. */
function recipientOf({ rcptTo: [recipient] }: SMTPServerSession['envelope']): string | null {
  return recipient === undefined ? null : handsetOf(recipient.address);
}

/** Calls `done` with the whole mail, or with null when it is too large. */
function readData(stream: SMTPServerDataStream, done: (bytes: Buffer | null) => void): void {
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => {
    if (!stream.sizeExceeded) chunks.push(chunk);
  });
  stream.on('end', () => done(stream.sizeExceeded ? null : Buffer.concat(chunks)));
}

/** Accepts one mail; null = 250. */
function take(bytes: Buffer, { envelope }: SMTPServerSession, options: Mm4ServerOptions, after: Timers['after']) {
  const read = readMm4(bytes);
  if (read.kind === 'malformed') return notMm4;
  const { message } = read;
  if (isResponse(message)) {
    options.channel.answered(message);
    return null;
  }
  const pair = pairOfSubmitted(message, recipientOf(envelope));
  options.wire.sent('to_carrier', message, pair, bytes);
  const answer = answerTo(message, envelope, options, after);
  options.wire.answered('to_gateway', 'SMTP', String(answer?.code ?? 250), pair);
  return answer;
}

function answerTo(
  message: Mm4Request,
  envelope: SMTPServerSession['envelope'],
  options: Mm4ServerOptions,
  after: Timers['after'],
): SmtpRefusal | null {
  const { refusal, afterMs } = judge(message, envelope, options);
  if (refusal !== null && (refusal.res === null || !message.ackRequest)) return refusal.smtp;
  if (!message.ackRequest) return null;
  const replyTo = message.replyTo || (envelope.mailFrom === false ? '' : envelope.mailFrom.address);
  const respond = (): void => options.channel.respond(message, replyTo, refusal?.res ?? 'Ok');
  if (afterMs === 0) respond();
  else after(afterMs, respond);
  return null;
}

function isResponse(message: Mm4Request | Mm4Response): message is Mm4Response {
  return 'requestStatus' in message;
}

function judge(request: Mm4Request, envelope: SMTPServerSession['envelope'], { channel, submitted }: Mm4ServerOptions) {
  const to = recipientOf(envelope);
  if (request.type !== 'MM4_forward.REQ' || to === null) return { refusal: unsupported, afterMs: 0 };
  const verdict = submitted(channel, { ...request.message, to, messageId: request.messageId });
  if (verdict.kind === 'taken') return { refusal: null, afterMs: verdict.afterMs };
  return { refusal: refusals[verdict.refusal], afterMs: 0 };
}
