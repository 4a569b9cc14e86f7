/**
 * The bytes of an MM7 request or answer to a value. Lenient about prefixes, order, namespaces and missing elements; one
 * message has one operation. Source: 3GPP TS 23.140 §8.7.
 */
import { contentIdOf } from './content.ts';
import { isMalformed, type Malformed, malformed, quoted } from './failure.ts';
import type { Parametrized } from './header-fields.ts';
import { defaultLimits, type MmsLimits } from './limits.ts';
import { type Entity, readBody } from './mime-read.ts';
import { dialectOf, mm7Dialect } from './mm7-dialect.ts';
import { readOperation } from './mm7-operations.ts';
import { mm7StatusOf } from './mm7-status.ts';
import type { Mm7Dialect, Mm7Fault, Mm7Message, Mm7StatusRsp } from './mm7-types.ts';
import { child, childText, readXml, type XmlElement } from './xml-read.ts';

export interface Mm7Input {
  /** The Content-Type header; '' when there was none. */
  contentType: string;
  body: Buffer;
}

/** An error answer needs `transactionId` ('' when there is none) and `dialect`. */
export interface Mm7Malformed extends Malformed {
  transactionId: string;
  dialect: Mm7Dialect;
  /** StatusCode of the answer. */
  statusCode: number;
}

export interface Mm7Received {
  kind: 'message';
  message: Mm7Message;
  /** The peer's dialect: answer in it. */
  dialect: Mm7Dialect;
}

const MESSAGE_FORMAT_CORRUPT = 2007;
const UNSUPPORTED_OPERATION = 4003;
const VALIDATION_ERROR = 4004;
/** The dialect of answers to peers whose own could not be read. */
const ourDialect = mm7Dialect('REL-6-MM7-1-4');

export const readMm7 = (input: Mm7Input, limits: MmsLimits = defaultLimits): Mm7Received | Mm7Malformed => {
  const packed = unpack(input, limits);
  if (isMalformed(packed)) return failed(packed);
  const { contentType, body } = packed.xml;
  const isLabelled = isXml(contentType);
  // Some servers label every answer text/html, and a clear answer must not make a message uncertain.
  if (!isLabelled && !beginsAsXml(body)) return failed(notXml(contentType));
  const envelope = readXml(body, contentType.parameters.get('charset') ?? '', limits);
  if (!isLabelled && (isMalformed(envelope) || envelope.name !== 'Envelope')) return failed(notXml(contentType));
  return isMalformed(envelope) ? failed(envelope) : readEnvelope(envelope, packed.others, limits);
};

/** The error that answers an unreadable request; written, it is a SOAP fault with HTTP 500. */
export const rsErrorFor = ({ transactionId, statusCode, detail }: Mm7Malformed): Mm7StatusRsp => ({
  type: 'RSErrorRsp',
  transactionId,
  status: mm7StatusOf(statusCode, detail),
});

const failed = (
  why: Malformed,
  transactionId = '',
  dialect = ourDialect,
  statusCode = why.reason === 'missing' || why.reason === 'value' ? VALIDATION_ERROR : MESSAGE_FORMAT_CORRUPT,
): Mm7Malformed => ({ ...why, transactionId, dialect, statusCode });

interface Packed {
  xml: Entity;
  others: Entity[];
}

const unpack = ({ contentType, body }: Mm7Input, limits: MmsLimits): Packed | Malformed => {
  if (body.length === 0) return malformed('missing', 'an empty body');
  const whole = readBody([{ name: 'content-type', value: contentType || 'text/xml' }], body, limits);
  if (isMalformed(whole)) return whole;
  if (whole.parts === null) return { xml: whole, others: [] };
  const start = whole.contentType.parameters.get('start')?.replace(/^<(.*)>$/, '$1');
  const xml = whole.parts.find((part) => start !== undefined && contentIdOf(part) === start) ?? whole.parts[0]!;
  return { xml, others: whole.parts.filter((part) => part !== xml) };
};

/** With `xop+xml`: the root of MTOM, whose other parts are attachments as usual. */
const isXml = ({ value }: Parametrized): boolean => /^(text|application)\/((soap|xop)\+)?xml$/.test(value);
const beginsAsXml = (body: Buffer): boolean => /^(?:\xef\xbb\xbf)?\s*</.test(body.toString('latin1', 0, 100));
const notXml = ({ value }: Parametrized): Malformed => malformed('value', `${quoted(value)} where SOAP should be`);

const readEnvelope = (
  envelope: XmlElement,
  attachments: readonly Entity[],
  limits: MmsLimits,
): Mm7Received | Mm7Malformed => {
  const header = child(envelope, 'Header');
  const transactionId = childText(header, 'TransactionID');
  const [outermost, ...others] = child(envelope, 'Body')?.children ?? [];
  if (envelope.name !== 'Envelope' || outermost === undefined) {
    return failed(malformed('missing', 'no SOAP envelope with a body'), transactionId);
  }
  if (others.length > 0) return failed(malformed('value', 'several operations in one body'), transactionId);
  const isFault = outermost.name === 'Fault';
  const operation = isFault ? errorIn(outermost) : outermost;
  if (operation === undefined) {
    const namespace = child(header, 'TransactionID')?.namespace ?? '';
    return { kind: 'message', message: fault(outermost, transactionId), dialect: dialectOf(namespace, '') };
  }
  const dialect = dialectOf(operation.namespace, childText(operation, 'MM7Version'));
  const message = readOperation(operation, transactionId, attachments, limits);
  if (message === null) {
    const why = malformed('value', `the operation ${quoted(operation.name)} is unknown`);
    return failed(why, transactionId, dialect, UNSUPPORTED_OPERATION);
  }
  return isMalformed(message) ? failed(message, transactionId, dialect) : { kind: 'message', message, dialect };
};

/** RSErrorRsp or VASPErrorRsp in the detail of a fault, or the answer that some peers put there. */
const errorIn = (soapFault: XmlElement): XmlElement | undefined =>
  child(soapFault, 'detail')?.children.find((element) => child(element, 'Status') !== undefined);

const fault = (soapFault: XmlElement, transactionId: string): Mm7Fault => ({
  type: 'Fault',
  transactionId,
  faultCode: childText(soapFault, 'faultcode'),
  faultString: childText(soapFault, 'faultstring'),
});
