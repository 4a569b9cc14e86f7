/**
 * Receives an MM7 carrier's requests: messages, delivery reports, read replies. Authenticates, then reads the body;
 * answers 1000 only after storing, in the peer's namespace and version.
 */
import { createHash, hash, timingSafeEqual } from 'node:crypto';
import {
  defaultLimits,
  isMalformed,
  isUnwritable,
  type Mm7DeliverReq,
  type Mm7DeliveryReportReq,
  type Mm7Dialect,
  type Mm7Message,
  type Mm7Written,
  type MmsMessage,
  mm7StatusOf,
  readMm7,
  rsErrorFor,
  writeMm7,
} from '@heliograph/mms';
import { createSummedLog } from '../../kernel/summed-log.ts';
import type { CarrierAnswer, CarrierRequest } from '../../model/carrier-http.ts';
import { boundedId, carrierIdKeys } from '../../model/carrier-id.ts';
import type { Receipt } from '../../model/delivery.ts';
import { inboundMmsLimits } from '../../model/inbound-limits.ts';
import type { CarrierSink } from '../carrier.ts';
import type { CarrierDeps } from '../deps.ts';
import { inboundOf, partTooLarge, reportVerdict } from '../mms-codec.ts';
import { peerAddresses } from '../peer-addresses.ts';
import type { Mm7CarrierRecord, Mm7Profile } from './profile.ts';
import { dialectOf } from './submit.ts';

/** `why` is for the log. */
type Admission = { admitted: true } | { admitted: false; status: 401 | 403; why: string };

type Admit = (request: Pick<CarrierRequest, 'headers' | 'remoteAddress' | 'clientCertSha256'>) => Admission;

type Inbound = Mm7Profile['inbound'];

function createAdmit({ username, password, addresses, clientCertSha256 }: Inbound): Admit {
  const needsBasic = username !== '' || password !== '';
  const needsNothing = !needsBasic && addresses.length === 0 && clientCertSha256.length === 0;
  const expected = digest(Buffer.from(`${username}:${password}`, 'utf8'));
  const allowed = peerAddresses(addresses);

  return ({ headers, remoteAddress, clientCertSha256: shown }) => {
    // Always compared, so that the response time reveals nothing.
    const credentialsFit = timingSafeEqual(digest(basicCredentials(headers.authorization)), expected);
    if (needsNothing) return refusal(403, 'nothing is set that the carrier must show');
    if (addresses.length > 0 && !allowed(remoteAddress)) return refusal(403, 'the address is not in its list');
    if (clientCertSha256.length > 0 && (shown === null || !clientCertSha256.includes(shown))) {
      return refusal(403, shown === null ? 'no client certificate' : 'an unknown client certificate');
    }
    return needsBasic && !credentialsFit ? refusal(401, 'missing or wrong credentials') : { admitted: true };
  };
}

const refusal = (status: 401 | 403, why: string): Admission => ({ admitted: false, status, why });

const digest = (bytes: Buffer): Buffer => hash('sha256', bytes, 'buffer');

/** `user:password` of a Basic header (RFC 7617); empty for anything else, which no carrier's credentials are. */
function basicCredentials(authorization: string | undefined): Buffer {
  const [, encoded] = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization ?? '') ?? [];
  return Buffer.from(encoded ?? '', 'base64');
}

const success = 1000;
const improperIdentification = 4001;
const unsupportedOperation = 4003;
/** Every carrier's table maps it to "again later"; 4000 and the 2xxx may make it give up. */
const serviceUnavailable = 4006;

const rawCharactersMax = 512;
const wordsCharactersMax = 100;
const contentHashCharacters = 32;

type Sink = Pick<CarrierSink, 'receipts' | 'inboundMms'>;

