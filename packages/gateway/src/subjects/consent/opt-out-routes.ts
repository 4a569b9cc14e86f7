/**
 * `/api/v1/opt-outs`: the opt-outs of the caller's account and environment with their evidence; add and lift with a
 * reason, import, export. `messaging/consent` decides what an opt-out covers.
 */
import { cut, isoTime, shown } from '../../http/envelope.ts';
import { type Answer, rejection, success } from '../../http/exchange.ts';
import type { Call, UploadCall } from '../../http/guard.ts';
import { createBodyReader } from '../../http/json-body.ts';
import { ownerOf } from '../../http/owner.ts';
import { afterQuery, limitQuery, numberQuery, textQuery } from '../../http/query-fields.ts';
import { answers, answersPage, answersRaw, jsonBody, tableBody } from '../../http/route.ts';
import type { RouteModule } from '../../http/server.ts';
import { list, type TypeOf } from '../../http/shape.ts';
import { counted } from '../../kernel/counted.ts';
import type { Consent, OptOutQuery } from '../../messaging/consent/consent.ts';
import { type ConsentOwner, campaignScope, consentScope } from '../../messaging/consent/consent-rules.ts';
import { entriesMax, type OptOutEntry, optOutCsv, readOptOutCsv } from '../../messaging/consent/opt-out-file.ts';
import type { OptOut } from '../../messaging/store/items.ts';
import type { Directory } from '../../model/directory.ts';
import { isPortalKey } from '../../model/people.ts';
import { changedOptOut, importedOptOuts, optOut, optOutEntry, optOutImport } from './opt-out-shapes.ts';

/** Entries of one read, and pages of one export file. The header `X-Next` says where the next file begins. */
const exportPage = 1_000;
const exportPagesMax = 50;
const problemsMax = 100;

const readImport = createBodyReader<{ entries: OptOutEntry[] }>(optOutImport);

const after = afterQuery('`next` of the previous page.');
const onePlace = 'Send exactly one of `scope`, `campaign` and `number`.';
const entryBody = jsonBody(optOutEntry, {
  examples: {
    oneContact: {
      summary: 'One contact',
      value: { contact: '12025550100', number: '12025550199', reason: 'Asked by e-mail on 21 November' },
    },
  },
});

export function optOutRoutes(consent: Pick<Consent, 'change' | 'list'>): RouteModule {
  async function change(
    call: Call,
    to: 'out' | 'in',
    entry: OptOutEntry,
  ): Promise<Answer<TypeOf<typeof changedOptOut>>> {
    // One result for each entry.
    const [judged] = await consent.change(ownerOf(call), to, howOf(call), [entry]);
    const { contact, scope, result, detail } = judged!;
    if (result === 'refused') return rejection('INVALID_FIELD', `${detail} Nothing was changed.`);
    const changed = result === 'changed';
    const state = to === 'out' ? 'opted out' : 'not opted out';
    return success(`${contact} is ${state}${changed ? ' from now on' : ' already'}.`, { contact, scope, changed });
  }

  /** The table, with as many pages as one file holds; `next` is the cursor of the next file. */
  async function table(owner: ConsentOwner, from: OptOutQuery['after']) {
    let next = from;
    const pages = [optOutCsv([], from === null)];
    for (let page = 0; page < exportPagesMax && (page === 0 || next !== null); page++) {
      const query: OptOutQuery = { scope: null, contact: null, after: next, limit: exportPage };
      const read = await consent.list(owner, query);
      pages.push(optOutCsv(read.entries, false));
      next = read.next;
    }
    return { text: pages.join(''), next };
  }

  return (_app, { guarded, directory }) => {
    guarded.add({
      method: 'GET',
      path: '/api/v1/opt-outs',
      scope: 'read',
      operationId: 'listOptOuts',
      summary: 'The opt-out list, by contact',
      description: 'At most one of `scope`, `campaign` and `number`.',
      query: {
        contact: numberQuery('Only this contact.'),
        scope: textQuery('Only this scope: `campaign:ID` or `number:DIGITS`.'),
        campaign: textQuery('Only of this campaign.'),
        number: textQuery('Only opt-outs that stop texts from this sending number.'),
        after,
        limit: limitQuery,
      },
      answer: answersPage(list(optOut), 'after', 'A page'),
      work: async (call) => {
        const owner = ownerOf(call);
        const query = listQuery(call.query, owner, directory());
        if (typeof query === 'string') return rejection('INVALID_FIELD', query);
        const { entries, next } = await consent.list(owner, query);
        return success(`${entries.length} opt-outs, by contact.`, entries.map(shownOptOut), cursorOf(next));
      },
    });

    // A key with the scope `send` may add an opt-out; lifting one needs more.
    guarded.add({
      method: 'POST',
      path: '/api/v1/opt-outs',
      scope: 'send',
      people: { permission: 'manageOptOuts', audit: 'opt_out.added' },
      operationId: 'addOptOut',
      summary: 'Stop sending to a contact',
      description: onePlace,
      body: entryBody,
      answer: answers(changedOptOut, 'What changed'),
      work: (call) => change(call, 'out', call.body),
    });

    guarded.add({
      method: 'POST',
      path: '/api/v1/opt-outs/remove',
      scope: 'admin',
      people: { permission: 'manageOptOuts', audit: 'opt_out.removed' },
      operationId: 'removeOptOut',
      summary: 'Allow sending to a contact again',
      description: `Only for a contact who asked for it: the reason is kept as proof. ${onePlace}`,
      body: entryBody,
      answer: answers(changedOptOut, 'What changed'),
      work: (call) => change(call, 'in', call.body),
    });

    guarded.add({
      method: 'POST',
      path: '/api/v1/opt-outs/import',
      scope: 'send',
      people: { permission: 'manageOptOuts', audit: 'opt_out.imported' },
      operationId: 'importOptOuts',
      summary: 'Stop sending to many contacts',
      description: `JSON, or a table whose first line names its columns: contact, reason, and scope, campaign or number. At most ${entriesMax} entries and one body (\`bodyBytesMax\` of \`GET /limits\`).`,
      body: tableBody(optOutImport),
      answer: answers(importedOptOuts, 'What became of them'),
      work: async (call) => {
        const read = entriesOf(call);
        if (!Array.isArray(read)) return read;
        return imported(await consent.change(ownerOf(call), 'out', 'import', read));
      },
    });

    guarded.add({
      method: 'GET',
      path: '/api/v1/opt-outs/export',
      scope: 'read',
      people: { holdsNoText: true },
      operationId: 'exportOptOuts',
      summary: 'All opt-outs as a table',
      description:
        'A long list has several files: pass the header `X-Next`, if there is one, as `after` of the next call.',
      query: { after },
      answer: answersRaw(
        'text/csv',
        'contact, scope, how, at, reason, evidenceMessageId; lines end in CRLF (RFC 4180)',
        { 'X-Next': { schema: { type: 'string' } } },
      ),
      work: async (call) => {
        const from = readCursor(call.query.after);
        if (from === undefined) return rejection('INVALID_FIELD', badCursor);
        const { text, next } = await table(ownerOf(call), from);
        return {
          status: 200,
          reason: 'SUCCESS',
          body: text,
          contentType: 'text/csv; charset=utf-8',
          headers: [
            ...['Content-Disposition', 'attachment; filename="opt-outs.csv"'],
            ...(next === null ? [] : ['X-Next', headerForm(cursorOf(next)!)]),
          ],
        };
      },
    });
  };
}

