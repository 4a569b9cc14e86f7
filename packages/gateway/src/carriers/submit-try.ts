/**
 * One attempt at a submission, part by part. Pure bookkeeping. After the first refused part no further part is sent;
 * the attempt ends when the parts in flight have ended.
 */

import type { SmPart } from '@heliograph/smpp';
import type { OutcomeCode } from '../model/reason.ts';
import type { DoubtCause } from '../model/repeats.ts';
import type { AcceptedPart, Submission, SubmissionOutcome } from './carrier.ts';

export type Refused = Extract<SubmissionOutcome, { kind: 'refused' }>;

export interface SubmitTry {
  readonly submission: Submission;
  /** Those to be sent in this try. */
  readonly parts: readonly SmPart[];
  /** Index of the next part to send. */
  next: number;
  /** Parts sent and not answered. */
  open: number;
  readonly accepted: AcceptedPart[];
  refused: Refused | null;
  /** The first of them. */
  uncertain: Doubt | null;
}

/** A part that may have left and got no usable answer. */
export interface Doubt {
  cause: DoubtCause;
  detail: string;
}

/** `refused`: the try is over before it began. */
export function startTry(submission: Submission, parts: readonly SmPart[], refused: Refused | null = null): SubmitTry {
  return { submission, parts, next: 0, open: 0, accepted: [], refused, uncertain: null };
}

/** True when a part was not accepted: what is unsent stays unsent. */
export function isHalted(attempt: SubmitTry): boolean {
  return attempt.refused !== null || attempt.uncertain !== null;
}

export function unsentParts(attempt: SubmitTry): number {
  return attempt.parts.length - attempt.next;
}

export function isEnded(attempt: SubmitTry): boolean {
  return attempt.open === 0 && (isHalted(attempt) || attempt.next === attempt.parts.length);
}

/** Of several refusals the gravest tells how the try ended: for good, then those that count as a try, then the first. */
export function addRefusal(attempt: SubmitTry, refused: Refused): void {
  if (attempt.refused === null || gravity(refused) > gravity(attempt.refused)) attempt.refused = refused;
}

function gravity(refused: Refused): number {
  return refused.retry === 'never' ? 2 : refused.countsAttempt ? 1 : 0;
}

/** No part of it, or no further part, could be handed to a session: says nothing about the message. */
export const unavailable: Refused = {
  kind: 'refused',
  retry: 'later',
  code: 'CARRIER_UNAVAILABLE',
  carrierCode: null,
  detail: 'Not connected to the carrier: nothing was sent.',
  countsAttempt: false,
  parts: [],
};

/** A refusal of our own: the carrier was not asked. */
export function ownRefusal(code: OutcomeCode, detail: string): Refused {
  return { kind: 'refused', retry: 'never', code, carrierCode: null, detail, countsAttempt: true, parts: [] };
}

/**
 * How an ended try ended. A refusal for good outweighs doubt about another part, as no retry can save the message; doubt
 * outweighs a refusal for now, as sending again might double what arrived.
 */
export function outcomeOf(attempt: SubmitTry): SubmissionOutcome {
  const parts = attempt.accepted;
  if (attempt.refused?.retry === 'never') return { ...attempt.refused, parts };
  if (attempt.uncertain !== null) return { kind: 'uncertain', ...attempt.uncertain, parts };
  if (attempt.refused !== null) return { ...attempt.refused, parts };
  return { kind: 'accepted', parts };
}
