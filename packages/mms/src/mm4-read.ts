/**
 * The bytes of an MM4 message to a value. A line end other than CRLF is refused first: it is how a second message is
 * smuggled past a server that reads line ends differently. Source: 3GPP TS 23.140 §8.4; RFC 5321 §2.3.8.
 */
import { isMailAddress, readAddressList, readableAddresses, readMailbox } from './address.ts';
import { readContent } from './content.ts';
import { breaksLine, decodeWords } from './encoded-words.ts';
import { isMalformed, type Malformed, malformed, quoted } from './failure.ts';
import { fieldOf } from './header-fields.ts';
import { defaultLimits, type MmsLimits } from './limits.ts';
import { readMailDate } from './mail-date.ts';
import { type Entity, readEntity } from './mime-read.ts';
import { readStatusOf } from './mm-status.ts';
import type { Mm4RequestStatus } from './mm4-status.ts';
import { type Mm4ForwardReq, type Mm4Message, type Mm4Response, type Mm4Type, mm4Types } from './mm4-types.ts';
import { emptyMessage, type MmsMessage, messageClasses, priorities, wordIn } from './mms-message.ts';

/** The readable fields, '' for the others: enough for the RES that reports the fault. */
export interface Mm4Malformed extends Malformed {
  type: Mm4Type | null;
  transactionId: string;
  messageId: string;
  replyTo: string;
}

export interface Mm4Received {
  kind: 'message';
  message: Mm4Message;
  /** X-Mms-3GPP-MMS-Version; '' when it is missing. */
  version: string;
}

export const readMm4 = (bytes: Buffer, limits: MmsLimits = defaultLimits): Mm4Received | Mm4Malformed => {
  const entity = wrongLines(bytes, limits) ?? readEntity(bytes, limits);
  if (isMalformed(entity)) return { ...entity, type: null, transactionId: '', messageId: '', replyTo: '' };
  const reading = new Reading(entity, bytes.includes('\r\n\r\n'), limits);
  const message = reading.message();
  if (!isMalformed(message)) return { kind: 'message', message, version: reading.field('x-mms-3gpp-mms-version') };
  const { type, transactionId, messageId, replyTo } = reading;
  return { ...message, type, transactionId, messageId, replyTo };
};

/** The RES that answers a request. */
export const responseTo = (
  { type, transactionId, messageId }: { type: Mm4Type; transactionId: string; messageId: string },
  requestStatus: Mm4RequestStatus,
  statusText = '',
): Mm4Response => ({
  type: type.replace(/REQ$/, 'RES') as Mm4Response['type'],
  transactionId,
  messageId,
  requestStatus,
  statusText,
  vendorCode: '',
});

const LF = 0x0a;
const CR = 0x0d;

/** Only CRLF ends a line (RFC 5321 §2.3.8); NUL and longer lines do not pass SMTP. */
const wrongLines = (bytes: Buffer, limits: MmsLimits): Malformed | null => {
  if (bytes.length > limits.bytesMax) return malformed('limit', `over ${limits.bytesMax} octets`);
  let start = 0;
  for (let at = 0; at < bytes.length; at++) {
    const octet = bytes[at]!;
    if (octet === 0) return malformed('syntax', 'a NUL');
    if (octet === CR ? bytes[at + 1] !== LF : octet === LF && bytes[at - 1] !== CR) {
      return malformed('syntax', 'a line end that is not CRLF');
    }
    if (octet === LF) start = at + 1;
    else if (octet !== CR && at - start >= limits.lineBytesMax) {
      return malformed('limit', `a line of over ${limits.lineBytesMax} octets`);
    }
  }
  return null;
};

/** One message being read. The ids are set before any fault can be found. */
class Reading {
  readonly type: Mm4Type | null;
  readonly transactionId: string;
  readonly messageId: string;
  readonly replyTo: string;
  private readonly entity: Entity;
  private readonly hasBody: boolean;
  private readonly limits: MmsLimits;

  constructor(entity: Entity, hasBody: boolean, limits: MmsLimits) {
    this.entity = entity;
    this.hasBody = hasBody;
    this.limits = limits;
    this.type = wordIn(mm4Types, this.field('x-mms-message-type'));
    this.transactionId = plainId(this.field('x-mms-transaction-id'));
    this.messageId = plainId(this.field('x-mms-message-id'));
    const systems = [this.field('x-mms-originator-system'), this.field('sender')];
    this.replyTo = systems.flatMap((system) => [readMailbox(system), plainId(system)]).find(isMailAddress) ?? '';
  }

  field(name: string): string {
    return fieldOf(this.entity.fields, name) ?? '';
  }

  private words(name: string): string {
    return decodeWords(this.field(name));
  }