/** The results of an import's entries. */
function imported(results: Awaited<ReturnType<Consent['change']>>): Answer<TypeOf<typeof importedOptOuts>> {
  const count = (wanted: string): number => results.filter(({ result }) => result === wanted).length;
  const refused = results.flatMap(({ contact, result, detail }, index) =>
    result === 'refused' ? [{ entry: index + 1, contact: cut(contact), detail }] : [],
  );
  const counts = { added: count('changed'), unchanged: count('unchanged'), refused: refused.length };
  return success(
    `${counts.added} of ${counted(results.length, 'entry', 'entries')} ${counts.added === 1 ? 'is' : 'are'} new, ${refused.length} ${refused.length === 1 ? 'was' : 'were'} refused.`,
    { ...counts, problems: refused.slice(0, problemsMax) },
  );
}

/** Whether a person or a program makes the call: people use the portal. */
function howOf({ caller }: Call): 'by hand' | 'api' {
  return isPortalKey(caller.key.keyId) ? 'by hand' : 'api';
}

const badCursor = 'The query parameter after must be the next of the previous page.';

function entriesOf({ body }: Pick<UploadCall, 'body'>): OptOutEntry[] | Answer<never> {
  if (body.kind === 'json') {
    const read = readImport(body.value);
    return read.ok ? read.fields.entries : read.answer;
  }
  const read = readOptOutCsv(body.text);
  if (read.kind === 'unreadable') {
    return rejection('INVALID_FIELD', `The table cannot be read: ${read.detail}. Nothing was changed.`);
  }
  if (read.entries.length > 0) return read.entries;
  return rejection('INVALID_FIELD', `The table has no entries. Send 1 to ${entriesMax}. Nothing was changed.`);
}

type ListValues = Record<'scope' | 'campaign' | 'number' | 'contact' | 'after', string | null> & { limit: number };

function listQuery(values: ListValues, owner: ConsentOwner, directory: Directory): OptOutQuery | string {
  const { contact, limit } = values;
  const places = [values.scope, values.campaign, values.number].filter((value) => value !== null);
  if (places.length > 1) return 'Send at most one of the query parameters scope, campaign and number.';
  const scope = scopeOf(values, owner, directory);
  if (scope === undefined) return `Your account has no sending number ${shown(values.number ?? '')}.`;
  const after = readCursor(values.after);
  return after === undefined ? badCursor : { scope, contact, after, limit };
}

/** Undefined when the number is not the owner's. */
function scopeOf(
  { scope, campaign, number }: Readonly<Record<'scope' | 'campaign' | 'number', string | null>>,
  { accountId, environment }: ConsentOwner,
  directory: Directory,
): string | null | undefined {
  if (campaign !== null) return campaignScope(campaign);
  if (number === null) return scope;
  const own = directory.number(number);
  return own?.accountId === accountId && own.environment === environment ? consentScope(own) : undefined;
}

function cursorOf(after: OptOutQuery['after']): string | null {
  return after === null ? null : `${after.contact}~${after.scope}`;
}

/**
 * Plain where it can be, so that a client may encode it or not. The name of a campaign may have characters that no header
 * carries.
 */
function headerForm(cursor: string): string {
  return encodeURIComponent(cursor).replaceAll('%3A', ':');
}

/** Undefined for an invalid cursor. Clients that encode what `headerForm` has encoded send it encoded. */
function readCursor(text: string | null): OptOutQuery['after'] | undefined {
  if (text === null) return null;
  const [, contact, scope] = /^([0-9]{1,15})~((?:campaign|number):.{1,100})$/.exec(decoded(text)) ?? [];
  return contact === undefined || scope === undefined ? undefined : { contact, scope };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function shownOptOut({ contact, scope, at, how, reason, evidenceMessageId }: OptOut): TypeOf<typeof optOut> {
  return { contact, scope, at: isoTime(at), how, reason, evidenceMessageId };
}
