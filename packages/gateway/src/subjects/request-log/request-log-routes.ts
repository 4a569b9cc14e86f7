/** `/requests`: the company's API calls, with search and export, for people who manage keys. */

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
import type { PortalCall } from '../../http/portal/portal-guard.ts';
import { type QueryOf, textQueries } from '../../http/query-fields.ts';
import { answers } from '../../http/route.ts';
import { list, object } from '../../http/shape.ts';
import { isOnCalendar } from '../../kernel/calendar.ts';
import type { EpochMs } from '../../kernel/clock.ts';
import { counted } from '../../kernel/counted.ts';
import { csvCell } from '../../kernel/csv.ts';
import { firstIdAt, idTime } from '../../kernel/ids.ts';
import type { Directory } from '../../model/directory.ts';
import { keyNameOf } from '../../model/directory.ts';
import { type LoggedCall, minuteMs } from '../../model/request-log.ts';
import { apiCallKept, unkeptCalls } from './request-log-shapes.ts';
import type { RequestSearch } from './store/items.ts';
import type { RequestLogStore } from './store/module.ts';

type LogStore = Pick<RequestLogStore, 'requests' | 'unkeptRequests'>;

/** People who manage keys also debug the programs that use them. */
export const readsCalls = 'manageKeys';

const prefix = 'req_';
/** A whole id, or its first characters, which hold the time. */
const cursorForm = /^req_[0-9A-HJKMNP-TV-Z]{10,26}$/;
const idStart = /^req_[0-9A-HJKMNP-TV-Z]{0,26}$/i;
const wholeId = 30;
const exportPage = 500;
const unkeptMax = 200;
const pathMax = 100;

const callsQuery = textQueries({
  q: 'A request id or its beginning, or a part of the path.',
  status: 'A status such as `400`, a class such as `4xx`, or `refused`.',
  reason: 'A reason code.',
  key: 'The id of a key pair.',
  since: 'At this time or later.',
  until: 'Before this time.',
  before: '`next` of the previous page.',
  limit: 'Entries of one page.',
});

export function requestLogRoutes({ store }: { store: LogStore }): PortalModule {
  return (routes, { clock, directory }) => {
    routes.add({
      method: 'GET',
      path: '/requests',
      access: readsCalls,
      query: callsQuery,
      answer: answers(
        object({
          calls: list(apiCallKept),
          unkept: list(unkeptCalls),
        }),
        'A page of calls, the newest first',
      ),
      work: async (call) => {
        const search = searchOf(call);
        if (typeof search === 'string') return rejection('INVALID_FIELD', search);
        const found = await store.requests({ ...search, limit: search.limit + 1 });
        const page = found.slice(0, search.limit);
        const more = found.length > search.limit;
        const unkept = await unkeptOf(search, more ? page.at(-1)!.at : null);
        const shown = {
          calls: page.map((one) => shownCall(directory(), one)),
          unkept: unkept.map(({ minute, calls }) => ({ minute: isoTime(minute), calls })),
        };
        return success(`${counted(page.length, 'call')}, newest first.`, shown, more ? page.at(-1)!.requestId : null);
      },
    });

    for (const format of ['csv', 'jsonl'] as const) {
      routes.add({
        method: 'GET',
        path: `/requests/export.${format}`,
        access: readsCalls,
        query: { ...callsQuery, ...exportQuery },
        answer: answersExport(format),
        work: async (call) => {
          const search = searchOf(call);
          if (typeof search === 'string') return rejection('INVALID_FIELD', search);
          return exported(call, { name: 'requests', format }, (out) => writeCalls(out, search, format, directory()));
        },
      });
    }

    /**
     * Counts of dropped calls for the minutes of a page. Each minute is on one page only: from the minute of the page's
     * last row up to the minute before the previous page.
     */
    async function unkeptOf(search: RequestSearch, oldest: EpochMs | null) {
      const { accountId, environment, before, after } = search;
      const end = timeOf(before);
      const to = end === null ? clock.now() : end - (end % minuteMs) - 1;
      return store.unkeptRequests({ accountId, environment, from: oldest ?? timeOf(after) ?? 0, to, limit: unkeptMax });
    }

    async function writeCalls(
      { stream, timeZone, gone }: ExportOut,
      search: RequestSearch,
      format: ExportFormat,
      known: Directory,
    ): Promise<void> {
      const local = localTimes(timeZone);
      const line = (one: LoggedCall): string =>
        format === 'csv'
          ? `${cells(one, keyNameOf(known, one.keyId), local).map(csvCell).join(',')}\r\n`
          : `${JSON.stringify(shownCall(known, one))}\n`;
      if (format === 'csv') stream.write(`\uFEFF${columns.map(csvCell).join(',')}\r\n`);
      let { before } = search;
      while (!gone()) {
        const page = await store.requests({ ...search, before, limit: exportPage });
        if (page.length > 0 && !stream.write(page.map(line).join(''))) await stream.drained();
        if (page.length < exportPage) break;
        before = page.at(-1)!.requestId;
      }
      stream.end();
    }
  };
}

