/**
 * The outcome of a SubmitReq by its answer: taken, refused, or uncertain. Only a success status of MM7 itself counts as
 * taken, whatever the HTTP status.
 */
import { isMalformed } from './failure.ts';
import type { Mm7Malformed, Mm7Received } from './mm7-read.ts';
import { mm7Status } from './mm7-status.ts';
import { type Concern, type Retry, refused } from './status.ts';

export type SubmitOutcome =
  | { kind: 'accepted'; messageId: string }
  /** The named recipients were refused; without names it is unknown which. */
  | { kind: 'partial'; messageId: string; failedRecipients: string[]; detail: string }
  | {
      kind: 'refused';
      retry: Retry;
      concern: Concern;
      /** `2004 Multimedia content refused`, `HTTP 401`. */
      carrierCode: string;
      detail: string;
    }
  /** The carrier may or may not have it. */
  | { kind: 'uncertain'; detail: string };

/** `read`: the body of the answer as read by `readMm7`. */
export const submitOutcome = (httpStatus: number, read: Mm7Received | Mm7Malformed): SubmitOutcome => {
  if (isMalformed(read)) return withoutMm7(httpStatus, `an unreadable answer: ${read.detail}`);
  const { message } = read;
  if (message.type === 'Fault') {
    // SOAP 1.1 §4.4.1: Client means that the message itself was wrong, so it was not taken.
    if (/\bclient\b/i.test(message.faultCode)) return refusal('never', 'protocol', 'SOAP Client', message.faultString);
    return withoutMm7(httpStatus, `a SOAP fault: ${message.faultString}`);
  }
  if (!('status' in message)) return withoutMm7(httpStatus, `a ${message.type} for an answer`);
  const { code, text, failedRecipients } = message.status;
  const meaning = mm7Status(code);
  const detail = `${code} ${text}`.trim();
  if (meaning.kind === 'refused') return refusal(meaning.retry, meaning.concern, detail, text);
  if (message.type !== 'SubmitRsp') return { kind: 'uncertain', detail: `a ${message.type} with ${detail}` };
  const { messageId } = message;
  if (meaning.kind === 'partial') return { kind: 'partial', messageId, failedRecipients, detail };
  return { kind: 'accepted', messageId };
};

/** HTTP statuses that refuse the message itself, not the place or time. */
const aboutTheMessage: ReadonlyMap<number, Concern> = new Map([
  [400, 'protocol'],
  [411, 'protocol'],
  [413, 'content'],
  [415, 'protocol'],
  [422, 'protocol'],
]);

/**
 * Only HTTP answered: 3xx and 4xx refuse the request, for good only if the message is at fault; everything else is
 * uncertain (500 may follow after the message was taken).
 */
const withoutMm7 = (httpStatus: number, detail: string): SubmitOutcome => {
  const code = `HTTP ${httpStatus}`;
  if (httpStatus < 300 || httpStatus >= 500 || httpStatus === 408) {
    return { kind: 'uncertain', detail: `${code}, ${detail}` };
  }
  if (httpStatus === 401 || httpStatus === 403) return refusal('later', 'credentials', code, detail);
  const concern = aboutTheMessage.get(httpStatus);
  return concern === undefined ? refusal('later', 'service', code, detail) : refusal('never', concern, code, detail);
};

const refusal = (retry: Retry, concern: Concern, carrierCode: string, detail: string): SubmitOutcome => ({
  ...(refused(retry, concern) as { kind: 'refused'; retry: Retry; concern: Concern }),
  carrierCode,
  detail,
});
