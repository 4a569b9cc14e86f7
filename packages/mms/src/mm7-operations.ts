/**
 * Each operation of MM7 from its element to a value. Elements are found by name in any order; a missing mandatory
 * element is a refusal. Unknown elements are ignored. A meaningless value is a refusal in a SubmitReq, whose sender can
 * correct it; in what a carrier passes on it counts as missing, since refusing a reply or a report would lose it.
 */
import { readAddress } from './address.ts';
import { contentIdOf, readContent } from './content.ts';
import { type Malformed, malformed, quoted } from './failure.ts';
import { fieldOf, percentDecoded } from './header-fields.ts';
import type { MmsLimits } from './limits.ts';
import type { Entity } from './mime-read.ts';
import { readStatusOf } from './mm-status.ts';
import { chargedParties, type Mm7Message, type Mm7Status } from './mm7-types.ts';
import { emptyMessage, type MmsMessage, messageClasses, priorities, wordIn } from './mms-message.ts';
import { child, childText, type XmlElement } from './xml-read.ts';

/** The longest sender that is no address. */
const NAME_CHARACTERS_MAX = 64;

const YEAR_SECONDS = 365 * 86_400;

const MONTH_SECONDS = 30 * 86_400;

/** A dateTime; without a zone it is UTC. Null when invalid. */
const readXmlTime = (text: string): Date | null => {
  const found = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d)?)(?:\.\d{1,12})?)?(Z|[+-]\d\d:?\d\d)?$/i.exec(text.trim());
  if (found === null) return null;
  const [, day, time = '00:00', zone = 'Z'] = found;
  const at = Date.parse(`${day}T${time}${zone.replace(/^(.\d\d)(\d\d)$/, '$1:$2').toUpperCase()}`);
  return Number.isNaN(at) ? null : new Date(at);
};

/** A duration in whole seconds, a year of 365 days and a month of 30. Null when invalid. */
const readXmlDuration = (text: string): number | null => {
  const found =
    /^P(?:(\d{1,4})Y)?(?:(\d{1,5})M)?(?:(\d{1,6})D)?(?:T(?:(\d{1,8})H)?(?:(\d{1,9})M)?(?:(\d{1,15})(?:\.\d{1,9})?S)?)?$/.exec(
      text.trim(),
    );
  if (found === null || !/\d/.test(text)) return null;
  const [years, months, days, hours, minutes, seconds] = found.slice(1).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return years * YEAR_SECONDS + months * MONTH_SECONDS + days * 86_400 + hours * 3_600 + minutes * 60 + seconds;
};

/** Null when the operation is unknown. */
export const readOperation = (
  element: XmlElement,
  transactionId: string,
  attachments: readonly Entity[],
  limits: MmsLimits,
): Mm7Message | Malformed | null => {
  const read = Object.hasOwn(operations, element.name) ? operations[element.name]! : null;
  if (read === null) return null;
  const reading = new Reading(element, transactionId, attachments, limits);
  const message = read(reading);
  return reading.problems[0] ?? message;
};

