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

const words = labelsOf('webhook');

export function WebhooksPage() {
  const me = useMe();
  const mayManage = useMay('manageWebhooks');
  const [tab, setTab] = useUrlText('tab');
  const [adding, setAdding] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const add = mayManage && (
    <Button look="primary" icon="plus" onPress={() => setAdding(true)}>
      {words.add}
    </Button>
  );
  const tabs = [
    { id: 'endpoints', title: words.tabs.endpoints, content: <Endpoints add={add} /> },
    ...(me.sandbox && me.environment === 'sandbox'
      ? [{ id: 'inbox', title: words.tabs.inbox, content: <Inbox /> }]
      : []),
    { id: 'catalogue', title: words.tabs.catalogue, content: <EventCatalogue /> },
    ...(mayManage ? [{ id: 'signature', title: words.tabs.signature, content: <SignatureTool /> }] : []),
  ];
  const selected = tabs.some(({ id }) => id === tab) ? tab : 'endpoints';
  return (
    <Page title={words.title} actions={add}>
      {!mayManage && <Notice tone="info" title={words.roleMissing} />}
      <Tabs
        label={words.title}
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
          <Empty title={words.empty.title} action={add}>
            {words.empty.detail}
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
        <TextField label={words.search} type="search" value={search} onChange={setSearch} />
      </div>
      <Row>
        <span role="status">{words.count(shown.length, list.length)}</span>
        <Button look="quiet" onPress={csv}>
          {words.exportCsv}
        </Button>
        <ApiRequest path="/api/v1/endpoints" />
      </Row>
      {shown.length === 0 ? (
        <Empty
          title={words.nothingFits.title}
          action={<Button onPress={() => setSearch('')}>{words.nothingFits.clear}</Button>}
        >
          {words.nothingFits.detail}
        </Empty>
      ) : (
        <Table
          caption={words.tabs.endpoints}
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
      title: words.columns.name,
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
      title: words.columns.events,
      cell: ({ types, format }) => (
        <div className={styles.cell}>
          <span title={types?.join(', ')}>{types === null ? words.allEvents : words.events(types.length)}</span>
          {format === 'flat' && <span className={styles.muted}>{words.flat}</span>}
        </div>
      ),
    },
    {
      id: 'health',
      title: words.columns.health,
      cell: (endpoint) => <HealthShown of={endpoint} health={health?.get(endpoint.endpointId)} />,
    },
    {
      id: 'waiting',
      title: words.columns.waiting,
      figures: true,
      cell: ({ endpointId }) => <Count value={health?.get(endpointId)?.waiting ?? 0} />,
    },
    { id: 'created', title: words.columns.created, cell: ({ createdAt }) => <Time at={createdAt} /> },
  ];
}
