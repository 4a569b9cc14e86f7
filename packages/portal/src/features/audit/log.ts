/** Pages of the audit log. */
import { useQuery } from '@tanstack/react-query';
import { api, query } from '../../api/client';

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
}

/** '' in any of them: not filtered by it. */
export interface AuditFilter {
  who?: string;
  /** An action, or the area it belongs to: `campaign`, `campaign.submitted`. */
  what?: string;
  /** The id of one record. */
  target?: string;
  /** An id that is named anywhere in an entry. */
  about?: string;
  /** What stands anywhere in an entry. */
  text?: string;
  before?: string;
}

export function useAudit(filter: AuditFilter, enabled = true) {
  return useQuery({
    queryKey: ['audit', filter],
    enabled,
    queryFn: async (): Promise<AuditPage> => {
      const answer = await api.get<Omit<AuditPage, 'next'>>(`/audit${query({ ...filter })}`);
      return { ...answer.data, next: answer.next ?? null };
    },
  });
}