const operations: Readonly<Record<string, (reading: Reading) => Mm7Message>> = {
  SubmitReq: (reading) => ({
    type: 'SubmitReq',
    ...reading.vasp(),
    transactionId: reading.transactionId,
    serviceCode: reading.text('ServiceCode'),
    linkedId: reading.text('LinkedID'),
    timeStamp: reading.time('TimeStamp'),
    earliestDeliveryTime: reading.timeOrDuration('EarliestDeliveryTime'),
    chargedParty: wordIn(chargedParties, reading.text('ChargedParty')),
    distributionIndicator: reading.boolean('DistributionIndicator'),
    message: reading.message(reading.sender('SenderAddress'), true),
  }),
  SubmitRsp: (reading) => ({
    type: 'SubmitRsp',
    transactionId: reading.transactionId,
    status: reading.status(),
    messageId: reading.text('MessageID'),
  }),
  DeliverReq: (reading) => ({
    type: 'DeliverReq',
    ...reading.vasp(),
    transactionId: reading.transactionId,
    mmsRelayServerId: reading.text('MMSRelayServerID'),
    linkedId: reading.text('LinkedID'),
    timeStamp: reading.time('TimeStamp'),
    message: reading.message(reading.sentBy('Sender'), false),
  }),
  DeliverRsp: (reading) => ({
    type: 'DeliverRsp',
    transactionId: reading.transactionId,
    status: reading.status(),
    serviceCode: reading.text('ServiceCode'),
  }),
  DeliveryReportReq: (reading) => ({
    type: 'DeliveryReportReq',
    ...reading.report(),
    date: reading.time('Date'),
    mmStatus: reading.mandatory('MMStatus'),
  }),
  ReadReplyReq: (reading) => ({
    type: 'ReadReplyReq',
    ...reading.report(),
    timeStamp: reading.time('TimeStamp'),
    readStatus: reading.readStatus(),
  }),
  CancelReq: (reading) => ({
    type: 'CancelReq',
    ...reading.vasp(),
    transactionId: reading.transactionId,
    messageId: reading.mandatory('MessageID'),
  }),
  DeliveryReportRsp: (reading) => reading.statusOnly('DeliveryReportRsp'),
  ReadReplyRsp: (reading) => reading.statusOnly('ReadReplyRsp'),
  CancelRsp: (reading) => reading.statusOnly('CancelRsp'),
  RSErrorRsp: (reading) => reading.statusOnly('RSErrorRsp'),
  VASPErrorRsp: (reading) => reading.statusOnly('VASPErrorRsp'),
};

/** One operation being read, and the faults found in it. */
class Reading {
  readonly problems: Malformed[] = [];
  readonly transactionId: string;
  private readonly element: XmlElement;
  private readonly attachments: readonly Entity[];
  private readonly limits: MmsLimits;
  private readonly isStrict: boolean;

  constructor(element: XmlElement, transactionId: string, attachments: readonly Entity[], limits: MmsLimits) {
    this.element = element;
    this.transactionId = transactionId;
    this.attachments = attachments;
    this.limits = limits;
    this.isStrict = element.name === 'SubmitReq';
  }

  private wrong(detail: string): void {
    if (this.isStrict) this.problems.push(malformed('value', detail));
  }

  text(name: string): string {
    return childText(this.element, name);
  }

  mandatory(name: string): string {
    const text = this.text(name);
    if (text === '') this.problems.push(malformed('missing', `no ${name}`));
    return text;
  }

  boolean(name: string): boolean | null {
    const text = this.text(name).toLowerCase();
    return text === '' ? null : text === 'true' || text === '1';
  }

  time(name: string): Date | null {
    const text = this.text(name);
    if (text === '') return null;
    const date = readXmlTime(text);
    if (date === null) this.wrong(`${name} is no time: ${quoted(text)}`);
    return date;
  }

  timeOrDuration(name: string): Date | number | null {
    return readXmlDuration(this.text(name)) ?? this.time(name);
  }

  /** Older schemas have VASPID and VASID in the operation itself. */
  vasp(): { vaspId: string; vasId: string } {
    const inner = child(this.element, 'SenderIdentification');
    return {
      vaspId: childText(inner, 'VASPID') || this.text('VASPID'),
      vasId: childText(inner, 'VASID') || this.text('VASID'),
    };
  }

  sender(name: string): string {
    const inner = child(child(this.element, 'SenderIdentification'), name) ?? child(this.element, name);
    return inner === undefined ? '' : (this.addressesIn(inner)[0] ?? '');
  }

  /** '' when there is none. */
  address(name: string): string {
    const inner = child(this.element, name);
    return (inner === undefined ? undefined : this.addressesIn(inner)[0]) ?? '';
  }

  /** A mandatory sender: its address, or else what is written, such as a name. */
  sentBy(name: string): string {
    const inner = child(this.element, name);
    const written = inner === undefined ? '' : (writtenIn(inner)[0]?.text ?? '');
    const sender =
      this.address(name) ||
      written
        .replaceAll(/[\p{Cc}\s]+/gu, ' ')
        .trim()
        .slice(0, NAME_CHARACTERS_MAX);
    if (sender === '') this.problems.push(malformed('missing', `no ${name}`));
    return sender;
  }

