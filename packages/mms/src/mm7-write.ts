/**
 * A message of MM7 as the headers and body of an HTTP request or answer: SOAP 1.1, with attachments when it has
 * content. Never chunked, because many peers refuse that. Source: 3GPP TS 23.140 §8.7.1.
 */
import { contentEntity } from './content.ts';
import { isUnwritable, type Unwritable, unwritable } from './failure.ts';
import { type OutEntity, type TransferEncoding, writeEntity } from './mime-write.ts';
import { writeBody } from './mm7-body.ts';
import { SOAP_NAMESPACE } from './mm7-dialect.ts';
import type { Mm7Dialect, Mm7Written } from './mm7-types.ts';
import type { MmsMessage } from './mms-message.ts';
import { encodeXmlText, isXmlText } from './xml-text.ts';
import { element, textElement } from './xml-write.ts';

export interface Mm7WriteOptions {
  /** The carrier's transaction id; an answer repeats the request's. */
  dialect: Mm7Dialect;
  /** How media are encoded; default base64, which every peer reads. */
  transferEncoding?: TransferEncoding;
  /** Numbers with `+`; default true. */
  plus?: boolean;
}

export interface Mm7Http {
  kind: 'written';
  /** For an answer: 500 carries a fault (SOAP 1.1 §6.2). Requests ignore it. */
  httpStatus: 200 | 500;
  /** Names in lower case; authorization is the caller's. */
  headers: Record<'content-type' | 'content-length' | 'soapaction', string>;
  body: Buffer;
}

const ENVELOPE_ID = 'envelope@mms';
const CONTENT_ID = 'content@mms';
const XML_TYPE = 'text/xml; charset=utf-8';

export const writeMm7 = (message: Mm7Written, options: Mm7WriteOptions): Mm7Http | Unwritable => {
  const content = 'message' in message && hasContent(message.message) ? message.message : null;
  const xml = writeEnvelope(message, options, content === null ? null : CONTENT_ID);
  if (isUnwritable(xml)) return xml;
  const isFault = message.type === 'RSErrorRsp' || message.type === 'VASPErrorRsp';
  const httpStatus = isFault ? 500 : 200;
  if (content === null) return http(httpStatus, XML_TYPE, xml);
  const attachment = contentEntity(content, [['Content-ID', `<${CONTENT_ID}>`]]);
  if (isUnwritable(attachment)) return attachment;
  const envelope: OutEntity = {
    contentType: XML_TYPE,
    fields: [['Content-ID', `<${ENVELOPE_ID}>`]],
    body: xml,
    isText: true,
  };
  const whole = writeEntity(
    {
      contentType: `multipart/related; type="text/xml"; start="<${ENVELOPE_ID}>"`,
      fields: [],
      parts: [envelope, attachment],
    },
    options.transferEncoding ?? 'base64',
  );
  return isUnwritable(whole) ? whole : http(httpStatus, whole.fields[0]![1], whole.body);
};

const hasContent = ({ parts, smil }: MmsMessage): boolean => parts.length > 0 || smil !== null;

const http = (httpStatus: 200 | 500, contentType: string, body: Buffer): Mm7Http => ({
  kind: 'written',
  httpStatus,
  headers: { 'content-type': contentType, 'content-length': String(body.length), soapaction: '""' },
  body,
});

const writeEnvelope = (
  message: Mm7Written,
  { dialect, plus = true }: Mm7WriteOptions,
  contentId: string | null,
): Buffer | Unwritable => {
  // Only an answer may lack it: the request may have had none.
  if (message.transactionId === '' && message.type.endsWith('Req')) return unwritable('TransactionID', 'is mandatory');
  const written = writeBody(message, { dialect, plus, contentId });
  if (isUnwritable(written)) return written;
  const envelope = element(
    'env:Envelope',
    [headerOf(message, dialect), element('env:Body', [bodyOf(message, written)])],
    { 'xmlns:env': SOAP_NAMESPACE },
  );
  if (!isXmlText(envelope)) return unwritable('text', 'holds a character that XML cannot hold');
  return Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>\n${envelope}\n`, 'utf8');
};

const headerOf = ({ transactionId }: Mm7Written, { namespace }: Mm7Dialect): string => {
  if (transactionId === '') return '';
  const attributes = { xmlns: namespace, 'env:mustUnderstand': '1' };
  return element('env:Header', [element('TransactionID', [encodeXmlText(transactionId)], attributes)]);
};

/** Errors are sent in the detail of a SOAP fault (3GPP TS 23.140 §8.7.1.2.2). */
const bodyOf = (message: Mm7Written, xml: string): string => {
  if (message.type !== 'RSErrorRsp' && message.type !== 'VASPErrorRsp') return xml;
  const isClients = message.status.code >= 2000 && message.status.code < 3000;
  return element('env:Fault', [
    textElement('faultcode', isClients ? 'env:Client' : 'env:Server'),
    textElement('faultstring', isClients ? 'Client error' : 'Server error'),
    element('detail', [xml]),
  ]);
};
