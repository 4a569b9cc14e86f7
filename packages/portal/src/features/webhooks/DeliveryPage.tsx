/** One event on its way to one endpoint: every attempt and its answer, the request as it is sent, sending it again. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { api } from '../../api/client';
import { useMay } from '../../api/session';
import { ApiRequest } from '../../ui/ApiRequest';
import { Button } from '../../ui/Button';
import { Facts, Page, Panel } from '../../ui/Page';
import { FormFault, Notice, Shown } from '../../ui/States';
import { type Column, Table } from '../../ui/Table';
import { Code, Copyable, CopyButton, Time } from '../../ui/Values';
import { webhookWords } from '../../words/en/webhooks';
import { DeliveryBadge } from './EndpointStates';
import styles from './Webhooks.module.css';
import {
  type Attempt,
  curlOfRequest,
  type DeliveryDetail,
  pretty,
  prettyBody,
  useDelivery,
  useEndpoint,
  type WebhookRequest,
} from './webhooks';

const words = webhookWords.delivery;

export function DeliveryPage() {
  const { endpointId, deliveryId } = useParams({ from: '/inside/webhooks/$endpointId/deliveries/$deliveryId' });
  const delivery = useDelivery(deliveryId);
  const { data: endpoint } = useEndpoint(endpointId);
  const mayManage = useMay('manageWebhooks');
  const client = useQueryClient();
  const replay = useMutation({
    mutationFn: () => api.post(`/deliveries/${deliveryId}/replay`),
    onSuccess: () => client.invalidateQueries({ queryKey: ['delivery', deliveryId] }),
  });
  const crumbs = [
    { label: webhookWords.title, to: '/webhooks' },
    { label: endpoint?.name ?? endpointId, to: `/webhooks/${endpointId}` },
    { label: words.title },
  ];
  const actions = mayManage && (
    <>
      <Button look="primary" onPress={() => replay.mutate()} isPending={replay.isPending}>
        {delivery.data?.state === 'waiting' ? words.retryNow : words.replay}
      </Button>
      <ApiRequest method="POST" path={`/api/v1/deliveries/${deliveryId}/replay`} />
    </>
  );
  return (
    <Page title={delivery.data?.type ?? words.title} crumbs={crumbs} actions={actions}>
      <FormFault error={replay.error} />
      <div role="status">
        {replay.isSuccess && <Notice tone="ok" title={endpoint?.disabled == null ? words.replayed : words.disabled} />}
      </div>
      <Shown of={delivery}>
        {(found) => (
          <>
            <About of={found} />
            <Attempts of={found.attempts} />
            {mayManage ? <Request deliveryId={deliveryId} /> : <EventOf of={found} />}
          </>
        )}
      </Shown>
    </Page>
  );
}

function About({ of }: { of: DeliveryDetail }) {
  const { messageId } = of.event.data;
  return (
    <Panel>
      <Facts
        facts={[
          [words.state, <DeliveryBadge key="state" of={of} />],
          [words.created, <Time key="created" at={of.createdAt} />],
          [
            words.next,
            of.nextAttemptAt === null ? webhookWords.none : <Time key="next" at={of.nextAttemptAt} form="relative" />,
          ],
          [words.event, <Copyable key="event" value={of.eventId} what="event id" />],
          ...(typeof messageId === 'string'
            ? ([
                [
                  words.message,
                  <Link key="message" to="/messages/$messageId" params={{ messageId }}>
                    {words.openMessage}
                  </Link>,
                ],
              ] as const)
            : []),
        ]}
      />
    </Panel>
  );
}

const milliseconds = new Intl.NumberFormat();

const columns: readonly Column<Attempt>[] = [
  { id: 'attempt', title: words.attempt, figures: true, cell: ({ attempt }) => attempt },
  { id: 'at', title: words.at, cell: ({ at }) => <Time at={at} form="exact" /> },
  {
    id: 'result',
    title: words.result,
    cell: ({ status, error }) => (
      <span>
        {status === null ? (words.noAnswer[error ?? ''] ?? error) : <code>{status}</code>}
        {status !== null && status >= 300 && status < 400 && ` ${words.redirect}`}
      </span>
    ),
  },
  {
    id: 'took',
    title: words.took,
    figures: true,
    cell: ({ durationMs }) => words.took_ms(milliseconds.format(durationMs)),
  },
  {
    id: 'response',
    title: words.response,
    cell: ({ answer }) =>
      answer === '' ? (
        <span className={styles.muted}>{words.emptyResponse}</span>
      ) : (
        <pre className={styles.example}>{answer}</pre>
      ),
  },
];

function Attempts({ of }: { of: readonly Attempt[] }) {
  return (
    <Panel title={words.attempts}>
      {of.length === 0 ? (
        <p>{words.noAttempts}</p>
      ) : (
        <Table
          caption={words.attempts}
          columns={columns}
          rows={of.toReversed()}
          keyOf={({ attempt }) => String(attempt)}
          compact
        />
      )}
    </Panel>
  );
}

function Request({ deliveryId }: { deliveryId: string }) {
  const request = useQuery({
    queryKey: ['delivery', deliveryId, 'request'],
    queryFn: async () => (await api.get<WebhookRequest>(`/deliveries/${encodeURIComponent(deliveryId)}/request`)).data,
  });
  return (
    <Panel
      title={words.request}
      actions={request.data && <CopyButton value={curlOfRequest(request.data)} what="as curl" words={words.curl} />}
    >
      <Shown of={request}>
        {(found) => (
          <>
            <p>{words.signedNow}</p>
            {Object.values(found.headers).includes('•••') && <p>{words.ownHeader}</p>}
            <div className={styles.pair}>
              <div className={styles.stack}>
                <h3>{words.headers}</h3>
                <Code text={headerLines(found)} what="headers" />
              </div>
              <div className={styles.stack}>
                <h3>{words.body}</h3>
                <Code text={prettyBody(found.body)} what="body" />
              </div>
            </div>
          </>
        )}
      </Shown>
    </Panel>
  );
}

function headerLines({ method, url, headers }: WebhookRequest): string {
  return [`${method} ${url}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join('\n');
}

/** For those who may look and not manage: what happened, without how it is signed. */
function EventOf({ of }: { of: DeliveryDetail }) {
  return (
    <Panel title={words.body}>
      <Code text={pretty(of.event.data)} what="event" />
    </Panel>
  );
}
