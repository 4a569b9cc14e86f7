/** Webhooks: the company's endpoints and their health; the sandbox's inbox, event types, a signature check. */
import { Link, useRouter } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Endpoint } from '../../api/routes/endpoints';
import type { EndpointHealth } from '../../api/routes/webhooks';
import { useMay, useMe } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { ApiRequest } from '../../ui/ApiRequest';
import { Button } from '../../ui/Button';
import { saveText } from '../../ui/download';
import { TextField } from '../../ui/Field';
import { Page, Row } from '../../ui/Page';
import { Empty, Notice, Shown } from '../../ui/States';
import { type Column, Table } from '../../ui/Table';
import { Tabs } from '../../ui/Tabs';
import { useUrlText } from '../../ui/url';
import { Count, Time } from '../../ui/Values';
import { EndpointForm } from './EndpointForm';
import { HealthShown } from './EndpointStates';
import { EventCatalogue } from './EventCatalogue';
import { Inbox } from './Inbox';
import { SecretSheet } from './SecretSheet';
import { SignatureTool } from './SignatureTool';
import styles from './Webhooks.module.css';
import { endpointsCsv, fittingEndpoints, useEndpoints, useHealth } from './webhooks';

const labels = labelsOf('webhook');

export function WebhooksPage() {
  const me = useMe();
  const mayManage = useMay('manageWebhooks');
  const [tab, setTab] = useUrlText('tab');
  const [adding, setAdding] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const add = mayManage && (
    <Button look="primary" icon="plus" onPress={() => setAdding(true)}>
      {labels.add}
    </Button>
  );
  const tabs = [
    { id: 'endpoints', title: labels.tabs.endpoints, content: <Endpoints add={add} /> },
    ...(me.sandbox && me.environment === 'sandbox'
      ? [{ id: 'inbox', title: labels.tabs.inbox, content: <Inbox /> }]
      : []),
    { id: 'catalogue', title: labels.tabs.catalogue, content: <EventCatalogue /> },
    ...(mayManage ? [{ id: 'signature', title: labels.tabs.signature, content: <SignatureTool /> }] : []),
  ];
  const selected = tabs.some(({ id }) => id === tab) ? tab : 'endpoints';
  return (
    <Page title={labels.title} actions={add}>
      {!mayManage && <Notice tone="info" title={labels.roleMissing} />}
      <Tabs
        label={labels.title}
        tabs={tabs}
        selected={selected}
        onSelect={(id) => setTab(id === 'endpoints' ? '' : id, { q: '' })}
      />
      {adding && <EndpointForm of={null} onClose={() => setAdding(false)} onSecret={setSecret} />}
      {secret !== null && <SecretSheet secret={secret} onClose={() => setSecret(null)} />}
    </Page>
  );
}

function Endpoints({ add }: { add: ReactNode }) {
  const endpoints = useEndpoints();
  const { data: health } = useHealth();
  return (
    <Shown of={endpoints}>
      {(list) =>
        list.length === 0 ? (
          <Empty title={labels.empty.title} action={add}>
            {labels.empty.detail}
          </Empty>
        ) : (
          <EndpointList list={list} health={health} />
        )
      }
    </Shown>
  );
}

function EndpointList({
  list,
  health,
}: {
  list: readonly Endpoint[];
  health: ReadonlyMap<string, EndpointHealth> | undefined;
}) {
  const router = useRouter();
  const [search, setSearch] = useUrlText('q');
  const shown = fittingEndpoints(list, search);
  const csv = () => saveText('webhooks.csv', endpointsCsv(shown, health), 'text/csv;charset=utf-8');
  return (
    <div className={styles.stack}>
      <div className={styles.search}>
        <TextField label={labels.search} type="search" value={search} onChange={setSearch} />
      </div>
      <Row>
        <span role="status">{labels.count(shown.length, list.length)}</span>
        <Button look="quiet" onPress={csv}>
          {labels.exportCsv}
        </Button>
        <ApiRequest path="/api/v1/endpoints" />
      </Row>
      {shown.length === 0 ? (
        <Empty
          title={labels.nothingFits.title}
          action={<Button onPress={() => setSearch('')}>{labels.nothingFits.clear}</Button>}
        >
          {labels.nothingFits.detail}
        </Empty>
      ) : (
        <Table
          caption={labels.tabs.endpoints}
          columns={columns(health)}
          rows={shown}
          keyOf={({ endpointId }) => endpointId}
          onOpen={({ endpointId }) => void router.navigate({ to: '/webhooks/$endpointId', params: { endpointId } })}
        />
      )}
    </div>
  );
}

function columns(health: ReadonlyMap<string, EndpointHealth> | undefined): Column<Endpoint>[] {
  return [
    {
      id: 'name',
      title: labels.columns.name,
      cell: ({ endpointId, name, url }) => (
        <div className={styles.cell}>
          <Link to="/webhooks/$endpointId" params={{ endpointId }} className={styles.target}>
            {name}
          </Link>
          <code className={styles.muted}>{url}</code>
        </div>
      ),
    },
    {
      id: 'events',
      title: labels.columns.events,
      cell: ({ types, format }) => (
        <div className={styles.cell}>
          <span title={types?.join(', ')}>{types === null ? labels.allEvents : labels.events(types.length)}</span>
          {format === 'flat' && <span className={styles.muted}>{labels.flat}</span>}
        </div>
      ),
    },
    {
      id: 'health',
      title: labels.columns.health,
      cell: (endpoint) => <HealthShown of={endpoint} health={health?.get(endpoint.endpointId)} />,
    },
    {
      id: 'waiting',
      title: labels.columns.waiting,
      figures: true,
      cell: ({ endpointId }) => <Count value={health?.get(endpointId)?.waiting ?? 0} />,
    },
    { id: 'created', title: labels.columns.created, cell: ({ createdAt }) => <Time at={createdAt} /> },
  ];
}
