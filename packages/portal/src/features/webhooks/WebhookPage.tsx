/** One endpoint: its state, its deliveries, and its actions. */

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { api } from '../../api/client';
import type { Delivery, EventType } from '../../api/routes/deliveries';
import type { Endpoint } from '../../api/routes/endpoints';
import { useMay } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Facts, Page, Panel, Row } from '../../ui/Page';
import { FormFault, Notice, Shown } from '../../ui/States';
import { ActionMenu, Tabs } from '../../ui/Tabs';
import { useUrlText } from '../../ui/url';
import { Copyable, Phone, Time } from '../../ui/Values';
import { ActivityPanel } from '../audit/ActivityPanel';
import { Deliveries } from './Deliveries';
import { RecoverDialog, RemoveDialog, RotateSecretDialog } from './EndpointDialogs';
import { EndpointForm } from './EndpointForm';
import { HealthShown } from './EndpointStates';
import { SecretSheet } from './SecretSheet';
import { testState, useCatalogue, useDeliveries, useEndpoint, useHealth } from './webhooks';

const auditLabels = labelsOf('audit');
const labels = labelsOf('webhook');
const copied = labelsOf('copied');
const testLabels = labels.test;

/** `detail`: the gateway's answer when it accepted it. */
function TestSent({ of: { endpointId }, eventId, detail }: { of: Endpoint; eventId: string; detail: string }) {
  const filter = { endpoint: endpointId, state: '', type: '', period: '', before: '', q: eventId };
  const delivery = useDeliveries(filter).data?.data[0];
  const state = testState(delivery);
  if (delivery === undefined || state === 'on its way') return <Notice tone="info" title={detail} />;
  const { deliveryId, lastStatus } = delivery;
  return (
    <Notice
      tone={state === 'arrived' ? 'ok' : 'bad'}
      title={state === 'arrived' ? testLabels.arrived(lastStatus) : testLabels.failed(lastStatus)}
    >
      {again(delivery)}{' '}
      <Link to="/webhooks/$endpointId/deliveries/$deliveryId" params={{ endpointId, deliveryId }}>
        {testLabels.look}
      </Link>
    </Notice>
  );
}

function again({ state }: Delivery): string {
  return state === 'waiting' ? testLabels.again : '';
}

type OpenDialog = 'change' | 'rotate' | 'remove' | 'recover';

export function WebhookPage() {
  const { endpointId } = useParams({ from: '/inside/webhooks/$endpointId' });
  const endpoint = useEndpoint(endpointId);
  const mayManage = useMay('manageWebhooks');
  const [tab, setTab] = useUrlText('tab');
  const crumbs = [{ label: labels.title, to: '/webhooks' }, { label: endpoint.data?.name ?? endpointId }];
  const name = endpoint.data?.name ?? labels.columns.name;
  return (
    <Page title={name} crumbs={crumbs}>
      {!mayManage && <Notice tone="info" title={labels.roleMissing} />}
      <Shown of={endpoint}>
        {(found) => (
          <>
            {mayManage && <EndpointActions of={found} />}
            <About of={found} />
            <Tabs
              label={found.name}
              selected={tab === 'activity' ? tab : 'deliveries'}
              onSelect={(id) => setTab(id === 'deliveries' ? '' : id)}
              tabs={[
                { id: 'deliveries', title: labels.deliveries.title, content: <Deliveries of={found} /> },
                {
                  id: 'activity',
                  title: auditLabels.activity.tab,
                  content: <ActivityPanel kind="endpoint" id={endpointId} />,
                },
              ]}
            />
          </>
        )}
      </Shown>
    </Page>
  );
}

