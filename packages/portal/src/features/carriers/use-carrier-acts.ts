/** What is done with a running carrier: pausing it, logging its PDUs. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client';

export function useCarrierActs(carrierId: string) {
  const client = useQueryClient();
  const onSuccess = () => client.invalidateQueries({ queryKey: ['carriers'] });
  const path = `/carriers/${encodeURIComponent(carrierId)}`;
  const pause = useMutation({ mutationFn: (paused: boolean) => api.post(`${path}/pause`, { paused }), onSuccess });
  const log = useMutation({ mutationFn: (minutes: number) => api.post(`${path}/log`, { minutes }), onSuccess });
  const retry = useMutation({ mutationFn: () => api.post(`${path}/retry`), onSuccess });
  return { pause, log, retry };
}
