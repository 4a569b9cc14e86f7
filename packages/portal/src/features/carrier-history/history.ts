/** Calls of the operator's board: all carriers over a period, one of them bar by bar, and its alerts. */
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { api } from '../../api/client';
import type { CarrierBoard } from '../../api/routes/carrier-history';
import { useUrlText } from '../../ui/url';

export type Range = CarrierBoard['range'];
export const ranges: readonly Range[] = ['1h', '6h', '24h', '7d', '30d'];

/** A minute is stored when it is over. A long period changes little with it, and adding it up is expensive. */
const refreshMs: Readonly<Record<Range, number>> = {
  ...{ '1h': 30_000, '6h': 60_000, '24h': 60_000, '7d': 300_000, '30d': 300_000 },
};
/** The gateway checks every five seconds. */
const alertsEveryMs = 20_000;
/** The newest alerts about a carrier. */
const alertsShown = 20;

/** The range is in the address, on the board and on the page of a carrier. */
export function useRange(): [Range, (range: Range) => void] {
  const [param, choose] = useUrlText('range');
  return [ranges.find((one) => one === param) ?? '24h', (range) => choose(range === '24h' ? '' : range)];
}

export function useBoard(range: Range) {
  return useQuery({
    queryKey: ['carrier-history', range],
    queryFn: async () => (await api.get('/carrier-history', { query: { range } })).data,
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs[range],
  });
}

function historyQuery(carrierId: string, range: Range) {
  return {
    queryKey: ['carrier-history', range, carrierId],
    queryFn: async () => (await api.get('/carrier-history/:carrierId', { carrierId, query: { range } })).data,
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs[range],
  } as const;
}

export function useHistoryOf(carrierId: string, range: Range) {
  return useQuery(historyQuery(carrierId, range));
}

export function useHistories(carrierIds: readonly string[], range: Range) {
  return useQueries({ queries: carrierIds.map((carrierId) => historyQuery(carrierId, range)) });
}

/** Alerts that fired about a carrier, newest first. */
export function useAlertsOf(carrierId: string) {
  return useQuery({
    queryKey: ['alerts', 'history', 'of', carrierId],
    queryFn: async () =>
      (await api.get('/alerts/history', { query: { subject: carrierId, limit: String(alertsShown) } })).data,
    refetchInterval: alertsEveryMs,
  });
}
