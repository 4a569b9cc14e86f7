/** Actions on a running carrier: pausing it, logging its PDUs, switching it, rerouting its queue. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client';
import type { CarrierShown } from '../../api/routes/carriers';

export function pauseCarrier({ carrierId }: Pick<CarrierShown, 'carrierId'>, paused: boolean) {
  return api.post('/carriers/:carrierId/pause', { paused }, { carrierId });
}

export function switchCarrier({ carrierId, version }: Pick<CarrierShown, 'carrierId' | 'version'>, enabled: boolean) {
  return api.post('/carriers/:carrierId', { record: { enabled }, version }, { carrierId });
}

export function useCarrierActs(carrierId: string) {
  const client = useQueryClient();
  const onSuccess = () => client.invalidateQueries({ queryKey: ['carriers'] });
  const pause = useMutation({ mutationFn: (paused: boolean) => pauseCarrier({ carrierId }, paused), onSuccess });
  const log = useMutation({
    mutationFn: (minutes: number) => api.post('/carriers/:carrierId/log', { minutes }, { carrierId }),
    onSuccess,
  });
  const retry = useMutation({ mutationFn: () => api.post('/carriers/:carrierId/retry', {}, { carrierId }), onSuccess });
  return { pause, log, retry };
}

/** One action that a dialog confirms: carriers are refetched, and the dialog closes. */
export function useCarrierAct(act: () => Promise<unknown>, onDone?: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['carriers'] });
      onDone?.();
    },
  });
}
