/** How numbers, brands and campaigns are answered: the record with its version, what changed meanwhile, what is wrong. */
import { type EditOutcome, formVersion } from '../../flow/registration/edits.ts';
import { type Answer, success } from '../exchange.ts';
import { conflict, refusalAnswer } from './answers.ts';

/** `shown` makes of a record what a page gets. */
export function editAnswer<T extends object>(
  outcome: EditOutcome<T>,
  done: string,
  shown: (record: T) => object,
): Answer {
  switch (outcome.kind) {
    case 'done':
      return success(done, shown(outcome.record));
    case 'stale': {
      const detail = 'This was changed by somebody else meanwhile. Look at it again. Nothing was changed.';
      return conflict(detail, shown(outcome.current));
    }
    default:
      return refusalAnswer(outcome);
  }
}

/** The record with the version that an edit of it names. */
export function withVersion<T extends object>(record: T): T & { version: string } {
  return { ...record, version: formVersion(record) };
}
