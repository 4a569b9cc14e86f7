/**
 * The catalogue of all codes: request reasons, recipient statuses, outcome codes. `GET /reasons`, documentation and
 * portal derive from it. Codes are never reused and never change meaning.
 */
import type { ReasonText } from './reason-text.ts';
import { outcomeTexts } from './reason-texts-outcome.ts';
import { recipientTexts, requestTexts } from './reason-texts-request.ts';

export type ReasonScope = 'request' | 'recipient' | 'outcome';

export interface Reason extends ReasonText {
  code: ReasonCode;
  scope: ReasonScope;
}

/** `reason` of the envelope. */
export type RequestReason = keyof typeof requestTexts;
/** `status` of one recipient. */
export type RecipientStatus = keyof typeof recipientTexts;
/** `code` of events and of message look-ups. */
export type OutcomeCode = keyof typeof outcomeTexts;
/** Any code of the catalogue, whatever its scope. */
export type ReasonCode = RequestReason | RecipientStatus | OutcomeCode;

export const requestReasons: Readonly<Record<RequestReason, ReasonText>> = requestTexts;
export const recipientStatuses: Readonly<Record<RecipientStatus, ReasonText>> = recipientTexts;
export const outcomeCodes: Readonly<Record<OutcomeCode, ReasonText>> = outcomeTexts;

/** Every entry, request reasons first; a code that exists in two scopes has two entries. */
export const reasons: readonly Reason[] = [
  ...entries('request', requestTexts),
  ...entries('recipient', recipientTexts),
  ...entries('outcome', outcomeTexts),
];

/** HTTP status of the answer with this `reason`; 500 for an unknown code (our bug). */
export function httpStatusOf(reason: string): number {
  return Object.hasOwn(requestTexts, reason) ? (requestReasons[reason as RequestReason].httpStatus ?? 500) : 500;
}

/**
 * Reads a stored code. A code written by a newer gateway becomes `UNKNOWN`: callers were promised only the codes of
 * this catalogue, and `carrierCode` stands beside it unchanged.
 */
export function readOutcomeCode(stored: string): OutcomeCode;
export function readOutcomeCode(stored: string | null): OutcomeCode | null;
export function readOutcomeCode(stored: string | null): OutcomeCode | null {
  if (stored === null) return null;
  return Object.hasOwn(outcomeTexts, stored) ? (stored as OutcomeCode) : 'UNKNOWN';
}

function entries(scope: ReasonScope, texts: Readonly<Partial<Record<ReasonCode, ReasonText>>>): Reason[] {
  return Object.entries(texts).map(([code, text]) => ({ code: code as ReasonCode, scope, ...text }));
}
