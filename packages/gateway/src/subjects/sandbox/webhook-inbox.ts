/**
 * The sandbox's webhook inbox: an HTTP server on loopback that verifies signatures with the customers' own code and
 * stores the newest webhooks. Reached over HTTP only.
 */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { webhooks } from '@heliograph/client';
import { createTimers, createWaiters, end, listenPreferred, readBody } from '@heliograph/sandbox';
import type { Clock, Random } from '../../kernel/clock.ts';
import { createIds } from '../../kernel/ids.ts';
import type { Logger } from '../../kernel/logger.ts';
import { type SigningSecret, signatureVerdict } from '../../model/signature-verdict.ts';
import {
  type InboxAnswer,
  inboxAnswerDefault,
  inboxHeldMax,
  inboxPageMax,
  inboxPath,
  type ReceivedWebhook,
  type WebhookInbox,
} from '../../model/webhook-inbox.ts';

/** The most calls that wait for a webhook at once. */
const waitersMax = 100;

/** There is one inbox, and everybody with access sees all of it. */
const place = 'inbox';

const everyone = (): boolean => true;

interface WebhookInboxStore extends Pick<WebhookInbox, 'list'> {
  add(webhook: ReceivedWebhook): void;
  /** Answers all waiting callers and accepts no new ones. */
  endWaits(): void;
}

function createWebhookInboxStore(clock: Clock): WebhookInboxStore {
  const held: ReceivedWebhook[] = [];
  const waiters = createWaiters(clock, waitersMax);
  let ended = false;

  /** Ids increase. */
  function page(after: string): ReceivedWebhook[] {
    const first = held.findIndex(({ id }) => id > after);
    return first === -1 ? [] : held.slice(first, first + inboxPageMax);
  }

  return {
    add: (webhook) => {
      held.push(webhook);
      if (held.length > inboxHeldMax) held.shift();
      waiters.wake(place, '');
    },
    list: async ({ after = '', waitMs, signal }) => {
      const now = page(after);
      if (now.length > 0 || waitMs <= 0 || ended || signal?.aborted) return now;
      const waited = waiters.wait(place, everyone, waitMs, signal);
      if (waited === 'full') return waited;
      await waited;
      return page(after);
    },
    endWaits: () => {
      ended = true;
      waiters.wakeAll();
    },
  };
}

/** More than the largest webhook (20 KB). */
const bodyBytesMax = 32 * 1024;
/** More than attempts at one endpoint under way (256): a connection above the limit is closed, and its attempt fails. */
const connectionsMax = 400;
const headersTimeoutMs = 5_000;
const requestTimeoutMs = 10_000;

export interface WebhookInboxOptions {
  /** Loopback address to listen on. */
  host: string;
  /** Used if free, else any free port; 0 = any. */
  preferredPort: number;
  /** The seeded endpoint's valid secrets; called for each webhook, as they may be rotated. */
  secrets(): readonly SigningSecret[];
  clock: Clock;
  random: Random;
  logger: Logger;
}

export interface RunningWebhookInbox extends WebhookInbox {
  /** The port in use. */
  readonly port: number;
  /** Its URL for webhooks. */
  readonly url: string;
  /** Answers all waiting calls, now and from now on: for when the server is about to close. */
  endWaits(): void;
  /** Closes every connection and timer. */
  stop(): Promise<void>;
}

/** Rejects only when no port at all is free. */
export async function startWebhookInbox(options: WebhookInboxOptions): Promise<RunningWebhookInbox> {
  const { clock, random } = options;
  const ids = createIds(clock, random);
  const store = createWebhookInboxStore(clock);
  const timers = createTimers(clock);
  let answer: InboxAnswer = inboxAnswerDefault;

  function receive(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
    const { status, delayMs } = answer;
    const receivedAt = clock.now();
    const { headers } = request;
    const judged = { secrets: options.secrets(), now: receivedAt, verify: webhooks.verifySignature };
    store.add({
      id: ids.next('whk_'),
      receivedAt,
      headers: plainHeaders(request),
      body: body.toString('utf8'),
      signature: signatureVerdict({ body, headers }, judged),
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
      else readBody(request, response, bodyBytesMax, (body) => receive(request, response, body));
    },
  );
  server.maxConnections = connectionsMax;
  const { host, preferredPort, logger } = options;
  const port = await listenPreferred(server, { host, preferredPort, logger, what: 'the webhook inbox' });
  return {
    port,
    url: `http://${host}:${port}${inboxPath}`,
    list: store.list,
    answerWith: (next) => {
      answer = next;
    },
    answer: () => answer,
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

/** Node gives a list only for `set-cookie`, which senders of webhooks do not use. */
function plainHeaders({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
