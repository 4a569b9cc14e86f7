/**
 * `/api/v1/opt-outs`: who wants no messages of the caller's account and environment, with the proof; entering and lifting
 * with a reason, import and export. What counts as an opt-out, and where, is decided by the flow.
 */

import { type ConsentOwner, campaignScope, consentScope } from '../domain/consent.ts';
import { counted } from '../domain/counted.ts';
import type { Directory } from '../domain/directory.ts';
import { isPortalKey } from '../domain/people.ts';
import type { Consent, OptOutQuery } from '../flow/consent.ts';
import { entriesMax, type OptOutEntry, optOutCsv, readOptOutCsv } from '../flow/opt-out-file.ts';
import type { OptOut } from '../store/store.ts';
import { cut, isoTime, shown } from './envelope.ts';
import { type Answer, rejection, success } from './exchange.ts';
import type { Call, JsonCall, UploadCall } from './guard.ts';
import { createBodyReader } from './json-body.ts';
import { numberForm, pageLimit, valuesOnce } from './list-query.ts';
import { optOutEntrySchema, optOutImportSchema } from './opt-out-schemas.ts';
import { ownerOf } from './owner.ts';
import type { Query } from './query.ts';
import type { RouteModule } from './server.ts';

/** Entries read at once, and files of so many pages, for an export. The header `X-Next` says where to go on. */
const exportPage = 1_000;
const exportPagesMax = 50;
const problemsMax = 100;

const readEntry = createBodyReader<OptOutEntry>(optOutEntrySchema);
const readImport = createBodyReader<{ entries: OptOutEntry[] }>(optOutImportSchema);

export function optOutRoutes(consent: Pick<Consent, 'change' | 'list'>): RouteModule {
  async function list(call: Call, directory: Directory): Promise<Answer> {
    const owner = ownerOf(call);
    const query = listQuery(call.exchange.query, owner, directory);
    if (typeof query === 'string') return rejection('INVALID_FIELD', query);
    const { entries, next } = await consent.list(owner, query);
    return success(`${entries.length} opt-outs, by contact.`, entries.map(shownOptOut), cursorOf(next));
  }

  async function change(call: JsonCall, to: 'out' | 'in'): Promise<Answer> {
    const body = readEntry(call.body);
    if (!body.ok) return body.answer;
    // One result for each entry.
    const [judged] = await consent.change(ownerOf(call), to, howOf(call), [body.fields]);
    const { contact, scope, result, detail } = judged!;
    if (result === 'refused') return rejection('INVALID_FIELD', `${detail} Nothing was changed.`);
    const changed = result === 'changed';
    const state = to === 'out' ? 'opted out' : 'not opted out';
    return success(`${contact} is ${state}${changed ? ' from now on' : ' already'}.`, { contact, scope, changed });
  }

  async function importEntries(call: UploadCall): Promise<Answer> {
    const read = entriesOf(call);
    if (!Array.isArray(read)) return read;
    const results = await consent.change(ownerOf(call), 'out', 'import', read);
    const count = (wanted: string): number => results.filter(({ result }) => result === wanted).length;
    const refused = results.flatMap(({ contact, result, detail }, index) =>
      result === 'refused' ? [{ entry: index + 1, contact: cut(contact), detail }] : [],
    );
    const counts = { added: count('changed'), unchanged: count('unchanged'), refused: refused.length };
    return success(
      `${counts.added} of ${counted(results.length, 'entry', 'entries')} ${counts.added === 1 ? 'is' : 'are'} new, ${refused.length} ${refused.length === 1 ? 'was' : 'were'} refused.`,
      {
        ...counts,
        problems: refused.slice(0, problemsMax),
      },
    );
  }

  async function exportAll(call: Call): Promise<Answer> {
    const values = valuesOnce(call.exchange.query, ['after']);
    if (typeof values === 'string') return rejection('INVALID_FIELD', values);
    let after = readCursor(values.after);
    if (after === undefined) return rejection('INVALID_FIELD', badCursor);
    const pages = [optOutCsv([], after === null)];
    for (let page = 0; page < exportPagesMax && (page === 0 || after !== null); page++) {
      const query: OptOutQuery = { scope: null, contact: null, after, limit: exportPage };
      const { entries, next } = await consent.list(ownerOf(call), query);
      pages.push(optOutCsv(entries, false));
      after = next;
    }
    return {
      status: 200,
      reason: 'SUCCESS',
      body: pages.join(''),
      contentType: 'text/csv; charset=utf-8',
      headers: [
        ...['Content-Disposition', 'attachment; filename="opt-outs.csv"'],
        ...(after === null ? [] : ['X-Next', encodeURIComponent(cursorOf(after) ?? '')]),
      ],
    };
  }

  const path = '/api/v1/opt-outs';
  return (_app, { guarded, directory }) => {
    guarded.get(path, 'read', (call) => list(call, directory()));
    // Whoever may send may also say who wants nothing more; the other way round takes more.
    guarded.post(path, 'send', (call) => change(call, 'out'));
    guarded.post(`${path}/remove`, 'admin', (call) => change(call, 'in'));
    guarded.upload(`${path}/import`, 'send', importEntries);
    guarded.get(`${path}/export`, 'read', exportAll);
  };
}

/** Whether a program or a person asks: people come through the portal. */
function howOf({ caller }: Call): 'by hand' | 'api' {
  return isPortalKey(caller.key.keyId) ? 'by hand' : 'api';
}

const badCursor = 'The query parameter after must be the next of the page before.';

function entriesOf({ body }: UploadCall): OptOutEntry[] | Answer {
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

function listQuery(query: Query, owner: ConsentOwner, directory: Directory): OptOutQuery | string {
  const values = valuesOnce(query, ['scope', 'campaign', 'number', 'contact', 'after', 'limit']);
  if (typeof values === 'string') return values;
  const { contact } = values;
  if (contact !== null && !numberForm.test(contact))
    return 'The query parameter contact must be a number: digits only.';
  const named = [values.scope, values.campaign, values.number].filter((value) => value !== null);
  if (named.length > 1) return 'Send at most one of the query parameters scope, campaign and number.';
  const scope = scopeOf(values, owner, directory);
  if (scope === undefined) return `Your account has no sending number ${shown(values.number ?? '')}.`;
  const after = readCursor(values.after);
  if (after === undefined) return badCursor;
  const limit = pageLimit(values.limit);
  return typeof limit === 'string' ? limit : { scope, contact, after, limit };
}

/** Undefined for a number that is not the owner's. */
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

/** Undefined when it is no cursor. */
function readCursor(text: string | null): OptOutQuery['after'] | undefined {
  if (text === null) return null;
  const [, contact, scope] = /^([0-9]{1,15})~((?:campaign|number):.{1,100})$/.exec(text) ?? [];
  return contact === undefined || scope === undefined ? undefined : { contact, scope };
}

function shownOptOut({ contact, scope, at, how, reason, evidenceMessageId }: OptOut): object {
  return { contact, scope, at: isoTime(at), how, reason, evidenceMessageId };
}
