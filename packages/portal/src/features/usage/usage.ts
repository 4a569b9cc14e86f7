/** What the company used, as the gateway counts it. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { api, query } from '../../api/client';
import { useMe } from '../../api/session';
import type { Days, Figures, Group } from './periods';

export type By = 'day' | 'number' | 'campaign' | 'country' | 'carrier' | 'kind' | 'key';

export interface Report extends Days {
  groupBy: By;
  currency: string | null;
  total: Figures;
  groups: Group[];
}

const pageSize = 100;

/** All days of the period. */
export function useDays(days: Days, enabled = true) {
  const { environment } = useMe();
  return useQuery({
    queryKey: ['usage', environment, 'day', days.from, days.to],
    enabled,
    queryFn: async () => (await api.get<Report>(`/usage${query({ ...days, groupBy: 'day' })}`)).data,
  });
}

export function useGroups(days: Days, by: By) {
  const { environment } = useMe();
  return useInfiniteQuery({
    queryKey: ['usage', environment, by, days.from, days.to, 'pages'],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam: after }) =>
      api.get<Report>(`/usage${query({ ...days, groupBy: by, limit: pageSize, after })}`),
    getNextPageParam: ({ next }) => next ?? null,
  });
}
