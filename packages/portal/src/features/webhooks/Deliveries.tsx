/** The deliveries to one endpoint, newest first, by status and type; and replaying the shown ones. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { api, query } from '../../api/client';
import type { Delivery } from '../../api/routes/deliveries';
import type { Endpoint } from '../../api/routes/endpoints';
import { useMay } from '../../api/session';
import { timeZone as zoneShown } from '../../api/time-zone';
import { labelsOf } from '../../language/labels';
import { ApiRequest } from '../../ui/ApiRequest';
import { Button } from '../../ui/Button';
import { Dialog, DialogActions } from '../../ui/Dialog';
import { saveAnswer } from '../../ui/download';
import { Select } from '../../ui/Field';
import { Choices, Panel, Row } from '../../ui/Page';
import { FilterViews } from '../../ui/SavedViews';
import { SearchForm } from '../../ui/SearchForm';
import { Empty, FormFault, Notice, Shown } from '../../ui/States';
import { type Column, Table } from '../../ui/Table';
import { ActionMenu } from '../../ui/Tabs';
import { useUrlText } from '../../ui/url';
import { Time } from '../../ui/Values';
import { DeliveryBadge } from './EndpointStates';
import styles from './Webhooks.module.css';
import {
  type DeliveryFilter,
  type DeliveryState,
  isPeriod,
  type Period,
  paramsOf,
  periodMs,
  useCatalogue,
  useDeliveries,
  waitsForEndpoint,
} from './webhooks';

const webhookLabels = labelsOf('webhook');

const labels = webhookLabels.deliveries;
const states: readonly DeliveryState[] = ['waiting', 'delivered', 'failed'];
const any = 'any';

export function Deliveries({ of }: { of: Endpoint }) {
  const { endpointId } = of;
  const [state, setState] = useUrlText('state');
  const [type, setType] = useUrlText('type');
  const [period, setPeriod] = useUrlText('since');
  const since = period === '' ? 'day' : period;
  const [before, setBefore] = useUrlText('before');
  const [q, setQ] = useUrlText('q');
  const router = useRouter();
  const mayManage = useMay('manageWebhooks');
  const { data: catalogue } = useCatalogue();
  const [replaying, setReplaying] = useState<readonly Delivery[] | null>(null);
  const filter = { endpoint: endpointId, state, type, q, period: since };
  const deliveries = useDeliveries({ ...filter, before });
  return (
    <Panel
      title={labels.title}
      actions={
        <>
          <FilterViews
            list="delivery"
            fields={{ q: labels.search, state: labels.state, type: labels.type, since: labels.since }}
          />
          <ExportMenu of={filter} />
          <ApiRequest path={`/api/v1/deliveries${query(paramsOf(filter))}`} />
        </>
      }
    >
      <SearchForm key={q} value={q} onFind={(text) => setQ(text, { before: '' })} labels={labels} mono />
      <Choices>
        <Select
          label={labels.state}
          value={state === '' ? any : state}
          onChange={(value) => setState(value === any ? '' : value, { before: '' })}
          choices={[
            { value: any, label: labels.any },
            ...states.map((value) => ({ value, label: labels.states[value] })),
          ]}
        />
        <Select
          label={labels.type}
          value={type === '' ? any : type}
          onChange={(value) => setType(value === any ? '' : value, { before: '' })}
          choices={[
            { value: any, label: labels.any },
            ...(catalogue?.events ?? []).map((event) => ({ value: event.type, label: event.type })),
          ]}
        />
        <Select
          label={labels.since}
          value={isPeriod(since) ? since : any}
          onChange={(value) => setPeriod(value === 'day' ? '' : value, { before: '' })}
          choices={[
            { value: any, label: labels.ever },
            ...(Object.keys(periodMs) as Period[]).map((value) => ({ value, label: labels.periods[value] })),
          ]}
        />
      </Choices>
      <Shown of={deliveries}>
        {({ data: shown, next }) => (
          <>
            {shown.length === 0 ? (
              <Empty title={labels.empty.title}>{labels.empty.detail}</Empty>
            ) : (
              <Table
                caption={labels.title}
                columns={columns}
                rows={shown}
                keyOf={({ deliveryId }) => deliveryId}
                onOpen={({ deliveryId }) =>
                  void router.navigate({
                    to: '/webhooks/$endpointId/deliveries/$deliveryId',
                    params: { endpointId, deliveryId },
                  })
                }
              />
            )}
            <Row>
              {shown.length > 0 && <span>{labels.count(shown.length, next != null || before !== '')}</span>}
              {mayManage && shown.length > 0 && (
                <Button onPress={() => setReplaying(shown)}>{labels.replayShown(shown.length)}</Button>
              )}
              {before !== '' && <Button onPress={() => setBefore('')}>{labels.newest}</Button>}
              {next != null && <Button onPress={() => setBefore(next)}>{labels.older}</Button>}
            </Row>
          </>
        )}
      </Shown>
      {replaying !== null && <ReplayDialog of={replaying} onClose={() => setReplaying(null)} />}
    </Panel>
  );
}

/** Exports everything that matches the filter, not only the shown rows. */
function ExportMenu({ of }: { of: Omit<DeliveryFilter, 'before'> }) {
  const save = useMutation({
    mutationFn: (format: 'csv' | 'jsonl') => {
      const timeZone = zoneShown() ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
      return saveAnswer(`deliveries.${format}`, `/deliveries/export.${format}${query({ ...paramsOf(of), timeZone })}`);
    },
  });
  return (
    <>
      <ActionMenu
        label={webhookLabels.export}
        actions={(['csv', 'jsonl'] as const).map((format) => ({
          id: format,
          label: webhookLabels[format],
          run: () => save.mutate(format),
        }))}
      />
      <FormFault error={save.error} />
    </>
  );
}

