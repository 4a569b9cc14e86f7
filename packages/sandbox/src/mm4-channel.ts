/**
 * How the sandbox tells the gateway something over MM4: answers, delivery reports and messages from handsets, each an SMTP
 * transaction with the gateway's listener. One try at a time; repeating, with the same ids, is the outbox's work.
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
  /** Tells the gateway what became of its request. */
  respond(request: Mm4Request, replyTo: string, status: Mm4RequestStatus): void;
  /** A RES of the gateway came. */
  answered(response: Mm4Response): void;
}

/** What was handed over counts as taken when its RES does not come within this time. */
const responseWaitMs = 10_000;

export function createMm4Channel(parts: {
  clock: Clock;
  ids: Ids;
  logger: Logger;
  outbox: MmsOutbox;
  wire: MmsWire;
  /** Ours, in senders and in X-Mms-Originator-System. */
  ownDomain: string;
  /** The gateway's. */
  peerDomain: string;
  /** Null while it cannot be reached. */
  gateway(): Mm4Gateway | null;
}): Mm4Channel {
  const { clock, ids, logger, outbox, wire, ownDomain, peerDomain, gateway } = parts;
  /** By transaction id; no more than the outbox posts at one time. */
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
        wire.said('to_gateway', message, pair, mail.bytes);
        const posted = await handOver(target, mail, ownDomain, signal);
        wire.answered('to_carrier', 'SMTP', smtpWords[posted], pair);
        if (posted !== 'taken' || waiting === null) return posted;
        const answer = await waiting;
        if (answer !== null) wire.said('to_carrier', answer, pair);
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

/** What SMTP said, as far as it is known here. */
const smtpWords: Readonly<Record<Posted, string>> = { taken: '250', later: '4yz', never: '5yz' };

function meaningOf(response: Mm4Response | null): Posted {
  if (response === null) return 'taken';
  const meaning = mm4Status(response.requestStatus, response.vendorCode);
  if (meaning.kind !== 'refused') return 'taken';
  return meaning.retry === 'later' || meaning.retry === 'few' ? 'later' : 'never';
}

/** One SMTP transaction on a connection of its own (RFC 5321 §4.2.1: 4yz may succeed later, 5yz never). */
function handOver({ host, port }: Mm4Gateway, mail: Mm4Mail, name: string, signal: AbortSignal): Promise<Posted> {
  // The certificate on loopback is this gateway's own, made out to its public name.
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
