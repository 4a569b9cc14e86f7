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

/** Read within a few milliseconds. */
const auditLook = 5_000;

/**
 * Entries of a company, newest first, before a position; by user, action and target where these are named. Where it
 * looks for some of them, it looks at a bounded number and says how far it looked.
 */
export function* audit(query: AuditQuery): Operation<AuditPage> {
  const { accountId: account_id, userId, what, target, about, text, limit, look = auditLook } = query;
  const before = query.before ?? newestPosition;
  const isSearch = [userId, what, target, about, text].some((one) => one != null);
  const [edge] = isSearch ? yield* run(sql.selectAuditEdge, [{ account_id, before, look }]) : [];
  const asked = {
    account_id,
    before,
    after: edge?.position ?? 0,
    user_id: userId,
    what,
    target: about ?? (target == null ? null : `"target":${JSON.stringify(target)},`),
    // In the form that the entry, which is JSON, has it.
    text: text == null ? null : patternOf(JSON.stringify(text).slice(1, -1)),
    limit: limit + 1,
  };
  const found = (yield* run(sql.selectAudit, [asked])).map(readAuditRow);
  const entries = found.slice(0, limit);
  if (found.length > limit) return { entries, next: entries.at(-1)!.position, searchedTo: null };
  if (edge === undefined) return { entries, next: null, searchedTo: null };
  return { entries, next: edge.position + 1, searchedTo: readAuditRow(edge).at };
}

/** Stored rows of all companies after a position, oldest first, for checking the chain. */
export function* auditRows({ after, limit }: { after: number; limit: number }): Operation<AuditRow[]> {
  return yield* run(sql.selectAuditRows, [{ after, limit }]);
}

/** How many rows were ever written; the position of the last. */
export function* auditCount(): Operation<number> {
  const [found] = yield* run(selectCounter, [{ name: auditCounter }]);
  return found?.value ?? 0;
}

export interface AuditPage {
  /** Newest first. */
  entries: AuditEntry[];
  /** `before` of the next page; null when there is nothing older. */
  next: number | null;
  /** How far it looked without filling the page; null when it looked everywhere, or the page is full. */
  searchedTo: EpochMs | null;
}

export interface AuditQuery {
  accountId: AccountId;
  before: number | null;
  userId: string | null;
  what: string | null;
  target?: string | null;
  /** An id that is named anywhere in it; in place of `target`. */
  about?: string | null;
  /** What stands anywhere in it; small and capital letters alike. */
  text?: string | null;
  limit: number;
  /** Entries looked through for some of them; 5,000 when left out. */
  look?: number;
}
