/** The verdict on a webhook signature, in the form of answers. Pure. */
import { isoTime } from '../../http/envelope.ts';
import type { TypeOf } from '../../http/shape.ts';
import { always, either, object, oneOf, orNull, plain, time, whole } from '../../http/shape.ts';
import type { SignatureVerdict } from '../../model/signature-verdict.ts';

export function shownVerdict(verdict: SignatureVerdict): TypeOf<typeof signature> {
  return verdict.valid ? { ...verdict, until: verdict.until === null ? null : isoTime(verdict.until) } : verdict;
}

const skewSeconds = orNull(whole('How old `webhook-timestamp` was on arrival.'));

/** Whether one of the seeded endpoint's secrets made it, recently. */
export const signature = either(
  object({
    valid: always(true),
    by: oneOf(['current', 'old'], 'The secret that signed it.'),
    until: orNull(time),
    skewSeconds: whole('How old `webhook-timestamp` was on arrival.'),
  }),
  object({
    valid: always(false),
    reason: plain('As in `@heliograph/client`.'),
    detail: plain(),
    skewSeconds,
  }),
);
