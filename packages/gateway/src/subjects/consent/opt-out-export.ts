/**
 * `GET /opt-outs/export.csv`: the opt-out list for spreadsheets, written page by page. Numbers appear grouped and as
 * digits, times in UTC and in local time. The import reads this file.
 */
import { isoTime } from '../../http/envelope.ts';
import { answersExport, type ExportOut, exported, exportQuery, localTimes } from '../../http/portal/export-stream.ts';
import type { PortalModule } from '../../http/portal/portal.ts';
import { csvCell } from '../../kernel/csv.ts';
import type { Consent } from '../../messaging/consent/consent.ts';
import type { OptOut } from '../../messaging/store/items.ts';
import { spaced } from '../message-log/message-export.ts';

const exportLimits = { rows: 500_000, page: 500 } as const;

const columns = ['contact', 'contact_digits', 'scope', 'how', 'at', 'at_local', 'reason', 'evidenceMessageId'];

export function optOutExportRoutes({ consent }: { consent: Pick<Consent, 'list'> }): PortalModule {
  return (routes) => {
    routes.add({
      method: 'GET',
      path: '/opt-outs/export.csv',
      access: 'read',
      query: exportQuery,
      answer: answersExport('csv'),
      work: (call) => {
        const owner = { accountId: call.account.accountId, environment: call.environment };
        return exported(call, { name: 'opt-outs', format: 'csv' }, (out) => writeOptOuts(out, consent, owner));
      },
    });
  };
}

/** Writes until the end, until the client is gone, or up to the limit. */
async function writeOptOuts(
  { stream, timeZone, gone }: ExportOut,
  consent: Pick<Consent, 'list'>,
  owner: Parameters<Consent['list']>[0],
): Promise<void> {
  const local = localTimes(timeZone);
  stream.write(`\uFEFF${columns.join(',')}\r\n`);
  let after: Parameters<Consent['list']>[1]['after'] = null;
  for (let rows = 0; rows < exportLimits.rows && !gone(); ) {
    const { entries, next } = await consent.list(owner, {
      scope: null,
      contact: null,
      after,
      limit: exportLimits.page,
    });
    rows += entries.length;
    const lines = entries.map((entry) => `${cellsOf(entry, local).map(csvCell).join(',')}\r\n`).join('');
    if (lines !== '' && !stream.write(lines)) await stream.drained();
    if (next === null) break;
    after = next;
  }
  stream.end();
}

function cellsOf({ contact, scope, how, at, reason, evidenceMessageId }: OptOut, local: (ms: number) => string) {
  return [spaced(contact), contact, scope, how, isoTime(at), local(at), reason, evidenceMessageId ?? ''];
}
