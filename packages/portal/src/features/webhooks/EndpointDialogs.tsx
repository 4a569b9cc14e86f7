/** Actions on an endpoint after a confirmation: a new secret, deletion, replay since a time. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import type { Endpoint } from '../../api/routes/endpoints';
import type { EndpointHealth } from '../../api/routes/webhooks';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Dialog, DialogActions } from '../../ui/Dialog';
import { Select } from '../../ui/Field';
import { RotateDialog } from '../../ui/RotateDialog';
import { FormFault, Notice } from '../../ui/States';
import { Time } from '../../ui/Values';
import { type Period, periodMs, sinceOf, waitsForEndpoint } from './webhooks';

const webhookWords = labelsOf('webhook');

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
  return (
    <RotateDialog
      title={words.title}
      words={words}
      cancel={webhookWords.cancel}
      rotate={async (overlapHours) =>
        (await api.post('/endpoints/:endpointId/rotate-secret', { overlapHours }, { endpointId: of.endpointId })).data
      }
      onClose={onClose}
      onRotated={({ secret }) => {
        void client.invalidateQueries({ queryKey: ['endpoints'] });
        onSecret(secret);
      }}
    />
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
    mutationFn: () => api.delete('/endpoints/:endpointId', { endpointId: of.endpointId }),
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

/** The failed deliveries (or all) of a period, counted before anything is sent. */
export function RecoverDialog({
  of,
  health,
  onClose,
}: {
  of: Endpoint;
  health: EndpointHealth | undefined;
  onClose(): void;
}) {
  const words = webhookWords.recoverDialog;
  const client = useQueryClient();
  const [period, setPeriod] = useState<Period>('day');
  const [which, setWhich] = useState<'failed' | 'all'>('failed');
  const ask = (dryRun: boolean) => {
    const body = { since: sinceOf(period), failedOnly: which === 'failed', dryRun };
    return api.post('/endpoints/:endpointId/replay', body, { endpointId: of.endpointId });
  };
  const preview = useQuery({
    queryKey: ['deliveries', 'recoverable', of.endpointId, period, which],
    queryFn: () => ask(true),
  });
  const send = useMutation({
    mutationFn: () => ask(false),
    onSuccess: () => client.invalidateQueries({ queryKey: ['deliveries'] }),
  });
  const count = preview.data?.data.replayed ?? 0;
  return (
    <Dialog title={words.title} open onClose={onClose}>
      <FormFault error={send.error ?? preview.error} />
      <p>{words.what}</p>
      <Select
        label={words.since}
        value={period}
        onChange={(value) => setPeriod(value as Period)}
        choices={(Object.keys(periodMs) as Period[]).map((value) => ({ value, label: words[value] }))}
      />
      <Select
        label={words.which}
        value={which}
        onChange={(value) => setWhich(value as typeof which)}
        choices={(['failed', 'all'] as const).map((value) => ({ value, label: words[value] }))}
      />
      <div role="status">
        {send.data === undefined ? (
          <p>
            {preview.data === undefined
              ? words.counting
              : words.preview(count, preview.data.next != null, words.nothing[which])}
          </p>
        ) : (
          <Notice tone="ok" title={words.done(send.data.data.replayed)}>
            {send.data.next != null && <p>{words.more}</p>}
          </Notice>
        )}
      </div>
      {which === 'failed' && send.data === undefined && health !== undefined && <StillWaiting of={health} />}
      <DialogActions>
        <Button onPress={onClose}>{send.data === undefined ? webhookWords.cancel : webhookWords.close}</Button>
        {send.data === undefined && count > 0 && (
          <Button look="primary" onPress={() => send.mutate()} isPending={send.isPending}>
            {words.go(count)}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}

/** A delivery that is still retried has not failed: it will be sent automatically. */
function StillWaiting({ of: { waiting, nextAttemptAt } }: { of: EndpointHealth }) {
  const words = webhookWords.recoverDialog;
  if (waiting === 0 || nextAttemptAt === null) return null;
  return (
    <Notice tone="info" title={words.waiting(waiting)}>
      <p>
        {waitsForEndpoint({ nextAttemptAt }, Date.now()) ? (
          words.waitsForEndpoint
        ) : (
          <>
            {words.next} <Time at={nextAttemptAt} form="relative" />.
          </>
        )}
      </p>
    </Notice>
  );
}
