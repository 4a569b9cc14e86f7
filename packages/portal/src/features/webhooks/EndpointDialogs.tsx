/** What is done to an endpoint after a word on what follows: a new secret, deleting it, sending again since a time. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import { Button } from '../../ui/Button';
import { Dialog, DialogActions } from '../../ui/Dialog';
import { Select } from '../../ui/Field';
import { FormFault, Notice } from '../../ui/States';
import { webhookWords } from '../../words/en/webhooks';
import type { Endpoint, EndpointWithSecret } from './webhooks';

const overlaps = [0, 1, 24, 72, 168] as const;
const hourMs = 3_600_000;
const periods = { hour: 1, day: 24, week: 168, month: 720 } as const;

export function RotateSecretDialog({
  of,
  onClose,
  onSecret,
}: {
  of: Endpoint;
  onClose(): void;
  onSecret(secret: string): void;
}) {
  const words = webhookWords.rotateDialog;
  const client = useQueryClient();
  const [hours, setHours] = useState('24');
  const overlapWords = (value: number): string =>
    value === 0 ? words.none : value <= 24 ? words.hours(value) : words.days(value / 24);
  const send = useMutation({
    mutationFn: () =>
      api.post<EndpointWithSecret>(`/endpoints/${of.endpointId}/rotate-secret`, { overlapHours: Number(hours) }),
    onSuccess: ({ data }) => {
      void client.invalidateQueries({ queryKey: ['endpoints'] });
      onClose();
      onSecret(data.secret);
    },
  });
  return (
    <Dialog title={words.title} open onClose={onClose}>
      <FormFault error={send.error} />
      <p>{words.what}</p>
      <Select
        label={words.overlap}
        value={hours}
        onChange={setHours}
        choices={overlaps.map((value) => ({ value: String(value), label: overlapWords(value) }))}
      />
      <DialogActions>
        <Button onPress={onClose}>{webhookWords.cancel}</Button>
        <Button look="primary" onPress={() => send.mutate()} isPending={send.isPending}>
          {words.go}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

export function RemoveDialog({
  of,
  waiting,
  onClose,
  onRemoved,
}: {
  of: Endpoint;
  waiting: number;
  onClose(): void;
  onRemoved(): void;
}) {
  const words = webhookWords.removeDialog;
  const client = useQueryClient();
  const send = useMutation({
    mutationFn: () => api.delete(`/endpoints/${of.endpointId}`),
    onSuccess: () => {
      onRemoved();
      void client.invalidateQueries({ queryKey: ['endpoints', 'list'] });
    },
  });
  return (
    <Dialog title={words.title(of.name)} open onClose={onClose} urgent>
      <FormFault error={send.error} />
      <p>{words.consequence(waiting)}</p>
      <DialogActions>
        <Button onPress={onClose}>{webhookWords.cancel}</Button>
        <Button look="danger" onPress={() => send.mutate()} isPending={send.isPending}>
          {words.go}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

export function RecoverDialog({ of, onClose }: { of: Endpoint; onClose(): void }) {
  const words = webhookWords.recoverDialog;
  const client = useQueryClient();
  const [period, setPeriod] = useState<keyof typeof periods>('day');
  const send = useMutation({
    mutationFn: () => {
      const since = new Date(Date.now() - periods[period] * hourMs).toISOString();
      return api.post<{ replayed: number }>(`/endpoints/${of.endpointId}/replay`, { since });
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ['deliveries'] }),
  });
  return (
    <Dialog title={words.title} open onClose={onClose}>
      <FormFault error={send.error} />
      <p>{words.what}</p>
      <Select
        label={words.since}
        value={period}
        onChange={(value) => setPeriod(value as keyof typeof periods)}
        choices={(Object.keys(periods) as (keyof typeof periods)[]).map((value) => ({ value, label: words[value] }))}
      />
      <div role="status">
        {send.data !== undefined && (
          <Notice tone="ok" title={words.done(send.data.data.replayed)}>
            {send.data.next != null && <p>{words.more}</p>}
          </Notice>
        )}
      </div>
      <DialogActions>
        <Button onPress={onClose}>{send.data === undefined ? webhookWords.cancel : webhookWords.close}</Button>
        {send.data === undefined && (
          <Button look="primary" onPress={() => send.mutate()} isPending={send.isPending}>
            {words.go}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
