/** Questions before a carrier stops taking messages: each says how many wait and what becomes of them. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client';
import { Button } from '../../ui/Button';
import { Dialog, DialogActions } from '../../ui/Dialog';
import { FormFault } from '../../ui/States';
import { carrierWords } from '../../words/en/carriers';
import type { Carrier } from './carriers';

export function PauseDialog({ of, onClose, go }: { of: Carrier; onClose(): void; go(): Promise<unknown> }) {
  const words = carrierWords.pauseDialog;
  const send = useMutation({ mutationFn: go, onSuccess: onClose });
  return (
    <Dialog title={words.title(of.name)} open onClose={onClose} urgent>
      <FormFault error={send.error} />
      <p>{words.consequence(of.queue.waiting)}</p>
      <DialogActions>
        <Button onPress={onClose}>{carrierWords.cancel}</Button>
        <Button look="danger" onPress={() => send.mutate()} isPending={send.isPending}>
          {words.go}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

export function SwitchOffDialog({ of, onClose }: { of: Carrier; onClose(): void }) {
  const words = carrierWords.switchDialog;
  const client = useQueryClient();
  const send = useMutation({
    mutationFn: () => api.post(`/carriers/${of.carrierId}`, { record: { enabled: false }, version: of.version }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['carriers'] });
      onClose();
    },
  });
  return (
    <Dialog title={words.title(of.name)} open onClose={onClose} urgent>
      <FormFault error={send.error} />
      <p>{words.consequence(of.queue.waiting)}</p>
      <DialogActions>
        <Button onPress={onClose}>{carrierWords.cancel}</Button>
        <Button look="danger" onPress={() => send.mutate()} isPending={send.isPending}>
          {words.go}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