  status(): Mm7Status {
    const status = child(this.element, 'Status');
    const code = childText(status, 'StatusCode');
    if (!/^[1-9]\d{3}$/.test(code)) this.problems.push(malformed('missing', `no StatusCode: ${quoted(code)}`));
    const details = child(status, 'Details');
    return {
      code: Number(code),
      text: childText(status, 'StatusText'),
      failedRecipients: details === undefined ? [] : [...new Set(addressesIn(details))],
    };
  }

  statusOnly<T extends string>(type: T): { type: T; transactionId: string; status: Mm7Status } {
    return { type, transactionId: this.transactionId, status: this.status() };
  }

  /** Elements shared by delivery reports and read replies. */
  report() {
    return {
      transactionId: this.transactionId,
      mmsRelayServerId: this.text('MMSRelayServerID'),
      messageId: this.mandatory('MessageID'),
      recipient: this.address('Recipient'),
      sender: this.address('Sender'),
      statusText: this.text('StatusText'),
    };
  }

  readStatus() {
    const word = this.mandatory('MMStatus');
    const status = readStatusOf(word);
    if (status === null) this.problems.push(malformed('value', `MMStatus ${quoted(word)}`));
    return status ?? 'Read';
  }

  message(from: string, needsRecipients: boolean): MmsMessage {
    const recipients = child(this.element, 'Recipients')?.children ?? [];
    // Bcc is for the first relay, which is us: its recipients count like all others.
    const to = recipients.filter(({ name }) => name !== 'Cc').flatMap((inner) => this.addressesIn(inner));
    const cc = recipients.filter(({ name }) => name === 'Cc').flatMap((inner) => this.addressesIn(inner));
    const count = to.length + cc.length;
    if (count === 0 && needsRecipients) this.problems.push(malformed('missing', 'no Recipients'));
    if (count > this.limits.recipientsMax) {
      this.problems.push(malformed('limit', `over ${this.limits.recipientsMax} recipients`));
    }
    return {
      from,
      to,
      cc,
      subject: this.text('Subject'),
      ...this.content(),
      messageClass: wordIn(messageClasses, this.text('MessageClass')) ?? emptyMessage.messageClass,
      priority: wordIn(priorities, this.text('Priority')) ?? emptyMessage.priority,
      deliveryReport: this.boolean('DeliveryReport') ?? false,
      readReply: this.boolean('ReadReply') ?? false,
      expiry: this.timeOrDuration('ExpiryDate'),
    };
  }

  /** The attachment that Content refers to. Peers that refer to none, or to one of several, mean all of them. */
  private content(): Pick<MmsMessage, 'parts' | 'smil'> {
    const href = child(this.element, 'Content')?.attributes.get('href');
    if (href === undefined) return readContent(this.attachments);
    const id = percentDecoded(href.trim())
      .replace(/^cid:/i, '')
      .replace(/^<(.*)>$/, '$1');
    const found = this.attachments.find(
      (part) => contentIdOf(part) === id || fieldOf(part.fields, 'content-location') === id,
    );
    if (found === undefined && this.attachments.length === 0) {
      this.problems.push(malformed('missing', `no attachment ${quoted(id)}`));
    }
    return readContent(found?.parts ? [found] : this.attachments);
  }

  /** Every address inside. */
  private addressesIn(element: XmlElement): string[] {
    return writtenIn(element).flatMap(({ name, text }) => {
      const address = readAddress(text);
      if (address !== null) return [address];
      this.wrong(`${name} is no address: ${quoted(text)}`);
      return [];
    });
  }
}

/** The elements with an address; one without such elements contains the address itself. */
const writtenIn = (element: XmlElement): XmlElement[] =>
  element.children.length === 0 ? [element] : addressElements(element);

const addressElements = (element: XmlElement): XmlElement[] =>
  element.children.flatMap((inner) =>
    /^(Number|ShortCode|RFC2822Address)$/.test(inner.name) ? [inner] : addressElements(inner),
  );

/** Addresses in Details, which 3GPP leaves open: in elements of any name or between words. */
const addressesIn = ({ text, children }: XmlElement): string[] => {
  const whole = readAddress(text);
  const own = whole === null ? text.split(/[\s,;]+/).flatMap((word) => readAddress(word) ?? []) : [whole];
  return [...own, ...children.flatMap(addressesIn)];
};
