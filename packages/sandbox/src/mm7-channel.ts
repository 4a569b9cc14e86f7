/**
 * Sends to the gateway over MM7: DeliveryReportReq and DeliverReq as HTTP requests to the gateway's inbound address.
 * One attempt at a time; the outbox repeats.
 */
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import {
  emptyMessage,
  type Mm7Dialect,
  type Mm7Written,
  mm7Dialect,
  mm7Status,
  readMm7,
  writeMm7,
} from '@heliograph/mms';
import type { Clock, Ids } from './machine.ts';
import { contentOf, type MmsChannel } from './mms-channel.ts';
import type { MmsOutbox, Post, Posted } from './mms-outbox.ts';
import type { MmsWire } from './mms-wire.ts';
import type { WirePair } from './said.ts';

export interface Mm7Gateway {
  /** The gateway's address for this carrier's requests, http or https. */
  url: string;
  username: string;
  password: string;
}

export interface Mm7Channel extends MmsChannel {
  /** Sets the dialect that the gateway uses, for everything sent from now on. */
  useDialect(dialect: Mm7Dialect): void;
}

const relayId = 'sandbox';
const answerBytesMax = 64 * 1024;

export function createMm7Channel(parts: {
  clock: Clock;
  ids: Ids;
  outbox: MmsOutbox;
  wire: MmsWire;
  /** Null while its address is unknown. */
  gateway(): Mm7Gateway | null;
}): Mm7Channel {
  const { clock, ids, outbox, wire, gateway } = parts;
  let dialect = mm7Dialect('REL-6-MM7-1-4');

  const posting =
    (message: Mm7Written, pair: WirePair): Post =>
    async (signal) => {
      const target = gateway();
      if (target === null) return 'later';
      const written = writeMm7(message, { dialect });
      if (written.kind === 'unwritable') throw new Error(`${message.type}: ${written.field} ${written.detail}`);
      wire.sent('to_gateway', message, pair, written.body);
      const answer = await exchange(target, written, signal);
      const read = readMm7(answer);
      if (read.kind === 'message') wire.sent('to_carrier', read.message, pair, answer.body);
      else wire.answered('to_carrier', 'HTTP', String(answer.status), pair);
      return meaningOf(read, answer.status);
    };

  return {
    via: 'mm7',
    outbox,
    useDialect: (next) => {
      dialect = next;
    },
    report: ({ messageId, recipient, sender, mmStatus, at }) =>
      posting(
        {
          type: 'DeliveryReportReq',
          transactionId: ids.next('tx_'),
          mmsRelayServerId: relayId,
          messageId,
          recipient,
          sender,
          date: new Date(at),
          mmStatus,
          statusText: '',
        },
        { own: sender, handset: recipient },
      ),
    deliver: (message) =>
      posting(
        {
          type: 'DeliverReq',
          transactionId: ids.next('tx_'),
          mmsRelayServerId: relayId,
          vaspId: '',
          vasId: '',
          linkedId: '',
          timeStamp: new Date(clock.now()),
          message: { ...emptyMessage, from: message.from, to: [message.to], ...contentOf(message) },
        },
        { own: message.to, handset: message.from },
      ),
  };
}

interface Answer {
  status: number;
  contentType: string;
  body: Buffer;
}

/** A status of MM7 takes precedence over HTTP's; an inconclusive answer is retried. */
function meaningOf(read: ReturnType<typeof readMm7>, status: number): Posted {
  if (read.kind === 'message' && 'status' in read.message) {
    const meaning = mm7Status(read.message.status.code);
    if (meaning.kind !== 'refused') return 'taken';
    return meaning.retry === 'later' || meaning.retry === 'few' ? 'later' : 'never';
  }
  return status >= 400 && status < 500 && status !== 408 && status !== 429 ? 'never' : 'later';
}

function exchange(
  { url, username, password }: Mm7Gateway,
  { headers, body }: { headers: Record<string, string>; body: Buffer },
  signal: AbortSignal,
): Promise<Answer> {
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  // On loopback the gateway shows its own certificate, issued for its public name.
  const options = { method: 'POST', headers: { ...headers, authorization }, signal, rejectUnauthorized: false };
  return new Promise((resolve, reject) => {
    const request = (url.startsWith('https:') ? httpsRequest : httpRequest)(url, options, (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > answerBytesMax) response.destroy(new Error('an answer that never ends'));
        else chunks.push(chunk);
      });
      response.on('error', reject);
      response.on('end', () => {
        const contentType = response.headers['content-type'] ?? '';
        resolve({ status: response.statusCode ?? 0, contentType, body: Buffer.concat(chunks) });
      });
    });
    request.on('error', reject);
    request.end(body);
  });
}
