/**
 * `/api/v1/contacts`: names, notes and tags of telephones, shared by everybody of a company and by both environments.
 * The number is in the body, not the path, so that neither the audit log nor a request log keeps it.
 */
import { cut, isoTime } from '../../http/envelope.ts';
import { type Answer, rejection, success } from '../../http/exchange.ts';
import type { Call, UploadCall } from '../../http/guard.ts';
import { createBodyReader } from '../../http/json-body.ts';
import { numberForm } from '../../http/list-query.ts';
import { afterQuery, limitQuery, numberQuery, textQuery } from '../../http/query-fields.ts';
import { answers, answersPage, answersRaw, jsonBody, tableBody } from '../../http/route.ts';
import type { RouteModule } from '../../http/server.ts';
import { list, type TypeOf } from '../../http/shape.ts';
import { counted } from '../../kernel/counted.ts';
import { type Contact, contactLimits, tidy } from '../../model/contact.ts';
import type { Live } from '../live/live.ts';
import {
  badNumber,
  type ContactEntry,
  changeOf,
  contactCsv,
  contactEntriesMax,
  numberOf,
  readContactCsv,
} from './contact-file.ts';
import * as shapes from './contact-shapes.ts';
import type { ContactStore } from './store/module.ts';

const exportPage = 1_000;
const problemsMax = 100;
/** Length of a search text. */
const searchMax = 100;
const after = afterQuery('`next` of the previous page.');
const people = { read: { permission: 'readBody' }, write: { permission: 'send' } } as const;
const fullDetail = `Your company has ${contactLimits.contacts} contacts, which is the most it may have.`;

const readImport = createBodyReader<{ entries: ContactEntry[] }>(shapes.contactImport);

export interface ContactParts {
  store: ContactStore;
  live: Pick<Live, 'contactsChanged'>;
}

export function contactRoutes({ store, live }: ContactParts): RouteModule {
  return (_app, { guarded, clock }) => {
    const ownerOf = ({ caller }: Call) => caller.account.accountId;

    guarded.add({
      method: 'GET',
      path: '/api/v1/contacts',
      scope: 'read',
      people: people.read,
      operationId: 'listContacts',
      summary: 'Contacts, by number',
      query: {
        contact: numberQuery('Only this contact.'),
        q: textQuery('Only with this in name, tags or number; neither case nor accents count.'),
        after,
        limit: limitQuery,
      },
      answer: answersPage(list(shapes.contact), 'after', 'A page'),
      work: async (call) => {
        const accountId = ownerOf(call);
        const { contact, q, limit } = call.query;
        const from = readCursor(call.query.after);
        if (from === undefined) return rejection('INVALID_FIELD', badCursor);
        if (q !== null && q.length > searchMax) {
          return rejection('INVALID_FIELD', `The query parameter q may have at most ${searchMax} characters.`);
        }
        const found =
          contact === null
            ? await store.contactPage({ accountId, q: tidy(q ?? ''), after: from, limit: limit + 1 })
            : await store.contactsOf({ accountId, contacts: [contact] });
        const rows = found.slice(0, limit);
        const next = found.length > limit ? rows.at(-1)!.contact : null;
        return success(`${counted(rows.length, 'contact')}, by number.`, rows.map(shownContact), next);
      },
    });

    guarded.add({
      method: 'POST',
      path: '/api/v1/contacts',
      scope: 'send',
      people: { ...people.write, audit: 'contact.saved' },
      operationId: 'saveContact',
      summary: 'Save a contact',
      description: 'A field that is left out stays as it is. One without name, note and tags is removed.',
      body: jsonBody(shapes.contactEntry, {
        examples: { one: { summary: 'One contact', value: { contact: '12025550100', name: 'Maria Lopez' } } },
      }),
      answer: answers(shapes.savedContact, 'What changed'),
      work: async (call) => {
        const change = changeOf(call.body);
        if (typeof change === 'string') return rejection('INVALID_FIELD', `${change} Nothing was changed.`);
        const accountId = ownerOf(call);
        const [result] = await store.putContacts([{ ...change, accountId, at: clock.now() }]);
        if (result === 'full') return rejection('INVALID_FIELD', `${fullDetail} Nothing was changed.`);
        live.contactsChanged(accountId);
        const { contact } = change;
        const answer = success(`${contact} is saved.`, { contact, result: result! });
        // The audit log keeps the names of the fields, never their values: an erased person must not stay in it.
        const { contact: _number, ...fields } = call.body;
        return { ...answer, changed: { before: {}, after: { fields: Object.keys(fields) } } };
      },
    });

    guarded.add({
      method: 'POST',
      path: '/api/v1/contacts/remove',
      scope: 'send',
      people: { ...people.write, audit: 'contact.removed' },
      operationId: 'removeContact',
      summary: 'Remove a contact',
      description: 'Its messages stay.',
      body: jsonBody(shapes.removeContact),
      answer: answers(shapes.removedContact, 'What changed'),
      work: async (call) => {
        const contact = numberOf(call.body.contact);
        if (contact === null) return rejection('INVALID_FIELD', `${badNumber} Nothing was changed.`);
        const accountId = ownerOf(call);
        const [removed] = await store.removeContacts([{ accountId, contact }]);
        live.contactsChanged(accountId);
        const answer = success(`${contact} is no contact${removed ? ' any more' : ''}.`, {
          contact,
          removed: removed!,
        });
        return { ...answer, changed: { before: {}, after: { removed } } };
      },
    });

    guarded.add({
      method: 'POST',
      path: '/api/v1/contacts/import',
      scope: 'send',
      people: { ...people.write, audit: 'contact.imported' },
      operationId: 'importContacts',
      summary: 'Save many contacts',
      description: `JSON, or a table whose first line names its columns: contact, and name, note or tags (separated by semicolons). At most ${contactEntriesMax} entries and one body (\`bodyBytesMax\` of \`GET /limits\`).`,
      body: tableBody(shapes.contactImport),
      answer: answers(shapes.importedContacts, 'What became of them'),
      work: async (call) => {
        const entries = entriesOf(call);
        if (!Array.isArray(entries)) return entries;
        const accountId = ownerOf(call);
        const judged = entries.map(changeOf);
        const changes = judged.filter((one) => typeof one !== 'string');
        const at = clock.now();
        const results = await store.putContacts(changes.map((change) => ({ ...change, accountId, at })));
        live.contactsChanged(accountId);
        let saved = 0;
        const outcomes = judged.map((one) => (typeof one === 'string' ? one : results[saved++]!));
        return imported(entries, outcomes);
      },
    });

    guarded.add({
      method: 'GET',
      path: '/api/v1/contacts/export',
      scope: 'read',
      people: people.read,
      operationId: 'exportContacts',
      summary: 'All contacts as a table',
      answer: answersRaw('text/csv', 'contact, name, note, tags; lines end in CRLF (RFC 4180)'),
      work: async (call) => ({
        status: 200,
        reason: 'SUCCESS',
        body: await tableOf(store, ownerOf(call)),
        contentType: 'text/csv; charset=utf-8',
        headers: ['Content-Disposition', 'attachment; filename="contacts.csv"'],
      }),
    });
  };
}

