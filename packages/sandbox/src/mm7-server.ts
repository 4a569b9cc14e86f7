/**
 * The MM7 side of the sandbox: an HTTP server on loopback that accepts SubmitReq as a carrier's MMSC does and answers
 * in the dialect of the request. The network decides the result of a message.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import {
  defaultLimits,
  type Mm7Dialect,
  type Mm7Message,
  type Mm7SubmitReq,
  type Mm7Written,
  mm7StatusOf,
  readMm7,
  rsErrorFor,
  writeMm7,
} from '@heliograph/mms';
import type { MmsRefusal } from './behaviour.ts';
import type { Clock, Ids, Logger } from './machine.ts';
import type { Mm7Channel } from './mm7-channel.ts';
import type { MmsNetwork } from './mms-network.ts';
import { type MmsWire, pairOfSubmitted } from './mms-wire.ts';
import { atPort, end, listenPreferred, readBody } from './servers.ts';
import { createTimers } from './timers.ts';

const path = '/mm7';
const connectionsMax = 100;
const headersTimeoutMs = 5_000;
const requestTimeoutMs = 30_000;

/** StatusCodes of 3GPP TS 23.140 §8.7.8.2. */
const success = 1000;
const multipleAddressesNotSupported = 3003;
const unsupportedOperation = 4003;
/** There is no StatusCode for it: MMSCs answer HTTP 413. */
const tooLarge = 'HTTP 413';
const refusals: Readonly<Record<MmsRefusal, number | typeof tooLarge>> = {
  rejected: 3002,
  throttled: 4006,
  'too large': tooLarge,
  'no address': 2002,
};

export interface Mm7ServerOptions {
  /** Address to listen on. */
  host: string;
  /** Used if free, else any free port; 0 = any. */
  preferredPort: number;
  /** Fail if the preferred port is in use. */
  exactPorts: boolean;
  /** Credentials of a SubmitReq (HTTP Basic). */
  username: string;
  password: string;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  channel: Mm7Channel;
  submitted: MmsNetwork;
  wire: MmsWire;
}

export interface Mm7Server {
  /** The URL for SubmitReq. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Rejects only when no port can be listened on. */
export async function startMm7Server(options: Mm7ServerOptions): Promise<Mm7Server> {
  const { host, preferredPort, exactPorts: exact, logger, channel, wire } = options;
  const timers = createTimers(options.clock);
  const authorization = `Basic ${Buffer.from(`${options.username}:${options.password}`).toString('base64')}`;

  function take(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
    const read = readMm7({ contentType: request.headers['content-type'] ?? '', body });
    if (read.kind === 'malformed') {
      write(response, rsErrorFor(read), read.dialect);
      return;
    }
    channel.useDialect(read.dialect);
    const pair = pairOfSubmitted(read.message, handsetOf(read.message));
    wire.sent('to_carrier', read.message, pair, body);
    const { answer, afterMs } = answerTo(read.message, options);
    const respond = (): void => {
      if (answer === tooLarge) {
        wire.answered('to_gateway', 'HTTP', '413', pair);
        end(response, 413);
      } else {
        wire.sent('to_gateway', answer, pair);
        write(response, answer, read.dialect);
      }
    };
    if (afterMs === 0) respond();
    else timers.after(afterMs, respond);
  }

  const server = createServer(
    { headersTimeout: headersTimeoutMs, requestTimeout: requestTimeoutMs },
    (request, response) => {
      if (request.url !== path) end(response, 404);
      else if (request.method !== 'POST') end(response, 405);
      else if (request.headers.authorization !== authorization) {
        end(response.setHeader('www-authenticate', 'Basic realm="mm7"'), 401);
      } else readBody(request, response, defaultLimits.bytesMax, (body) => take(request, response, body));
    },
  );
  server.maxConnections = connectionsMax;
  const port = await listenPreferred(server, { host, preferredPort, exact, logger, what: 'the sandbox MM7 server' });
  return {
    url: `http://${atPort(host, port)}${path}`,
    stop: () => {
      timers.cancelAll();
      return new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

function handsetOf(message: Mm7Message): string | null {
  return message.type === 'SubmitReq' ? (message.message.to[0] ?? null) : null;
}

interface Answer {
  answer: Mm7Written | typeof tooLarge;
  afterMs: number;
}

function answerTo(message: Mm7Message, options: Mm7ServerOptions): Answer {
  if (message.type === 'SubmitReq') return submit(message, options);
  const { transactionId } = message;
  return { answer: { type: 'RSErrorRsp', transactionId, status: mm7StatusOf(unsupportedOperation) }, afterMs: 0 };
}

function submit({ transactionId, message }: Mm7SubmitReq, { ids, channel, submitted }: Mm7ServerOptions): Answer {
  const rsp = (code: number, messageId = ''): Mm7Written => ({
    type: 'SubmitRsp',
    transactionId,
    status: mm7StatusOf(code),
    messageId,
  });
  // The reader refuses a SubmitReq without recipients.
  const [to, ...others] = [...message.to, ...message.cc];
  if (others.length > 0) return { answer: rsp(multipleAddressesNotSupported), afterMs: 0 };
  const messageId = ids.next('mm7_');
  const verdict = submitted(channel, { ...message, to: to!, messageId });
  if (verdict.kind === 'taken') return { answer: rsp(success, messageId), afterMs: verdict.afterMs };
  const refusal = refusals[verdict.refusal];
  return { answer: refusal === tooLarge ? tooLarge : rsp(refusal), afterMs: 0 };
}

function write(response: ServerResponse, message: Mm7Written, dialect: Mm7Dialect): void {
  const written = writeMm7(message, { dialect });
  if (written.kind === 'unwritable') end(response, 500);
  else response.writeHead(written.httpStatus, written.headers).end(written.body);
}
