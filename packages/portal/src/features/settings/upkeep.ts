/** The gateway itself: versions, health, backups. */

import { useQuery } from '@tanstack/react-query';
import { answered, api, reached } from '../../api/client';
import { patienceMs } from '../../api/patience';
import type { HealthFinding } from '../../api/routes/health';

export function useAbout() {
  return useQuery({ queryKey: ['about'], queryFn: async () => (await api.get('/about')).data });
}

const skewMsMax = 5_000;

/** The difference between the gateway's clock and this browser's, in whole seconds; 0 while it does not matter. */
export function clockSkewSeconds(gatewayNow: string, requestedAt: number, answeredAt: number): number {
  const at = Date.parse(gatewayNow);
  const skewMs = at < requestedAt ? requestedAt - at : Math.max(0, at - answeredAt);
  return skewMs > skewMsMax ? Math.round(skewMs / 1_000) : 0;
}

export interface Health {
  findings: HealthFinding[];
  /** Seconds between the clocks; 0 when they agree. */
  skewSeconds: number;
  at: string;
}

/** Checks the machine again on each call. */
export function useHealth(enabled: boolean) {
  return useQuery({
    queryKey: ['health'],
    enabled,
    queryFn: async (): Promise<Health> => {
      const requestedAt = Date.now();
      const { machine } = (await api.get('/about')).data;
      const skewSeconds = machine === null ? 0 : clockSkewSeconds(machine.now, requestedAt, Date.now());
      return { findings: (await api.get('/health')).data, skewSeconds, at: new Date().toISOString() };
    },
  });
}

const runningMs = 1_000;

export function useBackups() {
  return useQuery({
    queryKey: ['backups'],
    queryFn: async () => (await api.get('/backups')).data,
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && data.folder !== null && data.runningSince !== null ? runningMs : false,
  });
}

/** A shipped package, and the index of its licence among the texts. */
export interface Shipped {
  name: string;
  version: string;
  licence: string;
  text: number | null;
}

export interface Licences {
  packages: Shipped[];
  texts: string[];
}

/** A file of the portal, created by its build. */
export function useLicences(enabled: boolean) {
  return useQuery({
    queryKey: ['licences'],
    enabled,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    queryFn: (): Promise<Licences> =>
      answered({ method: 'GET', path: '/licences.json', ms: patienceMs.read }, async (signal) => {
        const answer = await reached(fetch('/licences.json', { signal }));
        if (!answer.ok) throw new Error('there is no list of licences');
        return answer.json();
      }),
  });
}
