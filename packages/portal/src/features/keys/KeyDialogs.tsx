/** Rotating and revoking a key pair: each explains the consequences first. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client';
import type { KeyPair, NewPair } from '../../api/routes/keys';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Dialog, DialogActions } from '../../ui/Dialog';
import { RotateDialog } from '../../ui/RotateDialog';
import { FormFault } from '../../ui/States';
import { Time } from '../../ui/Values';

const keyLabels = labelsOf('key');

export function RotateKeyDialog({
  of,
  onClose,
  onMade,
}: {
  of: KeyPair;
  onClose(): void;
  onMade(pair: NewPair): void;
}) {
  const labels = keyLabels.rotateDialog;
  const client = useQueryClient();
  return (
    <RotateDialog
      title={labels.title(of.name)}
      labels={labels}
      cancel={keyLabels.cancel}
      rotate={async (overlapHours) =>
        (await api.post('/keys/:keyId/rotate', { overlapHours }, { keyId: of.keyId })).data
      }
      onClose={onClose}
      onRotated={(pair) => {
        void client.invalidateQueries({ queryKey: ['keys'] });
        onMade(pair);
      }}
    />
  );
}

export function RevokeDialog({ of, onClose }: { of: KeyPair; onClose(): void }) {
  const labels = keyLabels.revokeDialog;
  const client = useQueryClient();
  const send = useMutation({
    mutationFn: () => api.post('/keys/:keyId/revoke', {}, { keyId: of.keyId }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['keys'] });
      onClose();
    },
  });
  return (
    <Dialog title={labels.title(of.name)} open onClose={onClose} urgent>
      <FormFault error={send.error} />
      <p>{labels.consequence}</p>
      <p>
        {of.lastUse === null ? (
          labels.unused
        ) : (
          <>
            {labels.lastUsed} <Time at={of.lastUse.at} form="relative" />.
          </>
        )}
      </p>
      <DialogActions>
        <Button onPress={onClose}>{keyLabels.cancel}</Button>
        <Button look="danger" onPress={() => send.mutate()} isPending={send.isPending}>
          {labels.go}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
