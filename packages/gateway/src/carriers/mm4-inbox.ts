/**
 * What one carrier mails us: messages, reports and responses, each told to whom it concerns. A mail is answered with 250
 * only after that is stored, and with 451 when it could not be. It sends nothing but the RES that was asked for, and no
 * bounce ever.
 */
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
import type { InboundMms } from '../domain/delivery.ts';
import type { Mm4CarrierRecord } from '../domain/records.ts';
import type { CarrierSink } from './carrier.ts';
import type { CarrierDeps } from './deps.ts';
import type { Mm4Answers } from './mm4-answers.ts';
import { receiptOfReport } from './mm4-words.ts';
import { inboundOf } from './mms-words.ts';

/** Of one mail as it is received, encoded. */
export const mailBytesMax = 10 * 1024 * 1024;

export interface InboundMail {
  mailFrom: string;
  rcptTo: string[];
  bytes: Buffer;
}

export interface SmtpAnswer {
  code: 250 | 451 | 554;
  text: string;
  /** The peer writes what two servers could read differently: nothing more is taken on its connection. */
  closes: boolean;
}

export interface Mm4InboxParts {
  record: Mm4CarrierRecord;
  deps: Pick<CarrierDeps, 'clock' | 'logger'>;
  sink(): Pick<CarrierSink, 'receipts' | 'inboundMms'>;
  answers: Pick<Mm4Answers, 'add'>;
  /** False when no message waits for it. */
  responded(response: Mm4Response): boolean;
}

const taken: SmtpAnswer = { code: 250, text: 'OK', closes: false };

const notMm4 = (detail: string, closes: boolean): SmtpAnswer => ({
  code: 554,
  text: `Not taken: ${detail}`,
  closes,
});

export function createMm4Inbox(parts: Mm4InboxParts): (mail: InboundMail) => Promise<SmtpAnswer> {
  const { record, deps, sink, answers, responded } = parts;
  const { carrierId } = record;

  function log(message: Mm4Message, said: string): void {
    deps.logger.debug({ carrier: carrierId, type: message.type, transactionId: message.transactionId }, said);
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
        if (!responded(message)) log(message, 'a response that no message waits for was let go');
        return;
      default:
        return log(message, 'a response was let go');
    }
  }

  return async (mail) => {
    const breach = breachOf(mail.bytes);
    if (breach !== null) return notMm4(breach, true);
    const read = readMm4(mail.bytes, { ...defaultLimits, bytesMax: mailBytesMax });
    if (read.kind === 'malformed') {
      deps.logger.warn({ carrier: carrierId, detail: read.detail }, 'a mail that is no sound MM4 was refused');
      return notMm4(read.detail, read.reason === 'syntax' || read.reason === 'limit');
    }
    const { message } = read;
    try {
      await store(message, mail);
    } catch (err) {
      deps.logger.warn({ err, carrier: carrierId, type: message.type }, 'what the carrier sent was not stored');
      return { code: 451, text: 'Cannot be stored now, try again later', closes: false };
    }
    if ('ackRequest' in message && message.ackRequest) {
      answers.add(responseTo(message, 'Ok'), message.replyTo === '' ? mail.mailFrom : message.replyTo);
    }
    return taken;
  };
}

/** Whom the envelope names is whom it is for; a list of recipients in the header may name strangers too. */
function messageOf(
  { message, messageId }: Mm4ForwardReq,
  rcptTo: readonly string[],
  about: Pick<InboundMms, 'carrier' | 'receivedAt'>,
): InboundMms {
  const inbound = inboundOf(message, { ...about, peerMessageId: messageId });
  const own = rcptTo.map((address) => readAddress(address) ?? '').filter(isDigits);
  return { ...inbound, to: [...new Set(own.length > 0 ? own : inbound.to)] };
}

/** Header fields are ASCII (RFC 5322 §2.2): without SMTPUTF8 nobody may send others, and servers differ in reading them. */
function breachOf(bytes: Buffer): string | null {
  const end = bytes.indexOf('\r\n\r\n');
  const header = end === -1 ? bytes : bytes.subarray(0, end);
  return header.some((octet) => octet > 0x7f) ? 'a header with octets that are not ASCII' : null;
}
