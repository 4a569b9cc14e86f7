/** What is done with a running carrier: pausing it, logging its PDUs, switching it, sending what waits another way. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client';
import type { Carrier } from './carriers';

const pathOf = (carrierId: string) => `/carriers/${encodeURIComponent(carrierId)}`;

export function pauseCarrier({ carrierId }: Pick<Carrier, 'carrierId'>, paused: boolean) {
  return api.post(`${pathOf(carrierId)}/pause`, { paused });
}

export function switchCarrier({ carrierId, version }: Pick<Carrier, 'carrierId' | 'version'>, enabled: boolean) {
  return api.post(pathOf(carrierId), { record: { enabled }, version });
}

export function useCarrierActs(carrierId: string) {
  const client = useQueryClient();
  const onSuccess = () => client.invalidateQueries({ queryKey: ['carriers'] });
  const path = pathOf(carrierId);
  const pause = useMutation({ mutationFn: (paused: boolean) => pauseCarrier({ carrierId }, paused), onSuccess });
  const log = useMutation({ mutationFn: (minutes: number) => api.post(`${path}/log`, { minutes }), onSuccess });
  const retry = useMutation({ mutationFn: () => api.post(`${path}/retry`), onSuccess });
  return { pause, log, retry };
}

/** One act that a dialog asks about: the carriers are looked at again, and the dialog closes. */
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
