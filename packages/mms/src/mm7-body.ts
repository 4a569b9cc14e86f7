/**
 * Each operation of MM7 as XML, elements in the order of the schema, which strict peers require. Invalid values are
 * collected, not thrown. Source: 3GPP TS 23.140 annex L.
 */
import { isDigits, isMailAddress, isShortCode } from './address.ts';
import { type Unwritable, unwritable } from './failure.ts';
import type {
  Mm7CancelReq,
  Mm7DeliverReq,
  Mm7DeliveryReportReq,
  Mm7Dialect,
  Mm7ReadReplyReq,
  Mm7Status,
  Mm7SubmitReq,
  Mm7SubmitRsp,
  Mm7Written,
} from './mm7-types.ts';
import type { MmsMessage } from './mms-message.ts';
import { element, emptyElement, textElement } from './xml-write.ts';

export interface BodyOptions {
  dialect: Mm7Dialect;
  /** Numbers as `+1…`; some peers want only digits. */
  plus: boolean;
  /** Id of the attachment; null when there is none. */
  contentId: string | null;
}

/** The element of the operation, in the namespace of the dialect. */
export const writeBody = (message: Mm7Written, options: BodyOptions): string | Unwritable => {
  const writing = new Writing(options);
  const content = contentOf(message, writing);
  const [problem] = writing.problems;
  if (problem !== undefined) return problem;
  const { namespace, version } = options.dialect;
  return element(message.type, [textElement('MM7Version', version), ...content], { xmlns: namespace });
};

const contentOf = (message: Mm7Written, writing: Writing): string[] => {
  switch (message.type) {
    case 'SubmitReq':
      return submitReq(message, writing);
    case 'SubmitRsp':
      return [writing.status(message.status), submitted(message, writing)];
    case 'DeliverReq':
      return deliverReq(message, writing);
    case 'DeliverRsp':
      return [writing.status(message.status), textElement('ServiceCode', message.serviceCode)];
    case 'DeliveryReportReq':
      return deliveryReportReq(message, writing);
    case 'ReadReplyReq':
      return readReplyReq(message, writing);
    case 'CancelReq':
      return cancelReq(message, writing);
    default:
      return [writing.status(message.status)];
  }
};

/** An accepted message must have an id. */
const submitted = ({ status, messageId }: Mm7SubmitRsp, writing: Writing): string =>
  status.code < 2000 ? writing.mandatory('MessageID', messageId) : textElement('MessageID', messageId);

const submitReq = (request: Mm7SubmitReq, writing: Writing): string[] => {
  const { message } = request;
  return [
    writing.senderIdentification(request, message.from),
    writing.recipients(message, true),
    textElement('ServiceCode', request.serviceCode),
    textElement('LinkedID', request.linkedId),
    message.messageClass === 'Personal' ? '' : textElement('MessageClass', message.messageClass),
    writing.time('TimeStamp', request.timeStamp),
    writing.timeOrDuration('EarliestDeliveryTime', request.earliestDeliveryTime),
    writing.timeOrDuration('ExpiryDate', message.expiry),
    textElement('DeliveryReport', String(message.deliveryReport)),
    message.readReply ? textElement('ReadReply', 'true') : '',
    priority(message),
    textElement('Subject', message.subject),
    textElement('ChargedParty', request.chargedParty),
    request.distributionIndicator === null
      ? ''
      : textElement('DistributionIndicator', String(request.distributionIndicator)),
    writing.content(),
  ];
};

const deliverReq = (request: Mm7DeliverReq, writing: Writing): string[] => {
  const { message } = request;
  return [
    textElement('MMSRelayServerID', request.mmsRelayServerId),
    textElement('VASPID', request.vaspId),
    textElement('VASID', request.vasId),
    textElement('LinkedID', request.linkedId),
    writing.addressed('Sender', message.from),
    writing.recipients(message, false),
    writing.time('TimeStamp', request.timeStamp),
    priority(message),
    textElement('Subject', message.subject),
    writing.content(),
  ];
};

const deliveryReportReq = (report: Mm7DeliveryReportReq, writing: Writing): string[] => [
  textElement('MMSRelayServerID', report.mmsRelayServerId),
  writing.mandatory('MessageID', report.messageId),
  writing.addressed('Recipient', report.recipient),
  writing.addressed('Sender', report.sender),
  writing.time('Date', report.date, true),
  writing.mandatory('MMStatus', report.mmStatus),
  textElement('StatusText', report.statusText),
];