/** `sink` returns null until the carrier is started. */
export function createMm7Inbox(
  { carrierId, mm7 }: Pick<Mm7CarrierRecord, 'carrierId' | 'mm7'>,
  { clock, logger, inboundMms = inboundMmsLimits }: Pick<CarrierDeps, 'clock' | 'logger' | 'inboundMms'>,
  sink: () => Sink | null,
): (request: CarrierRequest) => Promise<CarrierAnswer> {
  const admit = createAdmit(mm7.inbound);
  const ours = dialectOf(mm7);
  const lines = createSummedLog({ clock, logger });

  /** Resolves with the acknowledgement once stored; null when the operation is not one that we receive. */
  async function take(message: Mm7Message, to: Sink): Promise<Mm7Written | null> {
    const taken = { transactionId: message.transactionId, status: mm7StatusOf(success) };
    const receivedAt = clock.now();
    switch (message.type) {
      case 'DeliverReq': {
        const about = { carrier: carrierId, peerMessageId: peerMessageIdOf(message), receivedAt };
        await to.inboundMms(inboundOf(message.message, about));
        return { type: 'DeliverRsp', ...taken, serviceCode: '' };
      }
      case 'DeliveryReportReq':
        await to.receipts([receiptOf(message, carrierId, receivedAt)]);
        return { type: 'DeliveryReportRsp', ...taken };
      case 'ReadReplyReq':
        // We did not request it, and it changes nothing: a message that was read has been delivered.
        logger.debug({ carrier: carrierId }, 'a read reply');
        return { type: 'ReadReplyRsp', ...taken };
      default:
        return null;
    }
  }

  /** A temporary refusal: the operator may raise the limit, and a permanent one would lose the message. */
  function refuseSize(detail: string, dialect: Mm7Dialect, transactionId = ''): CarrierAnswer {
    lines.warn('too large', { carrier: carrierId, detail }, 'a message from a handset is over the limit of size');
    return fault(serviceUnavailable, dialect, { text: `Not taken now: ${detail}`, transactionId, httpStatus: 503 });
  }

  async function answerTo(request: CarrierRequest, body: Buffer): Promise<CarrierAnswer> {
    const limits = { ...defaultLimits, bytesMax: inboundMms.messageBytesMax };
    const read = readMm7({ contentType: request.headers['content-type'] ?? '', body }, limits);
    if (isMalformed(read)) {
      lines.warn('unreadable', { carrier: carrierId, detail: read.detail }, 'the carrier sent what cannot be read');
      const { status } = rsErrorFor(read);
      return fault(status.code, read.dialect, { text: status.text, transactionId: read.transactionId });
    }
    const { message, dialect } = read;
    const { transactionId } = message;
    const to = sink();
    if (to === null) return fault(serviceUnavailable, dialect, { transactionId });
    const tooLarge = message.type === 'DeliverReq' ? partTooLarge(message.message, inboundMms) : null;
    if (tooLarge !== null) return refuseSize(tooLarge, dialect, transactionId);
    try {
      const acknowledgement = await take(message, to);
      return acknowledgement === null
        ? fault(unsupportedOperation, dialect, { transactionId })
        : answer(acknowledgement, dialect);
    } catch (err) {
      lines.warn('not stored', { err, carrier: carrierId }, 'what the carrier sent was not stored');
      return fault(serviceUnavailable, dialect, { transactionId });
    }
  }

  return async (request) => {
    const admission = admit(request);
    if (!admission.admitted) {
      const { status, why } = admission;
      const about = { carrier: carrierId, address: request.remoteAddress, why };
      lines.warn('refused', about, 'somebody was refused as this carrier');
      return fault(improperIdentification, ours, {
        httpStatus: status,
        ...(status === 401 && { headers: { 'www-authenticate': 'Basic realm="mm7", charset="UTF-8"' } }),
      });
    }
    const body = await request.body(inboundMms.messageBytesMax);
    if (body === 'too_large') return refuseSize(`a body of over ${inboundMms.messageBytesMax} bytes`, ours);
    if (body === 'too_slow') return fault(serviceUnavailable, ours, { httpStatus: 408 });
    return answerTo(request, body);
  };
}

/**
 * What a redelivery repeats: the operation's id and the content. No id is enough. A LinkedID may name the message that
 * a handset replies to, the same for all its replies, and many peers send no time with it; a TransactionID comes again
 * where a peer counts from 1 after its restart (3GPP TS 23.140 §8.7.4).
 */
function peerMessageIdOf({ linkedId, transactionId, timeStamp, message }: Mm7DeliverReq): string {
  if (linkedId === '' && transactionId === '') return '';
  const time = timeStamp === null ? '' : ` ${timeStamp.toISOString()}`;
  const id = linkedId === '' ? `TransactionID:${transactionId}` : `LinkedID:${linkedId}${time}`;
  return `${boundedId(id)} ${contentHash(message)}`;
}

/** Of what people see: a redelivery may have other names and ids in its MIME. */
function contentHash({ subject, parts }: MmsMessage): string {
  const hashed = createHash('sha256');
  hashed.update(JSON.stringify([subject, parts.map(({ contentType, bytes }) => [contentType, bytes.length])]));
  for (const { bytes } of parts) hashed.update(bytes);
  return hashed.digest('hex').slice(0, contentHashCharacters);
}

function receiptOf(report: Mm7DeliveryReportReq, carrier: string, receivedAt: number): Receipt {
  const { messageId, recipient, date } = report;
  const id = boundedId(messageId);
  const [word, text] = [report.mmStatus, report.statusText].map(oneLine) as [string, string];
  return {
    carrier,
    carrierMessageId: id,
    idKeys: carrierIdKeys(id, 'string'),
    to: /^\d+$/.test(recipient) ? recipient : null,
    ...reportVerdict(report.mmStatus),
    carrierCode: text === '' ? word : `${word} (${text})`,
    raw: `DeliveryReportReq MessageID:${messageId} MMStatus:${word} StatusText:${text} Date:${
      date?.toISOString() ?? ''
    }`.slice(0, rawCharactersMax),
    receivedAt,
  };
}

const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\s]+/gu, ' ').slice(0, wordsCharactersMax);

interface FaultMore {
  text?: string;
  transactionId?: string;
  httpStatus?: number;
  headers?: Record<string, string>;
}

/**
 * A SOAP fault of a VASP (3GPP TS 23.140 §8.7.1), so that a peer cannot take it for a success, whether it reads only
 * HTTP or MM7 too.
 */
function fault(code: number, dialect: Mm7Dialect, more: FaultMore): CarrierAnswer {
  const { text, transactionId = '', httpStatus, headers } = more;
  const response = answer({ type: 'VASPErrorRsp', transactionId, status: mm7StatusOf(code, text) }, dialect);
  return { ...response, status: httpStatus ?? response.status, headers: { ...response.headers, ...headers } };
}

function answer(message: Mm7Written, dialect: Mm7Dialect): CarrierAnswer {
  const written = writeMm7(message, { dialect });
  // The repeated values were parsed from XML, so XML can hold them.
  if (isUnwritable(written)) throw new Error(`${message.type} cannot be written: ${written.field}`);
  const { httpStatus, headers, body } = written;
  return { status: httpStatus, headers: { 'content-type': headers['content-type'] }, body: body.toString('utf8') };
}
