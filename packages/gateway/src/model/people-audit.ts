/**
 * Audit log entries, chained by hash so that a changed, missing or added one is detected. Pure. `withoutSecrets`
 * removes secrets from its input.
 */
import { hash } from 'node:crypto';
import type { EpochMs } from '../kernel/clock.ts';
import type { AccountId, RequestId } from '../kernel/ids.ts';

export interface NewAuditEntry {
  at: EpochMs;
  /** The company in which it happened. */
  accountId: AccountId;
  /** Null: the machine's command line, the gateway itself, or an unknown person. */
  userId: string | null;
  /** For people: an e-mail address, `command line` or `the gateway`. */
  who: string;
  /** Dotted words, such as `user.invited`. */
  what: string;
  target: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  address: string | null;
  requestId: RequestId | null;
}

export interface AuditEntry extends NewAuditEntry {
  position: number;
}

/** A stored row: `body` is the entry as JSON, the columns are for searching. */
export interface AuditRow {
  position: number;
  account_id: string;
  user_id: string;
  what: string;
  body: string;
  hash: string;
}

/** SHA-256 of the hash of the row before ('' for the first), the position and the entry; lower-case hex. */
export function auditHash(previous: string, position: number, body: string): string {
  return hash('sha256', `${previous}\n${position}\n${body}`, 'hex');
}

export function auditBody(entry: NewAuditEntry): string {
  const { before, after, ...rest } = entry;
  return JSON.stringify({ ...rest, before: withoutSecrets(before), after: withoutSecrets(after) });
}

export function readAuditRow(row: AuditRow): AuditEntry {
  return { position: row.position, ...(JSON.parse(row.body) as NewAuditEntry) };
}

/** Names of fields whose values are never stored. */
const secretField = /password|secret|token|hash|cookie|recovery|privatekey|clientkey|header/i;

function withoutSecrets(fields: Record<string, unknown> | null): Record<string, unknown> | null {
  return fields === null ? null : (JSON.parse(JSON.stringify(fields, cutSecret)) as Record<string, unknown>);
}

function cutSecret(name: string, value: unknown): unknown {
  const shown = value === null || typeof value === 'boolean' || typeof value === 'number';
  return secretField.test(name) && !shown ? '[secret]' : value;
}

/** How far a chain is intact: from the first row to the last, or up to the position of a fault. */
export type ChainStatus =
  | { ok: true; rows: number; since: EpochMs | null }
  | { ok: false; rows: number; brokenAt: number };

export interface ChainLink {
  /** The last checked position and its hash. */
  position: number;
  hash: string;
}

export const chainStart: ChainLink = { position: 0, hash: '' };

/**
 * Checks the next rows, starting from `link`; returns the new link, or the position of the first row that does not fit.
 */
export function followChain(link: ChainLink, rows: readonly AuditRow[]): ChainLink | { brokenAt: number } {
  let { position, hash } = link;
  for (const row of rows) {
    position += 1;
    if (row.position !== position || row.hash !== auditHash(hash, position, row.body) || !columnsFit(row)) {
      return { brokenAt: position };
    }
    hash = row.hash;
  }
  return { position, hash };
}

function columnsFit(row: AuditRow): boolean {
  try {
    const entry = JSON.parse(row.body) as NewAuditEntry;
    return entry.accountId === row.account_id && (entry.userId ?? '') === row.user_id && entry.what === row.what;
  } catch {
    return false;
  }
}
