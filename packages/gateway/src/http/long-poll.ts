/** What the lists of the sandbox share, as their answers may wait for something to arrive: their query, and no room to wait. */
import { type Answer, rejection, retryAfter } from './exchange.ts';
import { valuesOnce, wholeNumber } from './list-query.ts';
import type { Query } from './query.ts';

const retrySeconds = 1;

export interface LongPollForm {
  /** The form of the cursor `after`. */
  idForm: RegExp;
  /** Whose id that is, for the sentence that refuses another. */
  what: string;
  waitMsMax: number;
}

/** `after` and `wait` (seconds) of the query, or the sentence that says what is wrong with them. */
export function longPollOf(query: Query, form: LongPollForm): { after?: string; waitMs: number } | string {
  const values = valuesOnce(query, ['after', 'wait']);
  if (typeof values === 'string') return values;
  const { after, wait } = values;
  if (after !== null && !form.idForm.test(after)) {
    return `The query parameter after must be the id of ${form.what}, such as the last one you got.`;
  }
  const seconds = wholeNumber('wait', wait, { min: 0, max: form.waitMsMax / 1_000, whenMissing: 0 });
  return typeof seconds === 'string' ? seconds : { waitMs: seconds * 1_000, ...(after !== null && { after }) };
}

export function busy(what: string): Answer<never> {
  return rejection('TEMPORARILY_UNAVAILABLE', `${what} Try again in ${retrySeconds} s.`, {
    headers: retryAfter(retrySeconds),
  });
}