const readReplyReq = (reply: Mm7ReadReplyReq, writing: Writing): string[] => [
  textElement('MMSRelayServerID', reply.mmsRelayServerId),
  writing.mandatory('MessageID', reply.messageId),
  writing.addressed('Recipient', reply.recipient),
  writing.addressed('Sender', reply.sender),
  writing.time('TimeStamp', reply.timeStamp, true),
  textElement('MMStatus', reply.readStatus),
  textElement('StatusText', reply.statusText),
];

const cancelReq = (request: Mm7CancelReq, writing: Writing): string[] => [
  writing.senderIdentification(request, ''),
  writing.mandatory('MessageID', request.messageId),
];

const priority = ({ priority }: MmsMessage): string => (priority === 'Normal' ? '' : textElement('Priority', priority));

/** Whole years that xs:dateTime and every peer can read. */
const yearsOf = { first: Date.UTC(1970), last: Date.UTC(9999) };

/** Writes the elements shared by several operations, and collects faults. */
class Writing {
  readonly problems: Unwritable[] = [];
  private readonly options: BodyOptions;

  constructor(options: BodyOptions) {
    this.options = options;
  }

  mandatory(name: string, text: string): string {
    if (text === '') this.problems.push(unwritable(name, 'is mandatory'));
    return textElement(name, text);
  }

  content(): string {
    const { contentId } = this.options;
    return contentId === null ? '' : emptyElement('Content', { href: `cid:${contentId}` });
  }

  /** 3GPP leaves Details open; ours has one address element for each failed recipient. */
  status({ code, text, failedRecipients }: Mm7Status): string {
    if (!Number.isInteger(code) || code < 1000 || code > 9999) {
      this.problems.push(unwritable('StatusCode', 'has four digits'));
    }
    const details = failedRecipients.map((address) => this.address('Details', address));
    return element('Status', [
      textElement('StatusCode', String(code)),
      textElement('StatusText', text),
      details.length === 0 ? '' : element('Details', details),
    ]);
  }

  senderIdentification({ vaspId, vasId }: { vaspId: string; vasId: string }, from: string): string {
    return element('SenderIdentification', [
      textElement('VASPID', vaspId),
      textElement('VASID', vasId),
      from === '' ? '' : this.addressed('SenderAddress', from),
    ]);
  }

  /** One To and one Cc with all their addresses: the schema allows several inside each. */
  recipients({ to, cc }: MmsMessage, isMandatory: boolean): string {
    if (to.length + cc.length === 0) {
      if (isMandatory) this.problems.push(unwritable('Recipients', 'is mandatory'));
      return '';
    }
    const group = (name: string, addresses: readonly string[]): string =>
      addresses.length === 0
        ? ''
        : element(
            name,
            addresses.map((address) => this.address(name, address)),
          );
    return element('Recipients', [group('To', to), group('Cc', cc)]);
  }

  addressed(name: string, address: string): string {
    return element(name, [this.address(name, address)]);
  }

  private address(field: string, address: string): string {
    if (isDigits(address)) {
      if (isShortCode(address)) return textElement('ShortCode', address);
      return textElement('Number', this.options.plus ? `+${address}` : address);
    }
    if (isMailAddress(address)) return textElement('RFC2822Address', address);
    this.problems.push(unwritable(field, 'is neither 3 to 15 digits nor a mail address'));
    return '';
  }

  /** In UTC, whole seconds. */
  time(name: string, date: Date | null, isMandatory = false): string {
    if (date === null) return isMandatory ? this.mandatory(name, '') : '';
    const at = date.getTime();
    if (!(at >= yearsOf.first && at < yearsOf.last)) {
      this.problems.push(unwritable(name, 'is no moment between 1970 and 9999'));
      return '';
    }
    return textElement(name, date.toISOString().replace(/\.\d+Z$/, 'Z'));
  }

  timeOrDuration(name: string, when: Date | number | null): string {
    if (typeof when !== 'number') return this.time(name, when);
    if (Number.isSafeInteger(when) && when >= 0) return textElement(name, `PT${when}S`);
    this.problems.push(unwritable(name, 'is no whole number of seconds'));
    return '';
  }
}