const columns = [
  ...['Time (UTC)', 'Local time', 'Request id', 'Method', 'Path', 'Status', 'Reason', 'Detail', 'Key', 'Key id'],
  ...['IP', 'ms', 'Dry run', 'Body bytes', 'Body (redacted)'],
];

function cells(call: LoggedCall, keyName: string, local: (ms: number) => string): string[] {
  const { at, requestId, method, path, status, reason, detail, keyId, address, ms, dryRun, bodyBytes, body } = call;
  return [
    ...[isoTime(at), local(at), requestId, method, path, String(status), reason, detail, keyName, keyId],
    ...[address, String(ms), dryRun ? 'yes' : '', String(bodyBytes), body ?? ''],
  ];
}

/** The names show what is redacted: `body` would be message text. */
export function shownCall(directory: Directory, { accountId: _, at, address, body, ...call }: LoggedCall) {
  return { ...call, at: isoTime(at), keyName: keyNameOf(directory, call.keyId), ip: address, redacted: body };
}

type SearchCall = Pick<PortalCall, 'account' | 'environment'> & { query: QueryOf<typeof callsQuery> };

/** The search, or the sentence about its fault. */
function searchOf({ query: values, account, environment }: SearchCall): RequestSearch | string {
  const { q, reason, key } = values;
  const limit = pageLimit(values.limit);
  if (typeof limit === 'string') return limit;
  const status = statusesOf(values.status ?? '');
  if (status === null)
    return 'The query parameter status must be a status such as 400, a class such as 4xx, or refused.';
  if (q !== null && q.length > pathMax) return `The query parameter q may have ${pathMax} characters.`;
  if (values.before !== null && !cursorForm.test(values.before)) {
    return 'The query parameter before must be the next of a page.';
  }
  const span: Pick<RequestSearch, 'before' | 'after'> = { before: values.before, after: null };
  for (const name of ['since', 'until'] as const) {
    if (values[name] === null) continue;
    const at = Date.parse(values[name]);
    if (!/^\d{4}-\d\d-\d\dT/.test(values[name]) || !isOnCalendar(values[name]) || !(at >= 0))
      return `The query parameter ${name} must be a time in ISO 8601.`;
    narrow(span, name === 'since' ? { after: firstIdAt(prefix, at) } : { before: firstIdAt(prefix, at) });
  }
  const isId = q !== null && idStart.test(q);
  if (isId) {
    // All ids with this prefix sort after it, and `~` sorts after all of them.
    const start = `${prefix}${q.slice(prefix.length).toUpperCase()}`;
    narrow(span, { after: start.slice(0, wholeId - 1), before: `${start}~` });
  }
  return {
    accountId: account.accountId,
    environment,
    reason,
    keyId: key,
    limit,
    ...span,
    statusFrom: status[0],
    statusTo: status[1],
    path: isId ? null : q,
  };
}

/** The time in an id or in its first characters. */
const timeOf = (id: string | null): EpochMs | null => (id === null ? null : idTime(id.padEnd(wholeId, '0')));

function narrow(span: Pick<RequestSearch, 'before' | 'after'>, { before, after }: { before?: string; after?: string }) {
  if (before !== undefined && (span.before === null || before < span.before)) span.before = before;
  if (after !== undefined && (span.after === null || after > span.after)) span.after = after;
}

function statusesOf(text: string): [from: number, to: number] | null {
  if (text === '') return [0, 999];
  if (text === 'refused') return [400, 999];
  if (/^[1-5]xx$/.test(text)) return [Number(text[0]) * 100, Number(text[0]) * 100 + 99];
  return /^[1-5]\d\d$/.test(text) ? [Number(text), Number(text)] : null;
}
