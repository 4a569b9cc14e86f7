/** Recent messages of a number, and the webhooks for its replies. Other pages show both completely. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { api } from '../../api/client';
import { useMay } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { Button, LinkButton } from '../../ui/Button';
import { Panel } from '../../ui/Page';
import { Shown } from '../../ui/States';
import { StatusBadge } from '../../ui/Status';
import { type Column, Table } from '../../ui/Table';
import { Phone, Time } from '../../ui/Values';
import styles from './Numbers.module.css';

const numberLabels = labelsOf('number');

const EndpointForm = lazy(() =>
  import('../webhooks/EndpointForm').then((module) => ({ default: module.EndpointForm })),
);
const SecretSheet = lazy(() => import('../webhooks/SecretSheet').then((module) => ({ default: module.SecretSheet })));

const labels = numberLabels.page;
const recentMax = 8;

interface Recent {
  messageId: string;
  direction: 'outbound' | 'inbound';
  from: string;
  to: string;
  text: string | null;
  textLength?: number;
  state: string;
  acceptedAt: string;
}

export function NumberTraffic({ number }: { number: string }) {
  const recent = useQuery({
    queryKey: ['messages', 'of', number],
    queryFn: async () => (await api.get('/messages', { query: { q: number, limit: recentMax } })).data.messages,
  });
  return (
    <Panel title={labels.recent}>
      <Shown of={recent}>
        {(list) =>
          list.length === 0 ? (
            <p className={styles.muted}>{labels.noRecent}</p>
          ) : (
            <Table caption={labels.recent} columns={columns} rows={list} keyOf={({ messageId }) => messageId} />
          )
        }
      </Shown>
    </Panel>
  );
}

const columns: Column<Recent>[] = [
  {
    id: 'at',
    title: labels.columns.at,
    cell: ({ messageId, acceptedAt }) => (
      <Link to="/messages/$messageId" params={{ messageId }}>
        <Time at={acceptedAt} />
      </Link>
    ),
  },
  {
    id: 'peer',
    title: labels.columns.peer,
    cell: ({ direction, from, to }) => (
      <span>
        {direction === 'outbound' ? labels.out : labels.in} <Phone digits={direction === 'outbound' ? to : from} />
      </span>
    ),
  },
  {
    id: 'text',
    title: labels.columns.text,
    cell: ({ text, textLength = 0 }) => <span className={styles.text}>{text ?? labels.hidden(textLength)}</span>,
  },
  { id: 'state', title: labels.columns.state, cell: ({ state }) => <StatusBadge state={state} /> },
];

export function NumberWebhooks({ number }: { number: string }) {
  const mayManage = useMay('manageWebhooks');
  const [adding, setAdding] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const endpoints = useQuery({
    queryKey: ['endpoints'],
    queryFn: async () => (await api.get('/endpoints')).data,
  });
  return (
    <Panel title={labels.webhooks}>
      <p>{labels.webhooksWhat}</p>
      <Shown of={endpoints} rows={1}>
        {(all) => {
          const own = all.filter((one) => one.number === number);
          if (own.length === 0) return <p className={styles.muted}>{labels.noWebhook}</p>;
          return (
            <ul>
              {own.map(({ endpointId, name }) => (
                <li key={endpointId}>
                  <Link to="/webhooks/$endpointId" params={{ endpointId }}>
                    {name}
                  </Link>
                </li>
              ))}
            </ul>
          );
        }}
      </Shown>
      <div className={styles.fix}>
        {mayManage && <Button onPress={() => setAdding(true)}>{labels.ownWebhook}</Button>}
        <LinkButton to="/webhooks">{labels.addWebhook}</LinkButton>
      </div>
      <Suspense>
        {adding && <EndpointForm of={null} number={number} onClose={() => setAdding(false)} onSecret={setSecret} />}
        {secret !== null && <SecretSheet secret={secret} onClose={() => setSecret(null)} />}
      </Suspense>
    </Panel>
  );
}
