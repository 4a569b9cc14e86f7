/** The shared query parameters of lists that can wait for new entries, and the answer when too many callers wait. */
import { type Answer, rejection, retryAfter } from './exchange.ts';
import { afterQuery, wholeQuery } from './query-fields.ts';

const retrySeconds = 1;

export interface LongPollForm {
  /** The form of the cursor `after`. */
  idForm: RegExp;
  /** What the id names, for the sentence that refuses a malformed one. */
  what: string;
  waitMsMax: number;
}

/** The query fields: the last id that the caller has, and how long the answer may wait for a newer one. */
export function longPollFields(form: LongPollForm, thing: string) {
  const { idForm, what, waitMsMax } = form;
  const after = afterQuery(`The id of the last ${thing} you have.`, (id) =>
    idForm.test(id) ? null : `The query parameter after must be the id of ${what}, such as the last one you got.`,
  );
  const range = { min: 0, max: waitMsMax / 1_000, whenMissing: 0 };
  return {
    after,
    wait: wholeQuery(range, `Seconds to wait for ${thing === 'entry' ? 'an' : 'a'} ${thing} when there is none.`),
  };
}

/** The parameters of the list's own query. */
export function waitingFor({ after, wait }: { after: string | null; wait: number }): {
  after?: string;
  waitMs: number;
} {
  return { waitMs: wait * 1_000, ...(after !== null && { after }) };
}

export function busy(what: string): Answer<never> {
  return rejection('TEMPORARILY_UNAVAILABLE', `${what} Try again in ${retrySeconds} s.`, {
    headers: retryAfter(retrySeconds),
  });
}
