/** Rotating and revoking a key pair: each says what follows before it is done. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import { Button } from '../../ui/Button';
import { Dialog, DialogActions } from '../../ui/Dialog';
import { Select } from '../../ui/Field';
import { FormFault } from '../../ui/States';
import { Time } from '../../ui/Values';
import { keyWords } from '../../words/en/keys';
import type { KeyPair, NewPair } from './keys';

const overlaps = [0, 1, 24, 72, 168] as const;

function overlapWords(hours: number): string {
  const words = keyWords.rotateDialog;
  if (hours === 0) return words.none;
  return hours <= 24 ? words.hours(hours) : words.days(hours / 24);
}

export function RotateDialog({ of, onClose, onMade }: { of: KeyPair; onClose(): void; onMade(pair: NewPair): void }) {
  const words = keyWords.rotateDialog;
  const client = useQueryClient();
  const [hours, setHours] = useState('24');
  const send = useMutation({
    mutationFn: () => api.post<NewPair>(`/keys/${of.keyId}/rotate`, { overlapHours: Number(hours) }),
    onSuccess: ({ data }) => {
      void client.invalidateQueries({ queryKey: ['keys'] });
      onClose();
      onMade(data);
    },
  });
  return (
    <Dialog title={words.title(of.name)} open onClose={onClose}>
      <FormFault error={send.error} />
      <p>{words.what}</p>
      <Select
        label={words.overlap}
        value={hours}
        onChange={setHours}
        choices={overlaps.map((value) => ({ value: String(value), label: overlapWords(value) }))}
      />
      <DialogActions>
        <Button onPress={onClose}>{keyWords.cancel}</Button>
        <Button look="primary" onPress={() => send.mutate()} isPending={send.isPending}>
          {words.go}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

export function RevokeDialog({ of, onClose }: { of: KeyPair; onClose(): void }) {
  const words = keyWords.revokeDialog;
  const client = useQueryClient();
  const send = useMutation({
    mutationFn: () => api.post(`/keys/${of.keyId}/revoke`),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['keys'] });
      onClose();
    },
  });
  return (
    <Dialog title={words.title(of.name)} open onClose={onClose} urgent>
      <FormFault error={send.error} />
      <p>{words.consequence}</p>
      <p>
        {of.lastUse === null ? (
          words.unused
        ) : (
          <>
            {words.lastUsed} <Time at={of.lastUse.at} form="relative" />.
          </>
        )}
      </p>
      <DialogActions>
        <Button onPress={onClose}>{keyWords.cancel}</Button>
        <Button look="danger" onPress={() => send.mutate()} isPending={send.isPending}>
          {words.go}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
