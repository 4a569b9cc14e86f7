/** The opt-out list: adds and lifts entries, with one event per real change in the same transaction, and reads it. */

import type { WriteContext } from '../../../store/context.ts';
import { type Operation, run } from '../../../store/query.ts';
import { consentCounter, lastPosition, raiseCounter, readCounter } from '../../../store/system/operations.ts';
import type { ConsentChange, NewEvent, OptOut, OptOutsQuery } from '../items.ts';
import {
  type OptOutRow,
  putOptOuts,
  selectOptOutPage,
  selectOptOutRows,
  selectOptOuts,
  selectOptOutsOfScope,
} from '../statements/consent.ts';
import { addEvents } from './events.ts';
import { storable } from './storable.ts';

/** Bounds before and after all entries: contacts are digits. */
const first: Subject = { scope: '', contact: '' };

const lastContact = '~';

/** Opted-out contacts, for the list in memory; `after` is the last entry of the previous page. */
export function* optOutPage({ after, limit }: { after: Subject | null; limit: number }): Operation<Subject[]> {
  return yield* run(selectOptOutPage, [{ ...(after ?? first), limit }]);
}

/**
 * An account's opted-out contacts by contact and scope, with their evidence; `after` is the last entry of the previous
 * page.
 */
export function* optOuts({ accountId, scope, contact, after, limit }: OptOutsQuery): Operation<OptOut[]> {
  const params = { account_id: accountId, limit };
  if (scope !== null && contact === null) {
    return (yield* run(selectOptOutsOfScope, [{ ...params, scope, contact: after?.contact ?? '' }])).map(asOptOut);
  }
  const from = contact === null ? (after ?? first) : { contact, scope: after?.scope ?? '' };
  const rows = yield* run(selectOptOuts, [
    { ...params, ...from, last_contact: contact ?? lastContact, only_scope: scope },
  ]);
  return rows.map(asOptOut);
}

function asOptOut(row: OptOutRow): OptOut {
  return {
    accountId: row.account_id,
    scope: row.scope,
    contact: row.contact,
    at: row.since,
    how: row.how,
    reason: row.reason,
    evidenceMessageId: row.evidence_message_id,
  };
}

export interface ConsentState {
  /** Grows with each change of the list; 0 if only one process changes it. */
  version: number;
  /** The end of the event log, which has an event for each change. */
  position: number;
}

export function* consentState(): Operation<ConsentState> {
  return { version: yield* readCounter(consentCounter), position: yield* lastPosition() };
}

/** One contact within a scope. */
export interface Subject {
  scope: string;
  contact: string;
}

export function subjectKey({ scope, contact }: Subject): string {
  return `${contact} ${scope}`;
}

/** The entries of a transaction, and its changes so far. */
export interface ConsentBook {
  rows: Map<string, OptOutRow>;
  changed: Map<string, OptOutRow>;
  events: NewEvent[];
}

export function* openBook(subjects: readonly Subject[]): Operation<ConsentBook> {
  const distinct = new Map(subjects.map((subject) => [subjectKey(subject), subject]));
  const rows = yield* run(selectOptOutRows, [...distinct.values()]);
  return { rows: new Map(rows.map((row) => [subjectKey(row), row])), changed: new Map(), events: [] };
}

/** Additional data for the event of a change. */
export interface ChangeDetails {
  eventId: string;
  /** The own number that received the keyword; null when the change concerns no single number. */
  number: string | null;
  /** The contact's text; null when there was none. */
  keyword: string | null;
}

/** True if something changed: only an existing opt-out can be lifted, and the first evidence stays. */
export function enter(book: ConsentBook, change: ConsentChange, details: ChangeDetails): boolean {
  const key = subjectKey(change);
  const known = book.rows.get(key);
  if ((known?.state ?? 'in') === change.to) return false;
  // Ignores a carrier's report from before the last change, however often it repeats.
  if (change.how === 'carrier' && known !== undefined && change.at <= known.since) return false;
  const row: OptOutRow = {
    scope: change.scope,
    contact: change.contact,
    account_id: change.accountId,
    state: change.to,
    since: change.at,
    how: change.how,
    reason: storable(change.reason),
    evidence_message_id: change.evidenceMessageId,
  };
  book.rows.set(key, row);
  book.changed.set(key, row);
  book.events.push(changeEvent(change, details));
  return true;
}

export function* closeBook(book: ConsentBook, context: WriteContext): Operation<void> {
  yield* run(putOptOuts, [...book.changed.values()]);
  if (context.newest !== undefined && book.changed.size > 0) yield* raiseCounter(consentCounter);
  yield* addEvents(book.events, context);
}

function changeEvent(change: ConsentChange, { eventId, number, keyword }: ChangeDetails): NewEvent {
  const { accountId, at, contact, scope, how, evidenceMessageId: messageId } = change;
  return {
    eventId,
    accountId,
    type: change.to === 'out' ? 'contact.opted_out' : 'contact.opted_in',
    at,
    data: {
      contact,
      number,
      scope,
      campaignId: after('campaign:', scope),
      how,
      keyword,
      messageId,
      at: new Date(at).toISOString(),
    },
  };
}

function after(prefix: string, scope: string): string | null {
  return scope.startsWith(prefix) ? scope.slice(prefix.length) : null;
}

export function* changeConsent(
  items: readonly { change: ConsentChange; eventId: string }[],
  context: WriteContext,
): Operation<boolean[]> {
  const book = yield* openBook(items.map(({ change }) => change));
  const changed = items.map(({ change, eventId }) =>
    enter(book, change, { eventId, number: after('number:', change.scope), keyword: null }),
  );
  yield* closeBook(book, context);
  return changed;
}
