/** The meaning of an answer to a submission, common to MM4 and MM7. Types only. */

/**
 * `never`: a retry of this message would be refused again. `later`: retry unchanged after a while. `few`: as `later`,
 * but the code is so unspecific that only a few retries make sense. `one_by_one`: retry with one recipient at a time.
 * `other_version`: retry in another dialect.
 */
export type Retry = 'never' | 'later' | 'few' | 'one_by_one' | 'other_version';

/** The subject of the refusal, which determines the sentence for the customer. */
export type Concern = 'message' | 'address' | 'content' | 'id' | 'service' | 'credentials' | 'protocol';

export type StatusMeaning =
  | { kind: 'accepted' }
  /** Some recipients got it; the named ones did not. */
  | { kind: 'partial' }
  | { kind: 'refused'; retry: Retry; concern: Concern };

export const refused = (retry: Retry, concern: Concern): StatusMeaning => ({ kind: 'refused', retry, concern });
