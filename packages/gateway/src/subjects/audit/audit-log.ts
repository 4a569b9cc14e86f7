/**
 * Reads the audit log and verifies its hash chain. Verification reads every entry, because an old one may have been
 * altered, so it runs at most once a minute.
 */
import type { Clock } from '../../kernel/clock.ts';
import type { AccountId } from '../../kernel/ids.ts';
import type { AuditStore } from '../../messaging/store/modules/audit.ts';
import { type ChainLink, type ChainStatus, chainStart, followChain, readAuditRow } from '../../model/people-audit.ts';

export interface AuditQuery {
  before: number | null;
  userId: string | null;
  what: string | null;
  target: string | null;
  /** An id that occurs anywhere in an entry; used in place of `target`. */
  about: string | null;
  /** Text that occurs anywhere in an entry. */
  text: string | null;
  limit: number;
}

/** Entries of one company, newest first, and how far back the search went. */
export type AuditPage = Awaited<ReturnType<AuditStore['audit']>>;

export interface AuditLog {
  list(accountId: AccountId, query: AuditQuery): Promise<AuditPage>;
  /** The chain of the log of all companies. */
  chain(): Promise<ChainStatus>;
}

const pageRows = 1_000;
const keptMs = 60_000;

export function createAuditLog({ store, clock }: { store: AuditStore; clock: Clock }): AuditLog {
  let known: { status: Promise<ChainStatus>; atMs: number } | null = null;

  async function follow(): Promise<ChainStatus> {
    // Count first: rows written meanwhile must not look like missing ones.
    const rows = await store.auditCount();
    let link: ChainLink = chainStart;
    let since: number | null = null;
    for (;;) {
      const page = await store.auditRows({ after: link.position, limit: pageRows });
      const next = followChain(link, page);
      if ('brokenAt' in next) return { ok: false, rows, brokenAt: next.brokenAt };
      link = next;
      if (since === null && page[0] !== undefined) since = readAuditRow(page[0]).at;
      if (page.length < pageRows) break;
    }
    return link.position >= rows ? { ok: true, rows, since } : { ok: false, rows, brokenAt: link.position + 1 };
  }

  return {
    list: (accountId, query) => store.audit({ accountId, ...query }),
    async chain() {
      const now = clock.monotonicMs();
      if (known === null || now - known.atMs >= keptMs) {
        known = { status: follow(), atMs: now };
        known.status.catch(() => {
          known = null;
        });
      }
      return known.status;
    },
  };
}
