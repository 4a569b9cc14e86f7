/** Maps SMTP replies, MM4_forward.RES statuses and delivery reports to outcomes. Tables only. */

import { type Mm4DeliveryReportReq, type Mm4Response, mm4Status } from '@heliograph/mms';
import { boundedId, carrierIdKey } from '../../model/carrier-id.ts';
import type { Receipt } from '../../model/delivery.ts';
import type { OutcomeCode } from '../../model/reason.ts';
import type { AcceptedPart } from '../carrier.ts';
import { type Refused, unavailable } from '../carrier.ts';
import { reportVerdict } from '../mms-codec.ts';
import type { SmtpReply } from './connection.ts';

/** Length of a peer's text in a carrier code; a report's raw form is longer. */
const detailCharactersMax = 120;
const rawCharactersMax = 512;

/** Temporary refusals that ask for a longer pause (RFC 5321 §4.2.3). `throttle`: it says nothing about the message. */
const laterReplies: ReadonlyMap<number, { afterMs: number; throttle: boolean }> = new Map([
  [421, { afterMs: 5_000, throttle: true }],
  [451, { afterMs: 5_000, throttle: false }],
  [452, { afterMs: 10_000, throttle: true }],
]);

/** These concern our session, not the message: an operator must correct a setting, and messages wait until then. */
const sessionReplies = new Set([530, 534, 535, 538]);

/** Enhanced status codes (RFC 3463) are more exact than the reply code. */
const enhancedCodes: readonly (readonly [RegExp, OutcomeCode])[] = [
  [/^5\.1\.[1-6]$/, 'UNKNOWN_SUBSCRIBER'],
  [/^5\.2\.3$|^5\.3\.4$/, 'MEDIA_TOO_LARGE'],
  [/^5\.5\.\d+$|^5\.6\.\d+$/, 'MALFORMED'],
];

const neverCodes: ReadonlyMap<number, OutcomeCode> = new Map([
  ...[500, 501, 502, 503, 504, 555].map((code) => [code, 'MALFORMED'] as const),
  [523, 'MEDIA_TOO_LARGE'],
  [552, 'MEDIA_TOO_LARGE'],
]);

/** In an answer to RCPT these concern the mailbox, elsewhere anything. */
const mailboxReplies = new Set([550, 551, 553]);

export const isThrottle = ({ code }: SmtpReply): boolean => laterReplies.get(code)?.throttle === true;

/** The outcome of a mail that was answered with 4yz or 5yz. */
export function refusalOfReply(reply: SmtpReply): Refused {
  const { code, text } = reply;
  const refused = {
    kind: 'refused' as const,
    carrierCode: plainText(text, detailCharactersMax),
    detail: `The carrier answered ${code} to ${reply.command}.`,
    parts: [],
  };
  const later = laterReplies.get(code);
  if (code < 500 || sessionReplies.has(code)) {
    const countsAttempt = later?.throttle !== true;
    const afterMs = later && { afterMs: later.afterMs };
    return { ...refused, retry: 'later', code: 'CARRIER_UNAVAILABLE', countsAttempt, ...afterMs };
  }
  return { ...refused, retry: 'never', code: codeOf(reply), countsAttempt: true };
}

function codeOf({ code, text, command }: SmtpReply): OutcomeCode {
  const enhanced = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(text)?.[1] ?? '';
  const finer = enhancedCodes.find(([pattern]) => pattern.test(enhanced))?.[1];
  if (finer !== undefined) return finer;
  if (command === 'RCPT TO' && mailboxReplies.has(code) && enhanced === '') return 'UNKNOWN_SUBSCRIBER';
  return neverCodes.get(code) ?? 'CARRIER_REJECTED';
}

/** X-Internal-Status-Code, where it is more exact than the status that it accompanies. */
const vendorCodes: ReadonlyMap<string, OutcomeCode> = new Map([
  ['411', 'MEDIA_TOO_LARGE'],
  ['412', 'MEDIA_TYPE_NOT_SUPPORTED'],
]);

