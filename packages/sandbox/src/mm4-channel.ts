/**
 * Sends to the gateway over MM4: responses, delivery reports and messages from handsets, each in an SMTP transaction
 * with the gateway's listener. One attempt at a time; the outbox repeats with the same ids.
 */
import {
  emptyMessage,
  type Mm4Mail,
  type Mm4Message,
  type Mm4Request,
  type Mm4RequestStatus,
  type Mm4Response,
  mm4Status,
  responseTo,
  writeMm4,
} from '@heliograph/mms';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { Clock, Ids, Logger } from './machine.ts';
import { contentOf, type MmsChannel } from './mms-channel.ts';
import type { MmsOutbox, Post, Posted } from './mms-outbox.ts';
import { type MmsWire, pairOfSubmitted } from './mms-wire.ts';
import { noPair, type WirePair } from './said.ts';

export interface Mm4Gateway {
  host: string;
  port: number;
}

export interface Mm4Channel extends MmsChannel {
  /** Sends the result of the gateway's request. */
  respond(request: Mm4Request, replyTo: string, status: Mm4RequestStatus): void;
  /** Handles a RES of the gateway. */
  answered(response: Mm4Response): void;
}

/** Without a RES within this time, what was sent counts as accepted. */
const responseWaitMs = 10_000;

export function createMm4Channel(parts: {
  clock: Clock;
  ids: Ids;
  logger: Logger;
  outbox: MmsOutbox;
  wire: MmsWire;
  /** Our domain, in senders and in X-Mms-Originator-System. */
  ownDomain: string;
  /** The gateway's domain. */
  peerDomain: string;
  /** Null while its address is unknown. */
  gateway(): Mm4Gateway | null;
}): Mm4Channel {
  const { clock, ids, logger, outbox, wire, ownDomain, peerDomain, gateway } = parts;
  /** By transaction id; at most as many as the outbox posts at a time. */
  const awaiting = new Map<string, (response: Mm4Response | null) => void>();

  function response(transactionId: string, signal: AbortSignal): Promise<Mm4Response | null> {
    return new Promise((resolve) => {
      const done = (response: Mm4Response | null): void => {
        awaiting.delete(transactionId);
        cancel();
        signal.removeEventListener('abort', none);
        resolve(response);
      };
      const none = (): void => done(null);
      const cancel = clock.after(responseWaitMs, none);
      signal.addEventListener('abort', none, { once: true });
      awaiting.set(transactionId, done);
    });
  }

  const posting =
    (message: Mm4Message, pair: WirePair, replyTo?: string): Post =>
    async (signal) => {
      const target = gateway();
      if (target === null) return 'later';
      const date = new Date(clock.now());
      const mail = writeMm4(message, { ourDomain: ownDomain, peerDomain, date, replyTo });
      if (mail.kind === 'unwritable') throw new Error(`${message.type}: ${mail.field} ${mail.detail}`);
      const ended = new AbortController();
      // The RES may come before the SMTP answer.
      const waiting =
        'ackRequest' in message && message.ackRequest
          ? response(message.transactionId, AbortSignal.any([signal, ended.signal]))
          : null;
      try {
        wire.sent('to_gateway', message, pair, mail.bytes);
        const posted = await handOver(target, mail, ownDomain, signal);
        wire.answered('to_carrier', 'SMTP', smtpWords[posted], pair);
        if (posted !== 'taken' || waiting === null) return posted;
        const answer = await waiting;
        if (answer !== null) wire.sent('to_carrier', answer, pair);
        return meaningOf(answer);
      } finally {
        ended.abort();
      }
    };

  const request = () => ({ transactionId: ids.next('tx_'), replyTo: '' });

  return {
    via: 'mm4',
    outbox,
    report: ({ messageId, recipient, sender, mmStatus, at }) =>
      posting(
        {
          type: 'MM4_delivery_report.REQ',
          ...request(),
          messageId,
          ackRequest: false,
          recipient,
          originator: sender,
          date: new Date(at),
          mmStatus,
          statusText: '',
        },
        { own: sender, handset: recipient },
      ),
    deliver: (message) =>
      posting(
        {
          type: 'MM4_forward.REQ',
          ...request(),
          messageId: ids.next('mm4_'),
          ackRequest: true,
          hidesSender: false,
          message: { ...emptyMessage, from: message.from, to: [message.to], ...contentOf(message) },
        },
        { own: message.to, handset: message.from },
      ),
    respond: (to, replyTo, status) => {
      const handset = to.type === 'MM4_forward.REQ' ? (to.message.to[0] ?? null) : null;
      outbox.post(posting(responseTo(to, status), handset === null ? noPair : pairOfSubmitted(to, handset), replyTo));
    },
    answered: (answer) => {
      const done = awaiting.get(answer.transactionId);
      if (done === undefined) logger.info({ type: answer.type }, 'an answer over MM4 that nobody waits for');
      else done(answer);
    },
  };
}

/** The SMTP code of a result, as far as it is known here. */
const smtpWords: Readonly<Record<Posted, string>> = { taken: '250', later: '4yz', never: '5yz' };

function meaningOf(response: Mm4Response | null): Posted {
  if (response === null) return 'taken';
  const meaning = mm4Status(response.requestStatus, response.vendorCode);
  if (meaning.kind !== 'refused') return 'taken';
  return meaning.retry === 'later' || meaning.retry === 'few' ? 'later' : 'never';
}

/** One SMTP transaction on a connection of its own (RFC 5321 §4.2.1: 4yz may succeed later, 5yz never). */
function handOver({ host, port }: Mm4Gateway, mail: Mm4Mail, name: string, signal: AbortSignal): Promise<Posted> {
  // On loopback the gateway shows its own certificate, issued for its public name.
  const connection = new SMTPConnection({ host, port, name, tls: { rejectUnauthorized: false } });
  return new Promise<Posted>((resolve, reject) => {
    const failed = (err: Error & { responseCode?: number }): void => {
      if (err.responseCode === undefined) reject(err);
      else resolve(err.responseCode >= 500 ? 'never' : 'later');
    };
    signal.addEventListener('abort', () => reject(new Error('no answer in time')), { once: true });
    connection.on('error', failed);
    connection.connect((err) => {
      if (err) return failed(err);
      connection.send({ from: mail.mailFrom, to: mail.rcptTo }, mail.bytes, (refused) => {
        if (refused) failed(refused);
        else resolve('taken');
      });
    });
  }).finally(() => connection.close());
}
