/** A send request and its answer: what the API takes, and the terms between route and accept. */
import type { MessageId, RequestId } from '../kernel/ids.ts';
import type { Encoding } from './delivery.ts';
import type { Limits } from './limits.ts';
import type { RecipientStatus, RequestReason } from './reason.ts';
import type { Account, ApiKey, MessageKind } from './records.ts';

/** The caller: a valid pair and its account. */
export interface Caller {
  account: Account;
  key: ApiKey;
}

/** A send request whose JSON fits the schema; `messaging/accept` checks the rules. */
export interface SendRequest {
  from: string;
  to: string[];
  text: string;
  /** Empty = SMS. */
  mediaUrls: string[];
  referenceId: string | null;
  /** Minutes the message may wait in our queue; null = the default. */
  validityMinutes: number | null;
  /**
   * The message is sent through this carrier or refused: a rule for such messages must name it. Absent = the rules
   * choose.
   */
  carrier?: string;
}

/** JSON Schema (2020-12) of the body of `POST /SendSMS`. Properties are in the order in which they are checked. */
export function sendRequestSchema(limits: Limits) {
  return {
    type: 'object',
    required: ['from', 'to', 'text'],
    properties: {
      from: {
        type: 'string',
        description:
          'The sending number: E.164 digits without the plus sign, a short code, or a name of the account for other countries than the US and Canada.',
        examples: ['12025550199'],
      },
      to: {
        type: 'array',
        minItems: 1,
        maxItems: limits.recipientsMax,
        items: { type: 'string' },
        description: 'The receiving numbers: E.164 digits without the plus sign. One separate message each.',
        examples: [['12025550100']],
      },
      text: { type: 'string', description: 'The message body.', examples: ['Hello from my gateway'] },
      mediaUrls: {
        type: ['array', 'null'],
        maxItems: limits.mediaMax,
        items: { type: 'string', maxLength: limits.mediaUrlCharactersMax },
        description: 'Public http or https URLs of media. A non-empty list makes the message an MMS.',
      },
      referenceId: {
        type: ['string', 'null'],
        minLength: 1,
        maxLength: limits.referenceIdCharactersMax,
        description: 'Your own id, echoed. A label, not a key: the same one may be sent twice.',
      },
      validityMinutes: {
        type: ['integer', 'null'],
        minimum: limits.validityMinutesMin,
        maximum: limits.validityMinutesMax,
        description: `How long the message may wait in the queue; ${limits.validityMinutesDefault} when left out.`,
      },
    },
  } as const;
}

export interface SendContext {
  requestId: RequestId;
  dryRun: boolean;
  idempotency: { key: string; bodyHash: string } | null;
  /** From `readTraceparent`; absent = none. */
  traceparent?: string;
}

/** One entry of `resultResponses`. */
export interface RecipientResult {
  to: string;
  status: 'SUCCESS' | RecipientStatus;
  /** Present when accepted and not a dry run. */
  messageId?: MessageId;
  /** Present when refused: what was found, which rule applies, what to do. */
  detail?: string;
}

export interface AcceptedSend {
  referenceId: string;
  from: string;
  text: string;
  messageType: MessageKind;
  /** Null for an MMS. */
  encoding: Encoding | null;
  segments: number;
  dryRun: boolean;
  results: RecipientResult[];
}

export type SendOutcome =
  /**
   * A rule refused the whole request; nothing was stored. `reason` is a request reason of the catalogue.
   * `retrySeconds`: when to retry, if the rule knows.
   */
  | { kind: 'rejected'; reason: RequestReason; detail: string; retrySeconds?: number }
  /** Committed (or a dry run). `body` is the answer to send, byte for byte. */
  | { kind: 'accepted'; body: string; replayed: boolean };

/** Renders the answer of an accepted request. Passed to acceptance, because the answer is stored with the message. */
export type RenderAnswer = (accepted: AcceptedSend, caller: { key: Pick<ApiKey, 'exactShape'> }) => string;
