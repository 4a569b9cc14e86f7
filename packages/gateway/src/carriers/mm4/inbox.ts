/**
 * Receives a carrier's mails: messages, reports, responses. Answers 250 only after storing, 451 when that failed.
 * Sends only the requested RES and reports, never a bounce.
 */
import { createHash } from 'node:crypto';
import {
  defaultLimits,
  isDigits,
  type Mm4ForwardReq,
  type Mm4Message,
  type Mm4Response,
  readAddress,
  readMm4,
  responseTo,
} from '@heliograph/mms';
import type { SummedLog } from '../../kernel/summed-log.ts';
import type { InboundMms, ReadMessage } from '../../model/delivery.ts';
import { inboundMmsLimits } from '../../model/inbound-limits.ts';
import type { CarrierSink } from '../carrier.ts';
import type { CarrierDeps } from '../deps.ts';
import { inboundOf, partTooLarge } from '../mms-codec.ts';
import type { Mm4Answers } from './answers.ts';
import { receiptOfReport } from './outcome.ts';
import type { Mm4CarrierRecord } from './profile.ts';

export interface InboundMail {
  mailFrom: string;
  rcptTo: string[];
  bytes: Buffer;
}

export interface SmtpAnswer {
  code: 250 | 451 | 452 | 554;
  text: string;
  /** The peer sent something that two servers could read differently: nothing more is accepted on its connection. */
  closes: boolean;
}

export interface Mm4InboxParts {
  record: Mm4CarrierRecord;
  deps: Pick<CarrierDeps, 'clock' | 'logger' | 'inboundMms'>;
  lines: Pick<SummedLog, 'warn'>;
  sink(): Pick<CarrierSink, 'receipts' | 'inboundMms' | 'answeredElsewhere'>;
  answers: Pick<Mm4Answers, 'add' | 'report'>;
  /** False when no message waits for it. */
  responded(response: Mm4Response): boolean;
  /** Takes a response that no message waits for, on any node. */
  late(response: Mm4Response): Promise<void>;
}

const taken: SmtpAnswer = { code: 250, text: 'OK', closes: false };

const notMm4 = (detail: string, closes: boolean): SmtpAnswer => ({
  code: 554,
  text: `Not taken: ${detail}`,
  closes,
});

