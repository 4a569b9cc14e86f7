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

const webhookLabels = labelsOf('webhook');

export function RotateSecretDialog({
  of,
  onClose,
  onSecret,
}: {
  of: Endpoint;
  onClose(): void;
  onSecret(secret: string): void;
}) {
  const labels = webhookLabels.rotateDialog;
  const client = useQueryClient();
  return (
    <RotateDialog
      title={labels.title}
      labels={labels}
      cancel={webhookLabels.cancel}
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
  const labels = webhookLabels.removeDialog;
  const client = useQueryClient();
  const send = useMutation({
    mutationFn: () => api.delete('/endpoints/:endpointId', { endpointId: of.endpointId }),
    onSuccess: () => {
      onRemoved();
      void client.invalidateQueries({ queryKey: ['endpoints', 'list'] });
    },
  });
  return (
    <Dialog title={labels.title(of.name)} open onClose={onClose} urgent>
      <FormFault error={send.error} />
      <p>{labels.consequence(waiting)}</p>
      <DialogActions>
        <Button onPress={onClose}>{webhookLabels.cancel}</Button>
        <Button look="danger" onPress={() => send.mutate()} isPending={send.isPending}>
          {labels.go}
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
  const labels = webhookLabels.recoverDialog;
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
    <Dialog title={labels.title} open onClose={onClose}>
      <FormFault error={send.error ?? preview.error} />
      <p>{labels.what}</p>
      <Select
        label={labels.since}
        value={period}
        onChange={(value) => setPeriod(value as Period)}
        choices={(Object.keys(periodMs) as Period[]).map((value) => ({ value, label: labels[value] }))}
      />
      <Select
        label={labels.which}
        value={which}
        onChange={(value) => setWhich(value as typeof which)}
        choices={(['failed', 'all'] as const).map((value) => ({ value, label: labels[value] }))}
      />
      <div role="status">
        {send.data === undefined ? (
          <p>
            {preview.data === undefined
              ? labels.counting
              : labels.preview(count, preview.data.next != null, labels.nothing[which])}
          </p>
        ) : (
          <Notice tone="ok" title={labels.done(send.data.data.replayed)}>
            {send.data.next != null && <p>{labels.more}</p>}
          </Notice>
        )}
      </div>
      {which === 'failed' && send.data === undefined && health !== undefined && <StillWaiting of={health} />}
      <DialogActions>
        <Button onPress={onClose}>{send.data === undefined ? webhookLabels.cancel : webhookLabels.close}</Button>
        {send.data === undefined && count > 0 && (
          <Button look="primary" onPress={() => send.mutate()} isPending={send.isPending}>
            {labels.go(count)}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}

/** A delivery that is still retried has not failed: it will be sent automatically. */
function StillWaiting({ of: { waiting, nextAttemptAt } }: { of: EndpointHealth }) {
  const labels = webhookLabels.recoverDialog;
  if (waiting === 0) return null;
  return (
    <Notice tone="info" title={labels.waiting(waiting)}>
      <p>
        {nextAttemptAt === null || waitsForEndpoint({ state: 'waiting', nextAttemptAt }, Date.now()) ? (
          labels.waitsForEndpoint
        ) : (
          <>
            {labels.next} <Time at={nextAttemptAt} form="relative" />.
          </>
        )}
      </p>
    </Notice>
  );
}
