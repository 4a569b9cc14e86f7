/** `/audit`: who did what in the company, whether the chain of the log holds, and the same as a table. Changes nothing. */
import type { AuditEntry, ChainStatus } from '../../domain/people-audit.ts';
import type { AuditQuery } from '../../flow/people/audit-log.ts';
import { isoTime } from '../envelope.ts';
import { rejection, success } from '../exchange.ts';
import { pageLimit, valuesOnce } from '../list-query.ts';
import type { Query } from '../query.ts';
import type { RouteDeps } from '../server.ts';
import { csvTable } from './csv.ts';
import type { PortalRoutes } from './portal-guard.ts';
import type { PortalParts } from './portal-parts.ts';

/** Rows of one file; the header `X-Next` says where to go on. */
const exportRowsMax = 10_000;
const exportPage = 1_000;

export function auditRoutes(routes: PortalRoutes, _deps: RouteDeps, parts: PortalParts): void {
  const { audit } = parts.people;

  routes.get('/audit', 'readAudit', async ({ exchange, account }) => {
    const query = auditQuery(exchange.query);
    if (typeof query === 'string') return rejection('INVALID_FIELD', query);
    const [found, chain] = await Promise.all([
      audit.list(account.accountId, { ...query, limit: query.limit + 1 }),
      audit.chain(),
    ]);
    const page = found.slice(0, query.limit);
    const next = found.length > query.limit ? String(page[page.length - 1]!.position) : null;
    const state = chain.ok ? 'The chain holds.' : 'The log was altered.';
    const detail = `${page.length} entries, newest first. ${state}`;
    return success(detail, { entries: page.map(shownEntry), chain: shownChain(chain) }, next);
  });

  routes.get('/audit.csv', 'readAudit', async ({ exchange, account }) => {
    const query = auditQuery(exchange.query);
    if (typeof query === 'string') return rejection('INVALID_FIELD', query);
    const entries: AuditEntry[] = [];
    let { before } = query;
    let more = true;
    while (more && entries.length < exportRowsMax) {
      const page = await audit.list(account.accountId, { ...query, before, limit: exportPage });
      entries.push(...page);
      before = page.at(-1)?.position ?? before;
      more = page.length === exportPage;
    }
    return {
      status: 200,
      reason: 'SUCCESS',
      body: csvTable(columns, entries.map(cells)),
      contentType: 'text/csv; charset=utf-8',
      headers: [
        ...['Content-Disposition', 'attachment; filename="audit.csv"'],
        ...(more && before !== null ? ['X-Next', String(before)] : []),
      ],
    };
  });
}

function shownChain(chain: ChainStatus): object {
  return chain.ok ? { ...chain, since: chain.since === null ? null : isoTime(chain.since) } : chain;
}

const columns = ['position', 'at (UTC)', 'who', 'what', 'target', 'before', 'after', 'ip', 'request id'];

function cells(entry: AuditEntry): string[] {
  const { position, at, who, what, target, before, after, address, requestId } = entry;
  const json = (value: object | null): string => (value === null ? '' : JSON.stringify(value));
  return [String(position), isoTime(at), who, what, target, json(before), json(after), address ?? '', requestId ?? ''];
}

function shownEntry({
  position,
  at,
  userId,
  who,
  what,
  target,
  before,
  after,
  address,
  requestId,
}: AuditEntry): object {
  return { position, at: isoTime(at), userId, who, what, target, before, after, ip: address, requestId };
}

/** The query of the list, or the sentence that says what is wrong with it. */
function auditQuery(query: Query): AuditQuery | string {
  const values = valuesOnce(query, ['before', 'limit', 'who', 'what']);
  if (typeof values === 'string') return values;
  const { before, who, what } = values;
  if (before !== null && !/^[1-9][0-9]{0,14}$/.test(before)) {
    return 'The query parameter before must be the next of the page before.';
  }
  if (who !== null && !/^usr_[0-9A-Z]{26}$/.test(who)) return 'The query parameter who must be the id of a user.';
  const limit = pageLimit(values.limit);
  if (typeof limit === 'string') return limit;
  return { before: before === null ? null : Number(before), userId: who, what, limit };
}
