/** Contacts of a company: name, note and tags of a telephone. */
import type { EpochMs } from '../../../kernel/clock.ts';
import type { AccountId } from '../../../kernel/ids.ts';
import { patternOf } from '../../../messaging/store/operations/text-search.ts';
import { type Contact, contactLimits, folded } from '../../../model/contact.ts';
import { type StoreOf, storeModule } from '../../../store/module.ts';
import { type Operation, run } from '../../../store/query.ts';
import * as sql from './statements.ts';

/** Fields that are left out do not change. */
export interface ContactChange extends Partial<Pick<Contact, 'name' | 'note' | 'tags'>> {
  accountId: AccountId;
  contact: string;
  at: EpochMs;
}

/** `full`: the company has reached its limit. `removed`: no name, note or tag is left. */
export type ContactResult = 'added' | 'changed' | 'unchanged' | 'removed' | 'full';

export interface ContactKey {
  accountId: AccountId;
  contact: string;
}

export interface ContactsQuery {
  accountId: AccountId;
  /** Text in name, tags or number; '' = all. */
  q: string;
  /** Ordered by number; the last one of the page before. */
  after: string | null;
  limit: number;
}

function* putContacts(changes: readonly ContactChange[]): Operation<ContactResult[]> {
  const results: ContactResult[] = [];
  const counts = new Map<AccountId, number>();
  for (const { accountId, contact, at, ...change } of changes) {
    const key = { account_id: accountId, contact };
    const [row] = yield* run(sql.selectContacts, [key]);
    const before = row === undefined ? null : contactOf(row);
    const { name, note, tags } = { name: '', note: '', tags: [], ...before, ...given(change) };
    const count = counts.get(accountId) ?? (yield* countOf(accountId));
    const result = resultOf(before, { name, note, tags }, count);
    counts.set(accountId, count + (result === 'added' ? 1 : result === 'removed' ? -1 : 0));
    results.push(result);
    if (result === 'full') continue;
    if (result === 'removed') yield* run(sql.deleteContacts, [key]);
    else if (before !== null || result === 'added') {
      // A confirmed contact counts as changed: retention goes by that time.
      const words = folded([name, ...tags].join(' '));
      yield* run(sql.putContact, [{ ...key, name, note, tags: JSON.stringify(tags), words, updated_at: at }]);
    }
  }
  return results;
}

function given<T extends object>(change: T): Partial<T> {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as Partial<T>;
}

type Details = Pick<Contact, 'name' | 'note' | 'tags'>;

function resultOf(before: Contact | null, after: Details, count: number): ContactResult {
  const isEmpty = after.name === '' && after.note === '' && after.tags.length === 0;
  if (before === null) return isEmpty ? 'unchanged' : count >= contactLimits.contacts ? 'full' : 'added';
  if (isEmpty) return 'removed';
  const { name, note, tags } = before;
  return JSON.stringify([name, note, tags]) === JSON.stringify([after.name, after.note, after.tags])
    ? 'unchanged'
    : 'changed';
}

function* countOf(accountId: AccountId): Operation<number> {
  const [row] = yield* run(sql.countContacts, [{ account_id: accountId }]);
  return Number(row?.count ?? 0);
}

/** True for each that existed. */
function* removeContacts(keys: readonly ContactKey[]): Operation<boolean[]> {
  const removed: boolean[] = [];
  for (const { accountId, contact } of keys) {
    const key = { account_id: accountId, contact };
    removed.push((yield* run(sql.selectContacts, [key])).length > 0);
    yield* run(sql.deleteContacts, [key]);
  }
  return removed;
}

/** The contacts of these telephones. */
function* contactsOf({
  accountId,
  contacts,
}: {
  accountId: AccountId;
  contacts: readonly string[];
}): Operation<Contact[]> {
  const keys = [...new Set(contacts)].map((contact) => ({ account_id: accountId, contact }));
  return (yield* run(sql.selectContacts, keys)).map(contactOf);
}

function* contactPage({ accountId, q, after, limit }: ContactsQuery): Operation<Contact[]> {
  const pattern = q === '' ? '%' : patternOf(folded(q));
  return (yield* run(sql.selectContactPage, [{ account_id: accountId, pattern, after: after ?? '', limit }])).map(
    contactOf,
  );
}

function contactOf({ contact, name, note, tags, updated_at }: sql.ContactRow): Contact {
  return { contact, name, note, tags: JSON.parse(tags) as string[], updatedAt: updated_at };
}

export const contactStore = storeModule({
  name: 'contacts',
  writes: {
    putContacts: { run: putContacts, journal: 'apart' },
    removeContacts: { run: removeContacts, journal: 'apart' },
  },
  reads: {
    contactsOf: { run: contactsOf, needs: 'nothing' },
    contactPage: { run: contactPage, needs: 'nothing' },
  },
});

export interface ContactStore extends StoreOf<typeof contactStore> {}
