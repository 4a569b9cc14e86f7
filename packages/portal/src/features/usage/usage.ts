/** The company's usage and the outcomes of its messages, as counted by the gateway. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type Answer, api } from '../../api/client';
import type { Usage } from '../../api/routes/usage';
import { useMe } from '../../api/session';
import { type Cell, csvText } from '../../ui/csv';
import { outcomesOf } from './figures';
import { dimensionOf, type Filter, type Grouping, personPrefix } from './filter';
import type { Days } from './periods';

/** The days and filters of the page. */
export interface Range {
  days: Days;
  filter: Filter;
}

const pageSize = 100;

/** The days of the period, and as many before it to compare with. */
export function useDays({ days, filter }: Range) {
  const { environment } = useMe();
  return useQuery({
    queryKey: ['usage', environment, 'day', days.from, days.to, filter],
    queryFn: async () =>
      (await api.get('/usage', { query: { ...days, ...filter, groupBy: 'day', compare: 'before' } })).data,
  });
}

export function useOutcomes({ days, filter }: Range, by: Grouping) {
  const { environment } = useMe();
  const groupBy = dimensionOf(by);
  return useQuery({
    queryKey: ['usage', environment, 'outcomes', groupBy, days.from, days.to, filter],
    queryFn: async () => (await api.get('/usage/outcomes', { query: { ...days, ...filter, groupBy } })).data,
  });
}

export function useGroups({ days, filter }: Range, by: Grouping) {
  const { environment } = useMe();
  return useInfiniteQuery({
    queryKey: ['usage', environment, by, days.from, days.to, filter, 'pages'],
    initialPageParam: firstOf(by),
    queryFn: ({ pageParam: after }) =>
      api.get('/usage', {
        query: { ...days, ...filter, groupBy: dimensionOf(by), compare: 'before', limit: pageSize, after },
      }),
    getNextPageParam: ({ next }) => nextOf(by, next ?? null),
  });
}

/** People's keys are adjacent among the names of keys. */
function firstOf(by: Grouping): string | null {
  return by === 'person' ? personPrefix : null;
}

function nextOf(by: Grouping, next: string | null): string | null {
  return by === 'person' && next !== null && !next.startsWith(personPrefix) ? null : next;
}

/** The groups of the table: people are not listed among the keys. */
export function groupsOf(by: Grouping, groups: Usage['groups']): Usage['groups'] {
  if (by === 'person') return groups.filter(({ name }) => name.startsWith(personPrefix));
  return by === 'key' ? groups.filter(({ name }) => !name.startsWith(personPrefix)) : groups;
}

const exportPage = 1_000;
const outcomeHeads = ['delivered', 'failed', 'without_outcome'];

/** Every group, including those on further pages, as CSV. Outcomes are left out if not every message was read. */
export async function groupsCsv({ days, filter }: Range, by: Grouping): Promise<string> {
  const lines: Cell[][] = [
    [
      ...[by, 'messages_before', 'sms_messages', 'sms_segments', 'mms_messages', 'cost', 'currency'],
      ...['unpriced_messages', ...outcomeHeads],
    ],
  ];
  const query = { ...days, ...filter, groupBy: dimensionOf(by) };
  const { data: outcomes } = await api.get('/usage/outcomes', { query });
  let after = firstOf(by);
  do {
    const { data, next }: Answer<Usage> = await api.get('/usage', {
      query: { ...query, compare: 'before', limit: exportPage, after },
    });
    const groups = groupsOf(by, data.groups);
    const counted = outcomesOf(
      groups.map(({ name }) => name),
      outcomes.groups,
    );
    for (const [
      i,
      { name, before, smsMessages, smsSegments, mmsMessages, cost, unpricedMessages },
    ] of groups.entries()) {
      const { delivered, failed, waiting } = counted[i]!;
      lines.push([
        ...[name, (before?.smsMessages ?? 0) + (before?.mmsMessages ?? 0), smsMessages, smsSegments, mmsMessages],
        ...[cost, data.currency, unpricedMessages],
        ...(outcomes.whole ? [delivered, failed, waiting] : [null, null, null]),
      ]);
    }
    after = nextOf(by, next ?? null);
  } while (after !== null);
  return csvText(lines);
}
