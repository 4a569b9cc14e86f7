/** What the answer to a submission means, in one vocabulary for MM4 and MM7. Types only. */

/**
 * `never`: this message will be refused again. `later`: the same again after a while. `few`: as `later`, but the code
 * says so little that a few tries must do. `one_by_one`: again with one recipient at a time. `other_version`: again in
 * another dialect.
 */
export type Retry = 'never' | 'later' | 'few' | 'one_by_one' | 'other_version';

/** What the refusal is about, for the choice of words to the customer. */
export type Concern = 'message' | 'address' | 'content' | 'id' | 'service' | 'credentials' | 'protocol';

export type StatusMeaning =
  | { kind: 'accepted' }
  /** Some recipients got it; those that are named did not. */
  | { kind: 'partial' }
  | { kind: 'refused'; retry: Retry; concern: Concern };

export const refused = (retry: Retry, concern: Concern): StatusMeaning => ({ kind: 'refused', retry, concern });
