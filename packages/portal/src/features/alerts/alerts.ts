/** Calls of the page of alerts. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client';
import type { AlertRule } from '../../api/routes/alerts';

export type Kind = AlertRule['kind'];

/** The gateway itself looks every five seconds. */
const lookEveryMs = 10_000;

export function useAlerts() {
  return useQuery({
    queryKey: ['alerts', 'now'],
    queryFn: async () => (await api.get('/alerts')).data,
    refetchInterval: lookEveryMs,
  });
}

/** '' = from the newest. */
export function useHistory(before: string) {
  return useQuery({
    queryKey: ['alerts', 'history', before],
    queryFn: async () => {
      const { data, next } = await api.get('/alerts/history', { query: { before, limit: '50' } });
      return { alerts: data, next: next ?? null };
    },
    refetchInterval: before === '' ? lookEveryMs : false,
  });
}

function useChange<V>(change: (value: V) => Promise<unknown>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSettled: () => client.invalidateQueries({ queryKey: ['alerts'] }),
  });
}

export function useSaveRule(kind: Kind) {
  return useChange((rule: { limit: number; forSeconds: number; enabled: boolean; version: string }) => {
    const { version, ...record } = rule;
    return api.post('/alerts/rules/:kind', { record, version }, { kind });
  });
}

export function useSilence() {
  return useChange((silence: { kind: Kind | null; subject: string | null; minutes: number }) =>
    api.post('/alerts/silences', silence),
  );
}

export function useEndSilence() {
  return useChange((silenceId: string) => api.delete('/alerts/silences/:silenceId', { silenceId }));
}

export function useTestMail() {
  return useMutation({ mutationFn: () => api.post('/alerts/test-mail', {}) });
}
