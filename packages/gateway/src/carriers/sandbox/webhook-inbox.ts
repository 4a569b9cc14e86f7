/**
 * The sandbox's own receiver of webhooks: an HTTP server on loopback, to which the gateway posts as to any customer's. It
 * verifies with the same code that customers use and keeps what arrived for a while. Nothing may reach it but by HTTP.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebhookVerificationError, webhooks } from '@heliograph/client';
import type { Clock, Random } from '../../domain/clock.ts';
import { createIds } from '../../domain/ids.ts';
import type { Logger } from '../../domain/logger.ts';
import {
  type InboxAnswer,
  inboxAnswerDefault,
  inboxPath,
  type SignatureVerdict,
  type WebhookInbox,
} from '../../domain/webhook-inbox.ts';
import { createTimers } from './timers.ts';
import { createWebhookInboxStore } from './webhook-inbox-store.ts';

/** Above what a webhook may weigh (20 KB). */
const bodyBytesMax = 32 * 1024;
const connectionsMax = 100;
const headersTimeoutMs = 5_000;
const requestTimeoutMs = 10_000;

export interface WebhookInboxOptions {
  /** Loopback address to listen on. */
  host: string;
  /** Taken when free, else any free port; 0 = any. */
  preferredPort: number;
  /** The seeded endpoint's secrets in force (`whsec_…`); asked at each webhook, as they may be rotated. */
  secrets(): readonly string[];
  clock: Clock;
  random: Random;
  logger: Logger;
}

export interface RunningWebhookInbox extends WebhookInbox {
  /** The port in use. */
  readonly port: number;
  /** Where it takes webhooks. */
  readonly url: string;
  /** Answers everyone who waits for a webhook, now and from now on: for when the doors are about to close. */
  endWaits(): void;
  /** Closes every connection and timer. */
  stop(): Promise<void>;
}

/** Rejects only when no port at all can be listened on. */
export async function startWebhookInbox(options: WebhookInboxOptions): Promise<RunningWebhookInbox> {
  const { clock, random } = options;
  const ids = createIds(clock, random);
  const store = createWebhookInboxStore(clock);
  const timers = createTimers(clock);
  let answer: InboxAnswer = inboxAnswerDefault;

  function receive(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
    const { status, delayMs } = answer;
    store.add({
      id: ids.next('whk_'),
      receivedAt: clock.now(),
      headers: plainHeaders(request),
      body: body.toString('utf8'),
      signature: verdict(request, body, options),
      answered: status,
    });
    const respond = () => end(response, status);
    if (delayMs === 0) respond();
    else timers.after(delayMs, respond);
  }

  const server = createServer(
    { headersTimeout: headersTimeoutMs, requestTimeout: requestTimeoutMs },
    (request, response) => {
      if (request.url !== inboxPath) end(response, 404);
      else if (request.method !== 'POST') end(response, 405);
      else readBody(request, response, (body) => receive(request, response, body));
    },
  );
  server.maxConnections = connectionsMax;
  const port = await listen(server, options);
  return {
    port,
    url: `http://${options.host}:${port}${inboxPath}`,
    list: store.list,
    answerWith: (next) => {
      answer = next;
    },
    endWaits: store.endWaits,
    stop: () => {
      timers.cancelAll();
      store.endWaits();
      return new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

/** Calls `done` with a whole body within the limit; answers what is larger itself. */
function readBody(request: IncomingMessage, response: ServerResponse, done: (body: Buffer) => void): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= bodyBytesMax) chunks.push(chunk);
    else if (!response.writableEnded) end(response, 413);
  });
  request.on('end', () => {
    if (bytes <= bodyBytesMax) done(Buffer.concat(chunks, bytes));
  });
}

function end(response: ServerResponse, status: number): void {
  // What was not read to its end would be taken for the next request.
  if (!response.req.complete) response.setHeader('connection', 'close');
  response.writeHead(status).end();
}

function verdict(
  { headers }: IncomingMessage,
  body: Buffer,
  { secrets, clock }: WebhookInboxOptions,
): SignatureVerdict {
  try {
    webhooks.verifySignature(body, headers, secrets(), { now: new Date(clock.now()) });
    return { valid: true };
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return { valid: false, reason: error.reason, detail: error.detail };
  }
}

/** Node gives a list only for `set-cookie`, which no sender of webhooks has. */
function plainHeaders({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

async function listen(server: Server, { host, preferredPort, logger }: WebhookInboxOptions): Promise<number> {
  try {
    return await listenOn(server, host, preferredPort);
  } catch (err) {
    if (preferredPort === 0) throw err;
    const port = await listenOn(server, host, 0);
    logger.info({ preferredPort, port }, 'the webhook inbox took another port: the usual one is in use');
    return port;
  }
}

function listenOn(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}