/** The limit `contactLimits.contacts` lets one file hold all. */
async function tableOf(store: ContactStore, accountId: string): Promise<string> {
  const pages = [contactCsv([], true)];
  for (let from: string | null = ''; from !== null; ) {
    const found: Contact[] = await store.contactPage({ accountId, q: '', after: from, limit: exportPage });
    pages.push(contactCsv(found, false));
    from = found.length === exportPage ? found.at(-1)!.contact : null;
  }
  return `\ufeff${pages.join('')}`;
}

function entriesOf({ body }: Pick<UploadCall, 'body'>): ContactEntry[] | Answer<never> {
  if (body.kind === 'json') {
    const read = readImport(body.value);
    return read.ok ? read.fields.entries : read.answer;
  }
  const read = readContactCsv(body.text);
  if (typeof read === 'string') {
    return rejection('INVALID_FIELD', `The table cannot be read: ${read}. Nothing was changed.`);
  }
  if (read.length > 0) return read;
  return rejection('INVALID_FIELD', `The table has no entries. Send 1 to ${contactEntriesMax}. Nothing was changed.`);
}

/** `outcomes`: for each entry the store's result, or a sentence that says why it was refused. */
function imported(entries: readonly ContactEntry[], outcomes: readonly string[]) {
  const count = (...wanted: string[]) => outcomes.filter((one) => wanted.includes(one)).length;
  const known = ['added', 'changed', 'removed', 'unchanged'];
  const refused = outcomes.flatMap((outcome, index) =>
    known.includes(outcome)
      ? []
      : [
          {
            entry: index + 1,
            contact: cut(entries[index]!.contact),
            detail: outcome === 'full' ? fullDetail : outcome,
          },
        ],
  );
  const counts = { added: count('added'), changed: count('changed', 'removed'), unchanged: count('unchanged') };
  const answer = success(
    `${counts.added} of ${counted(entries.length, 'entry', 'entries')} ${counts.added === 1 ? 'is' : 'are'} new, ${refused.length} ${refused.length === 1 ? 'was' : 'were'} refused.`,
    { ...counts, refused: refused.length, problems: refused.slice(0, problemsMax) },
  );
  return { ...answer, changed: { before: {}, after: { ...counts, refused: refused.length } } };
}

const badCursor = 'The query parameter after must be the next of the previous page.';

/** Undefined for an invalid cursor. */
function readCursor(text: string | null): string | null | undefined {
  return text === null || numberForm.test(text) ? text : undefined;
}

function shownContact({ updatedAt, tags, ...contact }: Contact): TypeOf<typeof shapes.contact> {
  return { ...contact, tags: [...tags], updatedAt: isoTime(updatedAt) };
}
