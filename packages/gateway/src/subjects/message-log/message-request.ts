/**
 * Reconstructs the API request and answer of a message: word for word while its Idempotency-Key is stored, otherwise
 * from the message. Marks what is unknown; credentials are never stored. Pure.
 */
import { isoTime } from '../../http/envelope.ts';
import type { KeyId, RequestId } from '../../kernel/ids.ts';
import type { RefusedRecipient, SentWith } from '../../messaging/store/message-log-items.ts';
import { demoKeyId } from '../../model/demo.ts';
import type { Limits } from '../../model/limits.ts';
import type { ListedMessage } from '../../model/message-search.ts';
import { flatMessage } from '../../model/message-view.ts';
import type { ApiKey } from '../../model/records.ts';
import type { RecipientResult } from '../../model/send.ts';
import { renderAnswer } from '../send/send-sms.ts';

/** Differences from the real request that a reader should know. */
export type RequestNote =
  /** The gateway may have made the reference, because none was sent. */
  | 'reference left out'
  /** There are more recipients than shown. */
  | 'cut';

export interface SentRequest {
  /** `gateway`: sent by the gateway itself. */
  by: 'api' | 'portal' | 'gateway';
  /** Null when there was none, or its text was deleted. `body` is JSON. */
  request: { method: 'POST'; path: '/SendSMS'; body: string } | null;
  /** `kept`: it is the original answer. */
  response: { status: 200; requestId: RequestId; kept: boolean; keptUntil: string | null; body: string } | null;
  /** Texts are deleted by their age, and the request's text with them. */
  textGone: boolean;
  notes: RequestNote[];
}

export interface RequestFacts {
  /** Accepted recipients of the request, in order. */
  messages: readonly ListedMessage[];
  /** Refused recipients of the request. */
  refused: readonly RefusedRecipient[];
  more: boolean;
  textGone: boolean;
  kept: SentWith;
  /** The current key pair; null when it no longer exists. */
  key: Pick<ApiKey, 'exactShape'> | null;
  limits: Pick<Limits, 'validityMinutesDefault'>;
}

export function sentRequest({ messages, refused, more, textGone, kept, key, limits }: RequestFacts): SentRequest {
  const first = messages[0]!;
  const by = sentBy(first.keyId);
  if (by === 'gateway' || textGone) return { by, request: null, response: null, textGone, notes: [] };
  const given = givenAnswer(kept.answer);
  const results = given ?? inOrder(messages, refused);
  const isOwnReference = mayBeOurs(first);
  return {
    by,
    textGone,
    request: {
      method: 'POST',
      path: '/SendSMS',
      body: JSON.stringify({
        from: first.from,
        to: results.map(({ to }) => to),
        text: first.text,
        ...(first.mediaUrls.length > 0 ? { mediaUrls: first.mediaUrls } : {}),
        ...(isOwnReference ? {} : { referenceId: first.referenceId }),
        ...validity(kept, limits),
      }),
    },
    response: {
      status: 200,
      requestId: first.requestId,
      kept: given !== null,
      keptUntil: given === null || kept.answerKeptUntil === null ? null : isoTime(kept.answerKeptUntil),
      body: given === null ? rendered(first, results, key) : kept.answer!,
    },
    notes: [
      ...(isOwnReference ? (['reference left out'] as const) : []),
      ...(given === null && more ? (['cut'] as const) : []),
    ],
  };
}

/** Each refused recipient in its position, the accepted ones in order between them. */
function inOrder(messages: readonly ListedMessage[], refused: readonly RefusedRecipient[]): RecipientResult[] {
  const results = messages.map(({ to, messageId }): RecipientResult => ({ to, status: 'SUCCESS', messageId }));
  for (const { place, to, status, detail } of refused) results.splice(place, 0, { to, status, detail });
  return results;
}

function sentBy(keyId: KeyId): SentRequest['by'] {
  if (keyId.startsWith('portal:')) return 'portal';
  return keyId.includes(':') || keyId === demoKeyId ? 'gateway' : 'api';
}

/** The recipients of an answer in the contract's shape; null for the gateway's internal note. */
function givenAnswer(answer: string | null): RecipientResult[] | null {
  if (answer === null) return null;
  const { schema } = JSON.parse(answer) as { schema?: { resultResponses?: RecipientResult[] } };
  return schema?.resultResponses ?? null;
}

function rendered(first: ListedMessage, results: RecipientResult[], key: RequestFacts['key']): string {
  const { referenceId, from, text, messageType, encoding, segments } = flatMessage(first);
  const accepted = { referenceId, from, text, messageType, encoding, segments, dryRun: false, results };
  return renderAnswer(accepted, { key: key ?? { exactShape: false } });
}

const uuidv7Form = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const momentMs = 1_000;

/** If none is sent, the gateway makes a UUIDv7 with the time of the request. */
function mayBeOurs({ referenceId, acceptedAt }: ListedMessage): boolean {
  const [, high, low] = uuidv7Form.exec(referenceId) ?? [];
  return high !== undefined && Math.abs(Number.parseInt(`${high}${low}`, 16) - acceptedAt) <= momentMs;
}

/** The default is not shown. */
function validity({ validForMs }: SentWith, { validityMinutesDefault }: RequestFacts['limits']) {
  const validityMinutes = Math.round(validForMs / 60_000);
  return validityMinutes === validityMinutesDefault ? {} : { validityMinutes };
}
