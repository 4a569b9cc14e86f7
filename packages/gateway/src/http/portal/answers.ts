/**
 * Answers of the portal: not signed in, not allowed, faults by field. The envelope is that of `/api/v1`, plus `fields`
 * for forms and `data` where a page needs more.
 */
import { holdersOf, type Permission } from '../../model/people.ts';
import type { FieldFaults, NotRight, Refusal } from '../../model/person.ts';
import { cut, renderRejection } from '../envelope.ts';
import { type Answer, rejection, retryAfter } from '../exchange.ts';

type More = { data?: unknown; fields?: FieldFaults };

/** The envelope of a refusal with a status of the portal. */
export function refusal(status: number, reason: string, detail: string, more: More = {}): Answer<never> {
  const added = Object.entries(more).map(([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`);
  return { status, reason, body: `${renderRejection(reason, detail).slice(0, -1)}${added.join('')}}` };
}

export const notSignedIn = refusal(401, 'NOT_SIGNED_IN', 'You are not signed in, or your session has ended. Sign in.');

export const crossSite = refusal(
  403,
  'CROSS_SITE',
  'This request did not come from a page of this gateway. Load the page again, then repeat it. Nothing was changed.',
);

export function forbidden(permission: Permission): Answer<never> {
  const who = holdersOf(permission);
  const detail = `Your role does not allow this (${permission}). These may: ${who}. Nothing was changed.`;
  return refusal(403, 'FORBIDDEN', detail, { data: { permission, who } });
}

export const recentNeeded = refusal(
  403,
  'RECENT_SIGN_IN_NEEDED',
  'Enter your password again, because you signed in a while ago. Nothing was changed.',
);

export const secondFactorNeeded = refusal(
  403,
  'SECOND_FACTOR_NEEDED',
  'You must use two-factor sign-in, and the time to set yours up is over. Set up an authenticator app or a passkey in your profile, then go on. Nothing was changed.',
);

/** One fault for each field. */
export function fieldFaults(fields: FieldFaults): Answer<never> {
  const [first = 'The form has an error.'] = Object.values(fields);
  const cutFields = Object.fromEntries(Object.entries(fields).map(([name, sentence]) => [name, cut(sentence)]));
  return refusal(400, 'INVALID_FIELD', `${first} Nothing was changed.`, { fields: cutFields });
}

/** The record has changed since; `current` is its present state. */
export function conflict(detail: string, current?: unknown): Answer<never> {
  return refusal(409, 'CONFLICT', detail, current === undefined ? {} : { data: { current } });
}

/** The answer to an action on people that was refused. */
export function refusalAnswer(refused: Refusal): Answer<never> {
  switch (refused.kind) {
    case 'fields':
      return fieldFaults(refused.fields);
    case 'conflict':
      return conflict(refused.detail);
    case 'forbidden':
      return refusal(403, 'FORBIDDEN', `${refused.detail} Nothing was changed.`);
    case 'missing':
      return rejection('NOT_FOUND', refused.detail);
    case 'slow':
      return {
        ...refusal(429, 'RATE_LIMITED', `Too many wrong tries. Try again in ${inWords(refused.retryAfterSeconds)}.`),
        headers: retryAfter(refused.retryAfterSeconds),
      };
    case 'busy':
      return rejection(
        'TEMPORARILY_UNAVAILABLE',
        'Too many people sign in at this moment. Try again in a few seconds.',
        {
          headers: retryAfter(busySeconds),
        },
      );
  }
}

const busySeconds = 3;

/** The answer to a failed sign-in check; the form shows it at `field`. */
export function notRightAnswer(result: NotRight, sentence: string, field: string): Answer<never> {
  if (result.kind !== 'not right') return refusalAnswer(result);
  return refusal(400, 'NOT_ACCEPTED', sentence, { fields: { [field]: sentence } });
}

function inWords(seconds: number): string {
  return seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
}
