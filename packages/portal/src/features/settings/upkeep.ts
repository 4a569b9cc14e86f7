/** The gateway itself as it tells of it: what runs, whether it is well, its backups. */
import { useQuery } from '@tanstack/react-query';
import { answered, api, reached } from '../../api/client';
import { patienceMs } from '../../api/patience';

export interface Finding {
  what: string;
  ok: boolean;
  detail: string;
  fix: string | null;
}

export interface About {
  version: string;
  build: string | null;
  node: string;
  store: { engine: 'sqlite' | 'postgres'; engineVersion: string; schemaVersion: number };
  /** Null for whoever is no operator. */
  machine: { platform: string; bytes: number; startedAt: string; now: string } | null;
}

export interface Backup {
  name: string;
  at: string;
  bytes: number;
}

/** `folder` null: the store is no file of the gateway, and the rest is not there. */
export type Backups = { engine: 'sqlite' | 'postgres'; bytes: number } & (
  | { folder: null }
  | {
      folder: string;
      backups: Backup[];
      runningSince: string | null;
      failed: { at: string; detail: string } | null;
    }
);

export function useAbout() {
  return useQuery({ queryKey: ['about'], queryFn: async () => (await api.get<About>('/about')).data });
}

const skewMsMax = 5_000;

/** How far the gateway's clock is from this browser's, in whole seconds; 0 while it does not matter. */
export function clockSkewSeconds(gatewayNow: string, askedAt: number, answeredAt: number): number {
  const at = Date.parse(gatewayNow);
  const skewMs = at < askedAt ? askedAt - at : Math.max(0, at - answeredAt);
  return skewMs > skewMsMax ? Math.round(skewMs / 1_000) : 0;
}

export interface Health {
  findings: Finding[];
  /** Seconds between the clocks; 0 when they agree. */
  skewSeconds: number;
  at: string;
}

/** Looks at the machine anew each time it is asked. */
export function useHealth(enabled: boolean) {
  return useQuery({
    queryKey: ['health'],
    enabled,
    queryFn: async (): Promise<Health> => {
      const askedAt = Date.now();
      const { machine } = (await api.get<About>('/about')).data;
      const skewSeconds = machine === null ? 0 : clockSkewSeconds(machine.now, askedAt, Date.now());
      return { findings: (await api.get<Finding[]>('/health')).data, skewSeconds, at: new Date().toISOString() };
    },
  });
}

const runningMs = 1_000;

export function useBackups() {
  return useQuery({
    queryKey: ['backups'],
    queryFn: async () => (await api.get<Backups>('/backups')).data,
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && data.folder !== null && data.runningSince !== null ? runningMs : false,
  });
}

/** One package that is shipped, and where its licence stands among the texts. */
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

/** A file of the portal itself, made when it was built. */
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
