/**
 * A message of MM4 as the bytes and the envelope of an SMTP transaction. Every line ends with CRLF, none begins with a
 * dot, none is over 998 octets, all is ASCII; no value can start a new line. Source: 3GPP TS 23.140 §8.4.4 and §8.4.5.
 */
import { isDigits, isDomain, isMailAddress, writePlmn } from './address.ts';
import { contentEntity } from './content.ts';
import { breaksLine, encodeWords } from './encoded-words.ts';
import { isUnwritable, type Unwritable, unwritable } from './failure.ts';
import { isMailDate, writeMailDate } from './mail-date.ts';
import { type OutField, writeEntity, writeFields } from './mime-write.ts';
import type {
  Mm4DeliveryReportReq,
  Mm4ForwardReq,
  Mm4Message,
  Mm4ReadReplyReportReq,
  Mm4Response,
} from './mm4-types.ts';

export interface Mm4WriteOptions {
  /** The domain of our addresses. */
  ourDomain: string;
  /** The domain of the peer's addresses in the envelope. */
  peerDomain: string;
  /** Now. */
  date: Date;
  /** For a response: its recipient's mail address, from a request's `replyTo` or the sender of its envelope. */
  replyTo?: string;
  /** The mailbox that receives acknowledgements; default `mms-system`. */
  systemUser?: string;
  /** X-Mms-3GPP-MMS-Version; default 6.10.0. */
  version?: string;
  /** Ids as quoted strings, as in the standard; default true. */
  quotesIds?: boolean;
}

export interface Mm4Mail {
  kind: 'written';
  /** Addresses for MAIL FROM and RCPT TO, without angle brackets. */
  mailFrom: string;
  rcptTo: string[];
  bytes: Buffer;
}

interface Draft {
  mailFrom: string;
  rcptTo: string[];
  fields: OutField[];
}

type Report = Mm4DeliveryReportReq | Mm4ReadReplyReportReq;

export const writeMm4 = (message: Mm4Message, options: Mm4WriteOptions): Mm4Mail | Unwritable => {
  const problem = problemOf(message, options);
  if (problem !== null) return problem;
  switch (message.type) {
    case 'MM4_forward.REQ':
      return writeForward(message, options);
    case 'MM4_delivery_report.REQ':
    case 'MM4_read_reply_report.REQ':
      return mail(reportDraft(message, options), Buffer.alloc(0));
    default:
      return mail(responseDraft(message, options), Buffer.alloc(0));
  }
};

