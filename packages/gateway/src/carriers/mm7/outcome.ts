/** Maps an MM7 answer to the outcome of the message and the state of the link. Tables on top of `packages/mms`. */

import {
  type Concern,
  isMalformed,
  mm7StatusTable,
  type Retry,
  readMm7,
  type SubmitOutcome,
  submitOutcome,
} from '@heliograph/mms';
import type { MessageId } from '../../kernel/ids.ts';
import { boundedId } from '../../model/carrier-id.ts';
import type { OutcomeCode } from '../../model/reason.ts';
import type { DoubtCause } from '../../model/repeats.ts';
import type { Submission, SubmissionOutcome } from '../carrier.ts';
import type { HttpAnswer } from './client.ts';

/** What the answer says about the link: it works, it is broken, or the carrier rejects our credentials. */
export type LinkVerdict = 'worked' | 'failed' | 'refused';

export interface Judged {
  outcome: SubmissionOutcome;
  link: LinkVerdict;
  /** The carrier asks us to slow down. */
  throttled: boolean;
}

/** A code that gives no reason counts as permanent after this many attempts. */
const fewTries = 3;
const throttleMs = 1_000;
/** The longest wait that we accept from a carrier. */
const throttleMsMax = 900_000;
const carrierCodeCharactersMax = 120;

/** Codes of permanent refusals. Temporary ones are CARRIER_UNAVAILABLE. */
const codes: Readonly<Record<Concern, OutcomeCode>> = {
  message: 'CARRIER_REJECTED',
  address: 'UNKNOWN_SUBSCRIBER',
  content: 'CARRIER_REJECTED',
  id: 'CARRIER_REJECTED',
  service: 'CARRIER_REJECTED',
  credentials: 'CARRIER_REJECTED',
  protocol: 'MALFORMED',
};

type Refusal = Extract<SubmitOutcome, { kind: 'refused' }>;

/** `submission` has one recipient, and its messageId as TransactionID. */
export function judge(
  { status, headers, body }: HttpAnswer,
  submission: Pick<Submission, 'messageId' | 'to' | 'attempt'>,
): Judged {
  const read = readMm7({ contentType: headers['content-type'] ?? '', body });
  // A refused login says nothing about the message, whatever the SOAP inside says.
  if (status === 401 || status === 403) return turnedAway(`HTTP ${status}`);
  if (isOfAnother(read, submission.messageId)) return unclear('a SubmitRsp with another TransactionID');
  const result = submitOutcome(status, read);
  switch (result.kind) {
    case 'accepted':
      return accepted(result.messageId);
    case 'partial': {
      if (!result.failedRecipients.includes(submission.to)) return accepted(result.messageId);
      const refusal = {
        retry: 'never',
        concern: 'message',
        carrierCode: result.detail,
        detail: result.detail,
      } as const;
      return refused({ kind: 'refused', ...refusal }, submission.attempt);
    }
    case 'uncertain':
      return unclear(isMalformed(read) ? `HTTP ${status} without a readable word of MM7` : result.detail);
    case 'refused':
      if (result.concern === 'credentials') return turnedAway(carrierCodeOf(result.carrierCode));
      return status === 429 && result.carrierCode.startsWith('HTTP')
        ? throttled(headers['retry-after'])
        : refused(result, submission.attempt);
  }
}

export const uncertain = (cause: DoubtCause, detail: string): SubmissionOutcome => ({
  kind: 'uncertain',
  cause,
  detail,
  parts: [],
});

/** An answer to another transaction says nothing about this message. Some carriers repeat no id at all. */
function isOfAnother(read: ReturnType<typeof readMm7>, messageId: MessageId): boolean {
  if (isMalformed(read) || read.message.type !== 'SubmitRsp') return false;
  return read.message.transactionId !== '' && read.message.transactionId !== messageId;
}

const unclear = (response: string): Judged => ({
  outcome: uncertain('unanswered', `The carrier answered ${shortened(response)}.`),
  link: 'failed',
  throttled: false,
});

const accepted = (carrierMessageId: string): Judged => ({
  outcome: { kind: 'accepted', parts: [{ part: 1, carrierMessageId: boundedId(carrierMessageId) }] },
  link: 'worked',
  throttled: false,
});

function refused({ retry, concern, carrierCode: code }: Refusal, attempt: number): Judged {
  const again = retry === 'later' || (retry === 'few' && attempt < fewTries);
  const carrierCode = carrierCodeOf(code);
  return {
    outcome: {
      kind: 'refused',
      retry: again ? 'later' : 'never',
      code: again ? 'CARRIER_UNAVAILABLE' : codeOf(code, retry, concern),
      carrierCode,
      detail: `The carrier answered ${carrierCode}.`,
      countsAttempt: true,
      parts: [],
    },
    link: 'worked',
    throttled: false,
  };
}

function codeOf(carrierCode: string, retry: Retry, concern: Concern): OutcomeCode {
  if (carrierCode === 'HTTP 413') return 'MEDIA_TOO_LARGE';
  // There was only one address, so sending one by one would not help.
  return retry === 'one_by_one' ? 'CARRIER_REJECTED' : codes[concern];
}

function turnedAway(carrierCode: string): Judged {
  return {
    outcome: {
      kind: 'refused',
      retry: 'later',
      code: 'CARRIER_UNAVAILABLE',
      carrierCode,
      detail: `The carrier did not accept the credentials of this gateway: ${carrierCode}. Nothing was sent.`,
      countsAttempt: false,
      parts: [],
    },
    link: 'refused',
    throttled: false,
  };
}

function throttled(retryAfter: string | undefined): Judged {
  const seconds = /^\d{1,9}$/.test(retryAfter ?? '') ? Number(retryAfter) : 0;
  return {
    outcome: {
      kind: 'refused',
      retry: 'later',
      code: 'CARRIER_UNAVAILABLE',
      carrierCode: 'HTTP 429',
      detail: 'The carrier answered HTTP 429: too many requests.',
      afterMs: Math.min(throttleMsMax, Math.max(throttleMs, seconds * 1_000)),
      countsAttempt: false,
      parts: [],
    },
    link: 'worked',
    throttled: true,
  };
}

/** `2004 words` as `2004 (words)`, with the standard's words if the carrier gives none. */
function carrierCodeOf(answer: string): string {
  const [, code, words] = /^(\d{4})(?: (.+))?$/s.exec(answer) ?? [];
  if (code === undefined) return shortened(answer);
  const text = words ?? mm7StatusTable.get(Number(code))?.text;
  return text === undefined ? code : `${code} (${shortened(text)})`;
}

function shortened(text: string): string {
  const line = text.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim();
  return line.length <= carrierCodeCharactersMax ? line : `${line.slice(0, carrierCodeCharactersMax)}…`;
}
