/** Answers for numbers, brands and campaigns: record with version, conflict, faults. */
import { type Answer, success } from '../../http/exchange.ts';
import { conflict, refusalAnswer } from '../../http/portal/answers.ts';
import { type EditOutcome, formVersion } from './edits.ts';

/** `shown` turns a record into its form on a page. */
export function editAnswer<T extends object, S>(
  outcome: EditOutcome<T>,
  done: string,
  shown: (record: T) => S,
): Answer<S> {
  return outcome.kind === 'done' ? success(done, shown(outcome.record)) : editRefusal(outcome, shown);
}

/** The answer to a refused edit. */
export function editRefusal<T extends object>(
  outcome: Exclude<EditOutcome<T>, { kind: 'done' }>,
  shown: (record: T) => unknown,
): Answer<never> {
  if (outcome.kind !== 'stale') return refusalAnswer(outcome);
  const detail = 'Somebody else changed this in the meantime. Look at it again. Nothing was saved.';
  return conflict(detail, shown(outcome.current));
}

/** The record with the version that an edit must name. */
export function withVersion<T extends object>(record: T): T & { version: string } {
  return { ...record, version: formVersion(record) };
}