  message(): Mm4Message | Malformed {
    if (this.type === null) return malformed('missing', `no MM4: ${quoted(this.field('x-mms-message-type'))}`);
    if (this.transactionId === '') return malformed('missing', 'no X-Mms-Transaction-ID');
    if (this.messageId === '' && this.type.endsWith('REQ')) return malformed('missing', 'no X-Mms-Message-ID');
    if (breaksLine(this.words('subject')) || breaksLine(this.words('x-mms-status-text'))) {
      return malformed('value', 'a line end or a NUL in encoded words');
    }
    switch (this.type) {
      case 'MM4_forward.REQ':
        return this.forward();
      case 'MM4_delivery_report.REQ':
      case 'MM4_read_reply_report.REQ':
        return this.report(this.type);
      default:
        return this.response(this.type);
    }
  }

  private forward(): Mm4ForwardReq | Malformed {
    const from = readAddressList(this.field('from'), 1)?.[0];
    // The envelope names the recipient; the header may hide it, or list addresses of other systems.
    const to = readableAddresses(this.field('to'), this.limits.recipientsMax);
    const cc = readableAddresses(this.field('cc'), this.limits.recipientsMax);
    if (from === undefined) return malformed('missing', `no From: ${quoted(this.field('from'))}`);
    if (to === null || cc === null || to.length + cc.length > this.limits.recipientsMax) {
      return malformed('value', `over ${this.limits.recipientsMax} recipients`);
    }
    // Other messages may consist of a header alone; content that ends inside the header was truncated.
    if (!this.hasBody) return malformed('syntax', 'a header cut short');
    return {
      type: 'MM4_forward.REQ',
      ...this.request(),
      hidesSender: isWord(this.field('x-mms-sender-visibility'), 'hide'),
      message: { from, to, cc, ...this.content(), ...this.wishes() },
    };
  }

  private request() {
    return {
      transactionId: this.transactionId,
      messageId: this.messageId,
      ackRequest: isWord(this.field('x-mms-ack-request'), 'yes'),
      replyTo: this.replyTo,
    };
  }

  private content(): Pick<MmsMessage, 'parts' | 'smil'> {
    const { parts, body } = this.entity;
    return parts === null && body.length === 0 ? { parts: [], smil: null } : readContent([this.entity]);
  }

  private wishes() {
    return {
      subject: this.words('subject'),
      messageClass: wordIn(messageClasses, this.field('x-mms-message-class')) ?? emptyMessage.messageClass,
      priority: wordIn(priorities, this.field('x-mms-priority')) ?? emptyMessage.priority,
      deliveryReport: isWord(this.field('x-mms-delivery-report'), 'yes'),
      readReply: isWord(this.field('x-mms-read-reply'), 'yes'),
      expiry: readExpiry(this.field('x-mms-expiry')),
    };
  }

  private report(type: 'MM4_delivery_report.REQ' | 'MM4_read_reply_report.REQ'): Mm4Message | Malformed {
    const recipient = readAddressList(this.field('from'), 1)?.[0];
    const originator = readAddressList(this.field('to'), 1)?.[0];
    if (recipient === undefined) return malformed('missing', `no From: ${quoted(this.field('from'))}`);
    if (originator === undefined) return malformed('missing', `no To: ${quoted(this.field('to'))}`);
    const report = {
      ...this.request(),
      recipient,
      originator,
      date: readMailDate(this.field('date')),
      statusText: this.words('x-mms-status-text'),
    };
    if (type === 'MM4_delivery_report.REQ') {
      const mmStatus = this.field('x-mms-mm-status-code');
      return mmStatus === '' ? malformed('missing', 'no X-Mms-MM-Status-Code') : { type, ...report, mmStatus };
    }
    const readStatus = readStatusOf(this.field('x-mms-read-status'));
    return readStatus === null ? malformed('missing', 'no X-Mms-Read-Status') : { type, ...report, readStatus };
  }

  private response(type: Mm4Response['type']): Mm4Response | Malformed {
    const requestStatus = this.field('x-mms-request-status-code');
    if (requestStatus === '') return malformed('missing', 'no X-Mms-Request-Status-Code');
    return {
      type,
      transactionId: this.transactionId,
      messageId: this.messageId,
      requestStatus,
      statusText: this.words('x-mms-status-text'),
      vendorCode: this.field('x-internal-status-code'),
    };
  }
}

const isWord = (text: string, word: string): boolean => text.toLowerCase() === word;

/** Some peers quote ids, some put them in angle brackets: they are compared without either. */
const plainId = (text: string): string =>
  text
    .replace(/^"(.*)"$/, '$1')
    .replace(/^<(.*)>$/, '$1')
    .trim();

const readExpiry = (text: string): Date | number | null =>
  /^\d{1,10}$/.test(text) ? Number(text) : readMailDate(text);
