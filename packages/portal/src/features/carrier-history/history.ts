/** Calls of the operator's board: all carriers over a time, one of them bar by bar, and the alerts about it. */
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useCalmly } from '../../api/calm';
import { api } from '../../api/client';
import type { CarrierBoard } from '../../api/routes/carrier-history';
import { useUrlText } from '../../ui/url';

export type Range = CarrierBoard['range'];
export const ranges: readonly Range[] = ['1h', '6h', '24h', '7d', '30d'];

/** A minute is written when it is over. */
const refreshMs = 20_000;
/** Of the alerts about a carrier, the newest. */
const alertsShown = 20;

/** The range is in the address, on the board and on the page of a carrier. */
export function useRange(): [Range, (range: Range) => void] {
  const [asked, choose] = useUrlText('range');
  return [ranges.find((one) => one === asked) ?? '24h', (range) => choose(range === '24h' ? '' : range)];
}

export function useBoard(range: Range) {
  const queryKey = ['carrier-history', range] as const;
  useCalmly(queryKey);
  return useQuery({
    queryKey,
    queryFn: async () => (await api.get('/carrier-history', { query: { range } })).data,
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  });
}

function historyQuery(carrierId: string, range: Range) {
  return {
    queryKey: ['carrier-history', range, carrierId],
    queryFn: async () => (await api.get('/carrier-history/:carrierId', { carrierId, query: { range } })).data,
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  } as const;
}

export function useHistoryOf(carrierId: string, range: Range) {
  return useQuery(historyQuery(carrierId, range));
}

export function useHistories(carrierIds: readonly string[], range: Range) {
  return useQueries({ queries: carrierIds.map((carrierId) => historyQuery(carrierId, range)) });
}

/** That fired about a carrier, the newest first. */
export function useAlertsOf(carrierId: string) {
  return useQuery({
    queryKey: ['alerts', 'history', 'of', carrierId],
    queryFn: async () =>
      (await api.get('/alerts/history', { query: { subject: carrierId, limit: String(alertsShown) } })).data,
    refetchInterval: refreshMs,
  });
}
