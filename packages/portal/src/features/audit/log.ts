/** Pages of the audit log. */
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client';

export interface Entry {
  position: number;
  at: string;
  userId: string | null;
  who: string;
  what: string;
  target: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  ip: string | null;
  requestId: string | null;
}

export interface AuditPage {
  entries: Entry[];
  chain: { ok: boolean; rows: number; brokenAt?: number; since?: string | null };
  next: string | null;
  /** How far back it was searched without filling the page; null = it is full, or there is nothing older. */
  searchedTo: string | null;
}

/** '' in any of them: no filter. */
export interface AuditFilter {
  who?: string;
  /** An action, or the area it belongs to: `campaign`, `campaign.submitted`. */
  what?: string;
  /** The id of one record. */
  target?: string;
  /** An id anywhere in an entry. */
  about?: string;
  /** A text anywhere in an entry. */
  text?: string;
  before?: string;
}

/** Automatic further searches while nothing is found; after them the person decides. */
const looksMax = 10;

async function lookFor(filter: AuditFilter): Promise<AuditPage> {
  let before = filter.before;
  for (let look = 1; ; look++) {
    const { data, next = null } = await api.get('/audit', { query: { ...filter, before } });
    const goesOn = data.entries.length === 0 && data.searchedTo !== null && next !== null && look < looksMax;
    if (!goesOn) return { ...data, next };
    before = next;
  }
}

export function useAudit(filter: AuditFilter, enabled = true) {
  return useQuery({
    queryKey: ['audit', filter],
    enabled,
    queryFn: () => lookFor(filter),
  });
}