/** Checks the fields that all messages share; `writeFields` checks the others. */
const problemOf = (message: Mm4Message, options: Mm4WriteOptions): Unwritable | null => {
  const { ourDomain, peerDomain, date, version } = options;
  if (!isDomain(ourDomain)) return unwritable('ourDomain', 'is no domain');
  if (!isDomain(peerDomain)) return unwritable('peerDomain', 'is no domain');
  if (!isMailAddress(systemAddress(options))) return unwritable('systemUser', 'is no mailbox');
  if (!isMailDate(date)) return unwritable('date', 'is no moment between 1970 and 9999');
  if (version !== undefined && !/^\d{1,3}(\.\d{1,3}){2}$/.test(version)) return unwritable('version', 'is no triple');
  if ('statusText' in message && breaksLine(message.statusText)) {
    return unwritable('statusText', 'holds a line end, a NUL or half a character');
  }
  if ('mmStatus' in message && message.mmStatus === '') return unwritable('mmStatus', 'is mandatory');
  if ('requestStatus' in message && message.requestStatus === '') return unwritable('requestStatus', 'is mandatory');
  for (const name of ['transactionId', 'messageId'] as const) {
    if (!/^[\x21-\x7e]{1,200}$/.test(message[name]) || /["\\<>]/.test(message[name])) {
      return unwritable(name, 'is not 1 to 200 printable characters without quotes and brackets');
    }
  }
  return null;
};

const systemAddress = ({ systemUser = 'mms-system', ourDomain }: Mm4WriteOptions): string =>
  `${systemUser}@${ourDomain}`;

const writeForward = (request: Mm4ForwardReq, options: Mm4WriteOptions): Mm4Mail | Unwritable => {
  const { message } = request;
  const recipients = [...message.to, ...message.cc];
  if (!isDigits(message.from)) return unwritable('from', 'is not 3 to 15 digits');
  if (message.to.length === 0) return unwritable('to', 'names nobody');
  if (!recipients.every(isDigits)) return unwritable('to', 'is not 3 to 15 digits each');
  if (breaksLine(message.subject)) {
    return unwritable('subject', 'holds a line end, a NUL or half a character');
  }
  const expiry = writeExpiry(message.expiry);
  if (isUnwritable(expiry)) return expiry;
  const content = contentEntity(message);
  const written = isUnwritable(content) ? content : writeEntity(content, 'base64');
  if (isUnwritable(written)) return written;
  const draft = forwardDraft(request, options, expiry);
  return mail({ ...draft, fields: [...draft.fields, ...written.fields] }, written.body);
};

const forwardDraft = (request: Mm4ForwardReq, options: Mm4WriteOptions, expiry: OutField[]): Draft => {
  const { message, messageId } = request;
  const from = writePlmn(message.from, options.ourDomain);
  const subject: OutField[] = message.subject === '' ? [] : [['Subject', encodeWords(message.subject)]];
  return {
    mailFrom: from,
    rcptTo: [...message.to, ...message.cc].map((digits) => writePlmn(digits, options.peerDomain)),
    fields: [
      ...commonFields(request, options),
      ['From', from],
      ['To', message.to.map((digits) => writePlmn(digits)).join(', ')],
      ...listField('Cc', message.cc),
      ...subject,
      ['Message-ID', messageId.includes('@') ? `<${messageId}>` : `<${messageId}@${options.ourDomain}>`],
      ['X-Mms-Originator-System', systemAddress(options)],
      ...ackRequest(request),
      ['X-Mms-Message-Class', message.messageClass],
      ['X-Mms-Priority', message.priority],
      ...expiry,
      ['X-Mms-Delivery-Report', yesNo(message.deliveryReport)],
      ['X-Mms-Read-Reply', yesNo(message.readReply)],
      ['X-Mms-Sender-Visibility', request.hidesSender ? 'Hide' : 'Show'],
    ],
  };
};

const reportDraft = (report: Report, options: Mm4WriteOptions): Draft | Unwritable => {
  if (!isDigits(report.recipient)) return unwritable('recipient', 'is not 3 to 15 digits');
  if (!isDigits(report.originator)) return unwritable('originator', 'is not 3 to 15 digits');
  if (report.date !== null && !isMailDate(report.date)) return unwritable('date', 'is no moment between 1970 and 9999');
  const status: OutField =
    report.type === 'MM4_delivery_report.REQ'
      ? ['X-Mms-MM-Status-Code', report.mmStatus]
      : ['X-Mms-Read-Status', report.readStatus];
  return {
    mailFrom: systemAddress(options),
    rcptTo: [writePlmn(report.originator, options.peerDomain)],
    fields: [
      ...commonFields(report, { ...options, date: report.date ?? options.date }),
      ['From', writePlmn(report.recipient, options.ourDomain)],
      ['To', writePlmn(report.originator, options.peerDomain)],
      ...ackRequest(report),
      status,
      ...statusText(report.statusText),
    ],
  };
};

const responseDraft = (response: Mm4Response, options: Mm4WriteOptions): Draft | Unwritable => {
  const { replyTo = '' } = options;
  if (!isMailAddress(replyTo)) return unwritable('replyTo', 'is no mail address');
  return {
    mailFrom: systemAddress(options),
    rcptTo: [replyTo],
    fields: [
      ...commonFields(response, options),
      ['From', systemAddress(options)],
      ['To', replyTo],
      ['X-Mms-Request-Status-Code', response.requestStatus],
      ...statusText(response.statusText),
    ],
  };
};

const commonFields = (message: Mm4Message, options: Mm4WriteOptions): OutField[] => {
  const { date, version = '6.10.0', quotesIds = true } = options;
  const id = (text: string): string => (quotesIds ? `"${text}"` : text);
  return [
    ['Date', writeMailDate(date)],
    ['Sender', systemAddress(options)],
    ['X-Mms-3GPP-MMS-Version', version],
    ['X-Mms-Message-Type', message.type],
    ['X-Mms-Transaction-ID', id(message.transactionId)],
    ['X-Mms-Message-ID', id(message.messageId)],
    ['MIME-Version', '1.0'],
  ];
};

const yesNo = (is: boolean): string => (is ? 'Yes' : 'No');
const ackRequest = (request: { ackRequest: boolean }): OutField[] => [['X-Mms-Ack-Request', yesNo(request.ackRequest)]];
const statusText = (text: string): OutField[] => (text === '' ? [] : [['X-Mms-Status-Text', encodeWords(text)]]);

const listField = (name: string, addresses: readonly string[]): OutField[] =>
  addresses.length === 0 ? [] : [[name, addresses.map((digits) => writePlmn(digits)).join(', ')]];

/** X-Mms-Expiry holds a date or seconds (§8.4.5.2). */
const writeExpiry = (expiry: Date | number | null): OutField[] | Unwritable => {
  if (expiry === null) return [];
  const isSound = typeof expiry === 'number' ? Number.isSafeInteger(expiry) && expiry >= 0 : isMailDate(expiry);
  if (!isSound) return unwritable('expiry', 'is neither a moment nor whole seconds');
  return [['X-Mms-Expiry', typeof expiry === 'number' ? String(expiry) : writeMailDate(expiry)]];
};

const mail = (draft: Draft | Unwritable, body: Buffer): Mm4Mail | Unwritable => {
  if (isUnwritable(draft)) return draft;
  const header = writeFields(draft.fields);
  if (isUnwritable(header)) return header;
  const { mailFrom, rcptTo } = draft;
  return { kind: 'written', mailFrom, rcptTo, bytes: Buffer.concat([Buffer.from(`${header}\r\n`, 'latin1'), body]) };
};