function EndpointActions({ of }: { of: Endpoint }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [dialog, showDialog] = useState<OpenDialog | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const { data: health } = useHealth();
  const act = useMutation({
    mutationFn: (what: 'test' | 'enable' | 'disable') =>
      api.post(`/endpoints/:endpointId/${what}`, {}, { endpointId: of.endpointId }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['endpoints'] });
      void client.invalidateQueries({ queryKey: ['deliveries'] });
    },
  });
  const trigger = useMutation({
    mutationFn: (type: EventType) => api.post('/events/trigger', { type }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['deliveries'] }),
  });
  const { data: catalogue } = useCatalogue();
  const examples = (catalogue?.events ?? [])
    .filter(({ type }) => of.types?.includes(type) ?? (of.format === 'standard' || type.startsWith('message.')))
    .map(({ type }) => ({ id: type, label: type, detail: labels.eventLines[type], run: () => trigger.mutate(type) }));
  const { disabled } = of;
  const close = () => showDialog(null);
  return (
    <>
      {disabled !== null && (
        <Notice
          tone="warn"
          title={labels.disabled}
          actions={
            <Button look="primary" onPress={() => act.mutate('enable')} isPending={act.isPending}>
              {labels.enable}
            </Button>
          }
        >
          <p>
            {labels.disabledWhy[disabled.why]} <Time at={disabled.at} />
          </p>
        </Notice>
      )}
      <FormFault error={act.error ?? trigger.error} />
      <div role="status">
        {act.isSuccess &&
          ('id' in act.data.data ? (
            <TestSent of={of} eventId={act.data.data.id} detail={act.data.detail} />
          ) : (
            <Notice tone="ok" title={act.data.detail} />
          ))}
        {trigger.isSuccess && <Notice tone="ok" title={labels.catalogue.triggered} />}
      </div>
      <Row>
        <Button look="primary" onPress={() => act.mutate('test')} isPending={act.isPending}>
          {labels.sendTest}
        </Button>
        <ActionMenu label={labels.sendExample} actions={examples} />
        <Button onPress={() => showDialog('change')}>{labels.change}</Button>
        <ActionMenu
          label={labels.more}
          icon="more"
          look="quiet"
          actions={[
            { id: 'recover', label: labels.recover, run: () => showDialog('recover') },
            { id: 'rotate', label: labels.rotateSecret, run: () => showDialog('rotate') },
            ...(disabled === null
              ? [{ id: 'disable', label: labels.disable, run: () => act.mutate('disable') }]
              : [{ id: 'enable', label: labels.enable, run: () => act.mutate('enable') }]),
            { id: 'remove', label: labels.remove, run: () => showDialog('remove') },
          ]}
        />
      </Row>
      {dialog === 'change' && <EndpointForm of={of} onClose={close} onSecret={setSecret} />}
      {dialog === 'rotate' && <RotateSecretDialog of={of} onClose={close} onSecret={setSecret} />}
      {dialog === 'recover' && <RecoverDialog of={of} health={health?.get(of.endpointId)} onClose={close} />}
      {dialog === 'remove' && (
        <RemoveDialog
          of={of}
          waiting={health?.get(of.endpointId)?.waiting ?? 0}
          onClose={close}
          onRemoved={() => void navigate({ to: '/webhooks' })}
        />
      )}
      {secret !== null && <SecretSheet secret={secret} onClose={() => setSecret(null)} />}
    </>
  );
}

function About({ of }: { of: Endpoint }) {
  const { data: health } = useHealth();
  const { facts } = labels;
  return (
    <Panel>
      <HealthShown of={of} health={health?.get(of.endpointId)} />
      <Facts
        facts={[
          [facts.url, <Copyable key="url" value={of.url} what={copied.url} />],
          [facts.events, of.types === null ? labels.allEvents : of.types.join(', ')],
          [facts.filter, <Filter key="filter" of={of} />],
        ]}
      />
      <details>
        <summary>{labels.settings}</summary>
        <Facts facts={settingsOf(of)} />
      </details>
    </Panel>
  );
}

function settingsOf(of: Endpoint): [string, ReactNode][] {
  const { facts } = labels;
  return [
    [facts.format, labels.formats[of.format]],
    [facts.header, of.header === null ? labels.none : <code key="header">{of.header.name}: •••</code>],
    [facts.timeout, labels.seconds(of.timeoutSeconds)],
    [
      facts.secret,
      of.oldSecretUntil === null ? (
        labels.secretHidden
      ) : (
        <span key="secret">
          {labels.oldSecretUntil} <Time at={of.oldSecretUntil} />
        </span>
      ),
    ],
    [facts.created, <Time key="created" at={of.createdAt} />],
    [facts.id, <Copyable key="id" value={of.endpointId} what={copied.endpointId} />],
  ];
}

function Filter({ of: { number, campaign } }: { of: Endpoint }) {
  if (number === null && campaign === null) return labels.everything;
  return (
    <>
      {number !== null && <Phone digits={number} />} {campaign !== null && `${labels.campaign} ${campaign}`}
    </>
  );
}