const columns: readonly Column<Delivery>[] = [
  { id: 'at', title: labels.columns.at, cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    id: 'type',
    title: labels.columns.type,
    cell: ({ type, endpointId, deliveryId }) => (
      <Link
        to="/webhooks/$endpointId/deliveries/$deliveryId"
        params={{ endpointId, deliveryId }}
        className={styles.target}
      >
        <code>{type}</code>
      </Link>
    ),
  },
  { id: 'id', title: labels.columns.id, cell: ({ eventId }) => <code className={styles.muted}>{eventId}</code> },
  { id: 'state', title: labels.columns.state, cell: (delivery) => <DeliveryBadge of={delivery} /> },
  { id: 'attempts', title: labels.columns.attempts, cell: (delivery) => <Attempts of={delivery} /> },
];

function Attempts({ of }: { of: Delivery }) {
  const { attemptCount, nextAttemptAt, state } = of;
  const waits = waitsForEndpoint(of, Date.now());
  return (
    <span>
      {labels.attempts(attemptCount)}
      {waits && ` · ${labels.waitsForEndpoint}`}
      {nextAttemptAt !== null && !waits && (
        <>
          {' '}
          · {labels.next} <Time at={nextAttemptAt} form="relative" />
        </>
      )}
      {state === 'failed' && ` · ${labels.gaveUp}`}
    </span>
  );
}

function ReplayDialog({ of, onClose }: { of: readonly Delivery[]; onClose(): void }) {
  const dialog = webhookLabels.replayDialog;
  const client = useQueryClient();
  const replay = useMutation({
    mutationFn: async () => {
      const replays = await Promise.allSettled(
        of.map(({ deliveryId }) => api.post('/deliveries/:deliveryId/replay', {}, { deliveryId })),
      );
      return replays.filter(({ status }) => status === 'fulfilled').length;
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ['deliveries'] }),
  });
  return (
    <Dialog title={dialog.title(of.length)} open onClose={onClose}>
      <FormFault error={replay.error} />
      <p>{dialog.what}</p>
      <div role="status">
        {replay.data !== undefined && (
          <Notice
            tone={replay.data === of.length ? 'ok' : 'warn'}
            title={dialog.done(replay.data, of.length - replay.data)}
          />
        )}
      </div>
      <DialogActions>
        <Button onPress={onClose}>{replay.data === undefined ? webhookLabels.cancel : webhookLabels.close}</Button>
        {replay.data === undefined && (
          <Button look="primary" onPress={() => replay.mutate()} isPending={replay.isPending}>
            {dialog.go}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