/** The outcome of a message by the peer's RES. */
export function endByResponse(
  response: Mm4Response,
  accepted: AcceptedPart,
): { kind: 'accepted'; parts: AcceptedPart[] } | Refused {
  const { requestStatus, vendorCode } = response;
  const meaning = mm4Status(requestStatus, vendorCode);
  if (meaning.kind !== 'refused') return { kind: 'accepted', parts: [accepted] };
  const { retry, concern } = meaning;
  const isLater = retry === 'later' || retry === 'few';
  const never =
    vendorCodes.get(vendorCode) ??
    (concern === 'address' ? 'UNKNOWN_SUBSCRIBER' : concern === 'protocol' ? 'MALFORMED' : 'CARRIER_REJECTED');
  return {
    kind: 'refused',
    retry: isLater ? 'later' : 'never',
    code: isLater ? 'CARRIER_UNAVAILABLE' : never,
    carrierCode: wordsOf(response),
    detail: 'The carrier took the message and then refused it.',
    countsAttempt: true,
    parts: [],
  };
}

/** The peer's words in a RES, on one line. */
export function wordsOf({ requestStatus, statusText, vendorCode }: Mm4Response): string {
  const words = [requestStatus, vendorCode, statusText].filter((word) => word !== '').join(' ');
  return plainText(words, detailCharactersMax);
}

export const isOk = ({ requestStatus, vendorCode }: Mm4Response): boolean =>
  mm4Status(requestStatus, vendorCode).kind !== 'refused';

/** An Ok that came after its attempt had ended: the carrier has the message of this handset. */
export function receiptOfLateOk(
  response: Mm4Response,
  { carrierId, to, receivedAt }: { carrierId: string; to: string; receivedAt: number },
): Receipt {
  const { transactionId } = response;
  return {
    carrier: carrierId,
    carrierMessageId: transactionId,
    idKeys: [carrierIdKey(transactionId)],
    to,
    state: 'interim',
    code: null,
    carrierCode: wordsOf(response),
    raw: plainText(`MM4_forward.RES ${transactionId} ${wordsOf(response)}`, rawCharactersMax),
    receivedAt,
  };
}

/** The connection ended before the last line: the peer cannot have taken the mail. */
export function cutShort(detail: string): Refused {
  return {
    ...unavailable,
    detail: `The connection ended before the whole message was sent: ${detail}.`,
    countsAttempt: true,
  };
}

/** A delivery report as a receipt. `ownDomain`: some peers append it to our id. */
export function receiptOfReport(
  report: Mm4DeliveryReportReq,
  { carrierId, ownDomain, receivedAt }: { carrierId: string; ownDomain: string; receivedAt: number },
): Receipt {
  const { messageId, recipient, statusText } = report;
  const bare = messageId.toLowerCase().endsWith(`@${ownDomain.toLowerCase()}`)
    ? messageId.slice(0, -ownDomain.length - 1)
    : messageId;
  const id = boundedId(bare);
  const words = `${report.mmStatus} ${statusText}`.trim();
  return {
    carrier: carrierId,
    carrierMessageId: id,
    idKeys: [carrierIdKey(id)].filter((key) => key !== ''),
    to: /^\d+$/.test(recipient) ? recipient : null,
    ...reportVerdict(report.mmStatus),
    carrierCode: plainText(words, detailCharactersMax),
    raw: plainText(`MM4_delivery_report.REQ ${messageId} ${words}`, rawCharactersMax),
    receivedAt,
  };
}

/** A peer's text on one line, without control characters for a terminal or a log. */
function plainText(text: string, max: number): string {
  return text
    .replaceAll(/[^\x20-\x7e\u00a0-\u{10ffff}]+/gu, ' ')
    .trim()
    .slice(0, max);
}
