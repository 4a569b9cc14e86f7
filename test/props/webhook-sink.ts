/**
 * A customer's webhook server outside the system under test: logs each complete request before it answers, and checks
 * the signature with the reference library of Standard Webhooks. It never judges: `event-judge.ts` does.
 */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

/** One complete request. */
export interface Arrival {
  /** `webhook-id`. */
  id: string;
  /** Empty when the signature is false. */
  type: string;
  /** Null when the event is about no message. */
  messageId: string | null;
  sequence: number | null;
  /** SHA-256 of the body, hex. */
  bodyHash: string;
  genuine: boolean;
}

export interface WebhookSink {
  readonly url: string;
  /** In order of arrival. */
  readonly arrivals: readonly Arrival[];
  /** Sets the secret of the endpoint; before that every signature counts as false. */
  trust(secret: string): void;
  /** Ids that were refused and did not come again. */
  owed(): number;
  stop(): Promise<void>;
}

export interface WebhookSinkOptions {
  /** This many ids, one in 50 until then, get 503 at their first arrival. */
  refusals: number;
  /** Wait before each answer, so that some requests are always under way. */
  answerDelayMs: number;
}

const refuseEvery = 50;

export async function startWebhookSink({ refusals, answerDelayMs }: WebhookSinkOptions): Promise<WebhookSink> {
  const arrivals: Arrival[] = [];
  const seen = new Set<string>();
  const owed = new Set<string>();
  let webhook: Webhook | null = null;

  function take(request: IncomingMessage, body: string): 200 | 503 {
    const arrival = readArrival(request, body, webhook);
    arrivals.push(arrival);
    owed.delete(arrival.id);
    const fresh = !seen.has(arrival.id);
    seen.add(arrival.id);
    if (!fresh || seen.size % refuseEvery !== 0 || seen.size > refusals * refuseEvery) return 200;
    owed.add(arrival.id);
    return 503;
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    // A request that is cut off ends in an error and is not logged.
    request.on('error', () => {});
    request.on('end', () => {
      const status = take(request, Buffer.concat(chunks).toString());
      setTimeout(() => answer(response, status), answerDelayMs);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    arrivals,
    trust: (secret) => {
      webhook = new Webhook(secret);
    },
    owed: () => owed.size,
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function answer(response: ServerResponse, status: number): void {
  response.writeHead(status).end();
}

interface Payload {
  type: string;
  data: { messageId?: string; sequence?: number };
}

/** A body with a false signature is not parsed. */
function readArrival({ headers }: IncomingMessage, body: string, webhook: Webhook | null): Arrival {
  const payload = genuine(webhook, body, headers as Record<string, string>);
  const about = payload?.type.startsWith('message.') === true ? payload.data : {};
  return {
    id: String(headers['webhook-id']),
    type: payload?.type ?? '',
    messageId: about.messageId ?? null,
    sequence: about.sequence ?? null,
    bodyHash: bodyHash(body),
    genuine: payload !== null,
  };
}

export function bodyHash(body: string): string {
  return createHash('sha256').update(body).digest('hex');
}

function genuine(webhook: Webhook | null, body: string, headers: Record<string, string>): Payload | null {
  try {
    return (webhook?.verify(body, headers) as Payload | undefined) ?? null;
  } catch {
    return null;
  }
}
