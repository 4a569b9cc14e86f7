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

const numberWords = labelsOf('number');

const EndpointForm = lazy(() =>
  import('../webhooks/EndpointForm').then((module) => ({ default: module.EndpointForm })),
);
const SecretSheet = lazy(() => import('../webhooks/SecretSheet').then((module) => ({ default: module.SecretSheet })));

const words = numberWords.page;
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
    <Panel title={words.recent}>
      <Shown of={recent}>
        {(list) =>
          list.length === 0 ? (
            <p className={styles.muted}>{words.noRecent}</p>
          ) : (
            <Table caption={words.recent} columns={columns} rows={list} keyOf={({ messageId }) => messageId} />
          )
        }
      </Shown>
    </Panel>
  );
}

const columns: Column<Recent>[] = [
  {
    id: 'at',
    title: words.columns.at,
    cell: ({ messageId, acceptedAt }) => (
      <Link to="/messages/$messageId" params={{ messageId }}>
        <Time at={acceptedAt} />
      </Link>
    ),
  },
  {
    id: 'peer',
    title: words.columns.peer,
    cell: ({ direction, from, to }) => (
      <span>
        {direction === 'outbound' ? words.out : words.in} <Phone digits={direction === 'outbound' ? to : from} />
      </span>
    ),
  },
  {
    id: 'text',
    title: words.columns.text,
    cell: ({ text, textLength = 0 }) => <span className={styles.text}>{text ?? words.hidden(textLength)}</span>,
  },
  { id: 'state', title: words.columns.state, cell: ({ state }) => <StatusBadge state={state} /> },
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
    <Panel title={words.webhooks}>
      <p>{words.webhooksWhat}</p>
      <Shown of={endpoints} rows={1}>
        {(all) => {
          const own = all.filter((one) => one.number === number);
          if (own.length === 0) return <p className={styles.muted}>{words.noWebhook}</p>;
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
        {mayManage && <Button onPress={() => setAdding(true)}>{words.ownWebhook}</Button>}
        <LinkButton to="/webhooks">{words.addWebhook}</LinkButton>
      </div>
      <Suspense>
        {adding && <EndpointForm of={null} number={number} onClose={() => setAdding(false)} onSecret={setSecret} />}
        {secret !== null && <SecretSheet secret={secret} onClose={() => setSecret(null)} />}
      </Suspense>
    </Panel>
  );
}
