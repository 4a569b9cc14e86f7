/** What the company used, as the gateway counts it. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type Answer, api } from '../../api/client';
import { useMe } from '../../api/session';
import { type Cell, csvText } from '../../ui/csv';
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
    queryFn: async () => (await api.get('/usage', { query: { ...days, groupBy: 'day' } })).data,
  });
}

export function useGroups(days: Days, by: By) {
  const { environment } = useMe();
  return useInfiniteQuery({
    queryKey: ['usage', environment, by, days.from, days.to, 'pages'],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam: after }) => api.get('/usage', { query: { ...days, groupBy: by, limit: pageSize, after } }),
    getNextPageParam: ({ next }) => next ?? null,
  });
}

/** SMS and MMS apart, each at its own price. */
export function useKinds(days: Days) {
  const { environment } = useMe();
  return useQuery({
    queryKey: ['usage', environment, 'kind', days.from, days.to],
    queryFn: async () => (await api.get('/usage', { query: { ...days, groupBy: 'kind' } })).data.groups,
  });
}

const exportPage = 1_000;

/** Every group, also those that no page shows yet, as CSV. */
export async function groupsCsv(days: Days, by: By): Promise<string> {
  const lines: Cell[][] = [
    [by, 'sms_messages', 'sms_segments', 'mms_messages', 'cost', 'currency', 'unpriced_messages'],
  ];
  let after: string | null = null;
  do {
    const { data, next }: Answer<Report> = await api.get('/usage', {
      query: { ...days, groupBy: by, limit: exportPage, after },
    });
    for (const { name, smsMessages, smsSegments, mmsMessages, cost, unpricedMessages } of data.groups) {
      lines.push([name, smsMessages, smsSegments, mmsMessages, cost, data.currency, unpricedMessages]);
    }
    after = next ?? null;
  } while (after !== null);
  return csvText(lines);
}