export function createMm4Inbox(parts: Mm4InboxParts): (mail: InboundMail) => Promise<SmtpAnswer> {
  const { record, deps, lines, sink, answers, responded, late } = parts;
  const { carrierId } = record;
  const limits = deps.inboundMms ?? inboundMmsLimits;

  function log(message: Mm4Message, text: string): void {
    deps.logger.debug({ carrier: carrierId, type: message.type, transactionId: message.transactionId }, text);
  }

  async function store(message: Mm4Message, mail: InboundMail): Promise<void> {
    const receivedAt = deps.clock.now();
    switch (message.type) {
      case 'MM4_forward.REQ':
        return sink().inboundMms(messageOf(message, mail.rcptTo, { carrier: carrierId, receivedAt }));
      case 'MM4_delivery_report.REQ':
        return sink().receipts([receiptOfReport(message, { carrierId, ownDomain: record.mm4.ownDomain, receivedAt })]);
      case 'MM4_read_reply_report.REQ':
        return log(message, 'a read report, which nobody asked for, was let go');
      case 'MM4_forward.RES':
        return respond(message);
      default:
        return log(message, 'a response was let go');
    }
  }

  /** Another node may have sent the message. */
  async function respond(message: Mm4Response): Promise<void> {
    if (responded(message)) return;
    const { answeredElsewhere } = sink();
    if (answeredElsewhere === undefined) await late(message);
    else await answeredElsewhere({ id: message.transactionId, body: JSON.stringify(message) });
  }

  function refuse(detail: string, closes: boolean): SmtpAnswer {
    lines.warn('unreadable', { carrier: carrierId, detail }, 'a mail that is no sound MM4 was refused');
    return notMm4(detail, closes);
  }

  return async (mail) => {
    const breach = breachOf(mail.bytes);
    if (breach !== null) return notMm4(breach, true);
    const read = readMm4(mail.bytes, { ...defaultLimits, bytesMax: limits.messageBytesMax });
    if (read.kind === 'malformed') {
      return refuse(read.detail, read.reason === 'syntax' || read.reason === 'limit');
    }
    const { message } = read;
    if (message.type === 'MM4_forward.REQ' && recipientsOf(message, mail.rcptTo).length === 0) {
      return refuse('neither the envelope nor To or Cc names a number', false);
    }
    const tooLarge = message.type === 'MM4_forward.REQ' ? partTooLarge(message.message, limits) : null;
    if (tooLarge !== null) {
      lines.warn(
        'too large',
        { carrier: carrierId, detail: tooLarge },
        'a message from a handset is over the limit of size',
      );
      return { code: 452, text: `Not taken now: ${tooLarge}`, closes: false };
    }
    try {
      await store(message, mail);
    } catch (err) {
      lines.warn('not stored', { err, carrier: carrierId, type: message.type }, 'what the carrier sent was not stored');
      return { code: 451, text: 'Cannot be stored now, try again later', closes: false };
    }
    if ('ackRequest' in message && message.ackRequest) {
      answers.add(responseTo(message, 'Ok'), message.replyTo === '' ? mail.mailFrom : message.replyTo);
    }
    if (message.type === 'MM4_forward.REQ' && message.message.deliveryReport) {
      const about = { carrier: carrierId, peerMessageId: message.messageId, from: message.message.from };
      for (const to of recipientsOf(message, mail.rcptTo)) {
        answers.report({ ...reportOn({ ...about, to }, deps), type: 'MM4_delivery_report.REQ', mmStatus: 'Retrieved' });
      }
    }
    return taken;
  };
}

function messageOf(
  request: Mm4ForwardReq,
  rcptTo: readonly string[],
  about: Pick<InboundMms, 'carrier' | 'receivedAt'>,
): InboundMms {
  const inbound = inboundOf(request.message, { ...about, peerMessageId: request.messageId });
  const readReport = request.message.readReply && { asksReadReport: true as const };
  return { ...inbound, ...readReport, to: recipientsOf(request, rcptTo) };
}

/** The envelope names the recipients; the header may list others. */
function recipientsOf({ message }: Mm4ForwardReq, rcptTo: readonly string[]): string[] {
  const named = rcptTo.map((address) => readAddress(address) ?? '').filter(isDigits);
  return [...new Set(named.length > 0 ? named : [...message.to, ...message.cc].filter(isDigits))];
}

/**
 * The common fields of a report to the sender of a message. A repeated event has the same transaction id, so that the
 * peer recognises the repeated report. Source: 3GPP TS 23.140 §8.4.2, §8.4.3.
 */
export function reportOn(
  { peerMessageId, from, to }: ReadMessage,
  { clock }: Pick<CarrierDeps, 'clock'>,
  prefix: 'dr' | 'rr' = 'dr',
) {
  const name = createHash('sha256').update(`${from} ${peerMessageId} ${to}`).digest('hex').slice(0, 32);
  return {
    transactionId: `${prefix}-${name}`,
    messageId: peerMessageId,
    ackRequest: false,
    replyTo: '',
    recipient: to,
    originator: from,
    date: new Date(clock.now()),
    statusText: '',
  };
}

/**
 * Header fields are ASCII (RFC 5322 §2.2): without SMTPUTF8 others are not allowed, and servers read them differently.
 */
function breachOf(bytes: Buffer): string | null {
  const end = bytes.indexOf('\r\n\r\n');
  const header = end === -1 ? bytes : bytes.subarray(0, end);
  return header.some((octet) => octet > 0x7f) ? 'a header with octets that are not ASCII' : null;
}
