/**
 * Appends to and reads the audit log. Entries are chained by hash, and written in the transaction that they describe.
 */
import type { EpochMs } from '../../../kernel/clock.ts';
import type { AccountId } from '../../../kernel/ids.ts';
import type { AuditEntry } from '../../../model/people-audit.ts';
import { type AuditRow, auditBody, auditHash, type NewAuditEntry, readAuditRow } from '../../../model/people-audit.ts';
import { type Operation, run } from '../../../store/query.ts';
import { raise, selectCounter } from '../../../store/system/statements.ts';
import * as sql from '../statements/audit.ts';
import { patternOf } from './text-search.ts';

const auditCounter = 'audit_position';

const newestPosition = Number.MAX_SAFE_INTEGER;

export function* appendAudit(entry: NewAuditEntry): Operation<void> {
  const [raised] = yield* run(raise, [{ name: auditCounter }]);
  const position = raised!.value;
  const [previous] = yield* run(sql.selectAuditHash, [{ position: position - 1 }]);
  const body = auditBody(entry);
  const hash = auditHash(previous?.hash ?? '', position, body);
  const found = { account_id: entry.accountId, user_id: entry.userId ?? '', what: entry.what };
  yield* run(sql.insertAudit, [{ position, ...found, body, hash }]);
}

/** The number of entries that can be read within a few milliseconds. */
const auditLook = 5_000;

/**
 * Entries of a company, newest first, before a position; limited to a user, action and target if given. A filtered read
 * examines a bounded number of entries and reports how far it looked.
 */
export function* audit(query: AuditQuery): Operation<AuditPage> {
  const { accountId: account_id, userId, what, target, about, text, limit, look = auditLook } = query;
  const before = query.before ?? newestPosition;
  const isSearch = [userId, what, target, about, text].some((one) => one != null);
  const [edge] = isSearch ? yield* run(sql.selectAuditEdge, [{ account_id, before, look }]) : [];
  const params = {
    account_id,
    before,
    after: edge?.position ?? 0,
    user_id: userId,
    what,
    target: about ?? (target == null ? null : `"target":${JSON.stringify(target)},`),
    // In the JSON form used by the stored entry.
    text: text == null ? null : patternOf(JSON.stringify(text).slice(1, -1)),
    limit: limit + 1,
  };
  const found = (yield* run(sql.selectAudit, [params])).map(readAuditRow);
  const entries = found.slice(0, limit);
  if (found.length > limit) return { entries, next: entries.at(-1)!.position, searchedTo: null };
  if (edge === undefined) return { entries, next: null, searchedTo: null };
  return { entries, next: edge.position + 1, searchedTo: readAuditRow(edge).at };
}

/** Stored rows of all companies after a position, oldest first, for checking the chain. */
export function* auditRows({ after, limit }: { after: number; limit: number }): Operation<AuditRow[]> {
  return yield* run(sql.selectAuditRows, [{ after, limit }]);
}

/** Number of rows ever written, which is the position of the last one. */
export function* auditCount(): Operation<number> {
  const [found] = yield* run(selectCounter, [{ name: auditCounter }]);
  return found?.value ?? 0;
}

export interface AuditPage {
  /** Newest first. */
  entries: AuditEntry[];
  /** `before` of the next page; null when there is nothing older. */
  next: number | null;
  /** How far back it looked without filling the page; null when it looked everywhere, or the page is full. */
  searchedTo: EpochMs | null;
}

export interface AuditQuery {
  accountId: AccountId;
  before: number | null;
  userId: string | null;
  what: string | null;
  target?: string | null;
  /** An id that occurs anywhere in the entry; instead of `target`. */
  about?: string | null;
  /** Text that occurs anywhere in the entry; case-insensitive. */
  text?: string | null;
  limit: number;
  /** Entries examined by a filtered read; default 5,000. */
  look?: number;
}
