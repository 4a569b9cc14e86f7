/** `/audit`: the company's audit log, the state of its hash chain, and an export. */

import { isoTime } from '../../http/envelope.ts';
import { rejection, success } from '../../http/exchange.ts';
import { pageLimit } from '../../http/list-query.ts';
import {
  answersExport,
  type ExportFormat,
  type ExportOut,
  exported,
  exportQuery,
  localTimes,
} from '../../http/portal/export-stream.ts';
import type { PortalModule } from '../../http/portal/portal.ts';
import type { PortalRoutes } from '../../http/portal/portal-guard.ts';
import { type QueryOf, textQueries } from '../../http/query-fields.ts';
import { answers } from '../../http/route.ts';
import { anything, byName, flag, list, named, object, optional, orNull, plain, time, whole } from '../../http/shape.ts';
import { counted } from '../../kernel/counted.ts';
import { csvCell } from '../../kernel/csv.ts';
import type { AccountId } from '../../kernel/ids.ts';
import type { AuditEntry, ChainStatus } from '../../model/people-audit.ts';
import type { AuditLog, AuditQuery } from './audit-log.ts';

const auditEntry = named(
  'AuditEntry',
  object({
    position: whole(),
    at: time,
    userId: orNull(plain()),
    who: plain(),
    what: plain(),
    target: plain(),
    before: orNull(byName(anything())),
    after: orNull(byName(anything())),
    ip: orNull(plain()),
    requestId: orNull(plain()),
  }),
);

const exportPage = 1_000;
const searchMax = 100;

const entriesQuery = textQueries({
  before: '`next` of the previous page.',
  limit: 'Entries of one page.',
  who: 'The id of a user.',
  what: 'A dotted word, such as `campaign.submitted`.',
  target: 'The target of the action, as entries name it.',
  about: 'The id of a record, wherever an entry names it.',
  text: 'A text anywhere in an entry.',
});

export function auditRoutes(audit: AuditLog): PortalModule {
  return (routes) => addRoutes(routes, audit);
}

function addRoutes(routes: PortalRoutes, audit: AuditLog): void {
  routes.add({
    method: 'GET',
    path: '/audit',
    access: 'readAudit',
    query: entriesQuery,
    answer: answers(
      object({
        entries: list(auditEntry),
        chain: object({
          ok: flag(),
          rows: whole(),
          brokenAt: optional(whole()),
          since: optional(orNull(plain())),
        }),
        searchedTo: orNull(plain()),
      }),
      'A page, the newest first',
    ),
    work: async ({ query: params, account }) => {
      const query = auditQuery(params);
      if (typeof query === 'string') return rejection('INVALID_FIELD', query);
      const [{ entries, next, searchedTo }, chain] = await Promise.all([
        audit.list(account.accountId, query),
        audit.chain(),
      ]);
      const state = chain.ok ? 'The chain is intact.' : 'The log was altered.';
      const shown = {
        entries: entries.map(shownEntry),
        searchedTo: searchedTo === null ? null : isoTime(searchedTo),
        chain: shownChain(chain),
      };
      return success(
        `${counted(entries.length, 'entry', 'entries')}, newest first. ${state}`,
        shown,
        next === null ? null : String(next),
      );
    },
  });

  for (const format of ['csv', 'jsonl'] as const) {
    routes.add({
      method: 'GET',
      path: `/audit.${format}`,
      access: 'readAudit',
      query: { ...entriesQuery, ...exportQuery },
      answer: answersExport(format),
      work: async (call) => {
        const query = auditQuery(call.query);
        if (typeof query === 'string') return rejection('INVALID_FIELD', query);
        const { accountId } = call.account;
        return exported(call, { name: 'audit', format }, (out) =>
          writeEntries(out, { audit, accountId, query, format }),
        );
      },
    });
  }
}

/** Writes until the end, or until the client is gone. */
async function writeEntries(
  { stream, timeZone, gone }: ExportOut,
  {
    audit,
    accountId,
    query,
    format,
  }: { audit: AuditLog; accountId: AccountId; query: AuditQuery; format: ExportFormat },
): Promise<void> {
  const local = localTimes(timeZone);
  const line = (entry: AuditEntry): string =>
    format === 'csv' ? `${cells(entry, local).map(csvCell).join(',')}\r\n` : `${JSON.stringify(shownEntry(entry))}\n`;
  if (format === 'csv') stream.write(`\uFEFF${columns.map(csvCell).join(',')}\r\n`);
  let { before } = query;
  do {
    const { entries, next } = await audit.list(accountId, { ...query, before, limit: exportPage });
    if (entries.length > 0 && !stream.write(entries.map(line).join(''))) await stream.drained();
    before = next;
  } while (before !== null && !gone());
  stream.end();
}

function shownChain(chain: ChainStatus) {
  return chain.ok ? { ...chain, since: chain.since === null ? null : isoTime(chain.since) } : chain;
}

const columns = ['position', 'at (UTC)', 'local time', 'who', 'what', 'target', 'before', 'after', 'ip', 'request id'];

function cells(entry: AuditEntry, local: (ms: number) => string): string[] {
  const { position, at, who, what, target, before, after, address, requestId } = entry;
  const json = (value: object | null): string => (value === null ? '' : JSON.stringify(value));
  const changes = [json(before), json(after)];
  return [String(position), isoTime(at), local(at), who, what, target, ...changes, address ?? '', requestId ?? ''];
}

function shownEntry({ position, at, userId, who, what, target, before, after, address, requestId }: AuditEntry) {
  return { position, at: isoTime(at), userId, who, what, target, before, after, ip: address, requestId };
}

/** The query of the list, or the sentence about its fault. */
function auditQuery(values: QueryOf<typeof entriesQuery>): AuditQuery | string {
  const { before, who, what, target, about, text } = values;
  if (before !== null && !/^[1-9][0-9]{0,14}$/.test(before)) {
    return 'The query parameter before must be the next of the previous page.';
  }
  if (who !== null && !/^usr_[0-9A-Z]{26}$/.test(who)) return 'The query parameter who must be the id of a user.';
  if (about !== null && !/^[a-z]{2,5}_[0-9A-HJKMNP-TV-Z]{26}$/.test(about)) {
    return 'The query parameter about must be the id of a record, such as msg_….';
  }
  if (text !== null && text.length > searchMax) return `The query parameter text may have ${searchMax} characters.`;
  const limit = pageLimit(values.limit);
  if (typeof limit === 'string') return limit;
  return { before: before === null ? null : Number(before), userId: who, what, target, about, text, limit };
}
