/** One delivery: every attempt and its answer, the request, and replay. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { api } from '../../api/client';
import type { DeliveryRequest, DeliverySignatures, DeliveryWithAttempts } from '../../api/routes/deliveries';
import { useMay } from '../../api/session';
import { numberText } from '../../language/formats';
import { labelsOf } from '../../language/labels';
import { ApiRequest } from '../../ui/ApiRequest';
import { Button } from '../../ui/Button';
import { Facts, Page, Panel } from '../../ui/Page';
import { FormFault, Notice, Shown } from '../../ui/States';
import { type Column, Table } from '../../ui/Table';
import { ActionMenu } from '../../ui/Tabs';
import { Code, Copyable, CopyButton, Time } from '../../ui/Values';
import { DeliveryBadge } from './EndpointStates';
import { SignatureShown } from './SignatureShown';
import styles from './Webhooks.module.css';
import {
  curlOfRequest,
  pretty,
  prettyBody,
  useDelivery,
  useEndpoint,
  useSignatures,
  waitsForEndpoint,
} from './webhooks';

const webhookLabels = labelsOf('webhook');
const copied = labelsOf('copied');

const labels = webhookLabels.delivery;

export function DeliveryPage() {
  const { endpointId, deliveryId } = useParams({ from: '/inside/webhooks/$endpointId/deliveries/$deliveryId' });
  const delivery = useDelivery(deliveryId);
  const { data: endpoint } = useEndpoint(endpointId);
  const mayManage = useMay('manageWebhooks');
  const client = useQueryClient();
  const again = useMutation({
    mutationFn: (how: Again) => api.post(`/deliveries/:deliveryId/${how}`, {}, { deliveryId }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['delivery', deliveryId] }),
  });
  const crumbs = [
    { label: webhookLabels.title, to: '/webhooks' },
    { label: endpoint?.name ?? endpointId, to: `/webhooks/${endpointId}` },
    { label: labels.title },
  ];
  const actions = mayManage && (
    <>
      {delivery.data?.state === 'waiting' && (
        <Button look="primary" onPress={() => again.mutate('replay')} isPending={again.isPending}>
          {labels.retryNow}
        </Button>
      )}
      <ActionMenu
        label={labels.replayMenu}
        icon="more"
        actions={[
          { id: 'replay', label: labels.replaySame, run: () => again.mutate('replay') },
          { id: 'send-as-new', label: labels.sendAsNew, run: () => again.mutate('send-as-new') },
        ]}
      />
      <ApiRequest method="POST" path={`/api/v1/deliveries/${deliveryId}/replay`} />
    </>
  );
  return (
    <Page title={delivery.data?.type ?? labels.title} crumbs={crumbs} actions={actions}>
      <FormFault error={again.error} />
      <div role="status">{again.isSuccess && <Done how={again.variables} waits={endpoint?.disabled != null} />}</div>
      <Shown of={delivery}>
        {(found) => (
          <>
            <About of={found} />
            <Attempts of={found} />
            {mayManage ? <Request deliveryId={deliveryId} /> : <EventOf of={found} />}
          </>
        )}
      </Shown>
    </Page>
  );
}

type Again = 'replay' | 'send-as-new';

function Done({ how, waits }: { how: Again; waits: boolean }) {
  if (waits) return <Notice tone="ok" title={labels.disabled} />;
  if (how === 'replay') return <Notice tone="ok" title={labels.replayed} />;
  return (
    <Notice tone="ok" title={labels.sentAsNew}>
      <p>{labels.sentAsNewHelp}</p>
    </Notice>
  );
}

function About({ of }: { of: DeliveryWithAttempts }) {
  const { messageId } = of.event.data;
  return (
    <Panel>
      <Facts
        facts={[
          [labels.state, <DeliveryBadge key="state" of={of} />],
          [labels.created, <Time key="created" at={of.createdAt} />],
          [labels.next, <Next key="next" of={of} />],
          [labels.event, <Copyable key="event" value={of.eventId} what={copied.eventId} />],
          ...(typeof messageId === 'string'
            ? ([
                [
                  labels.message,
                  <Link key="message" to="/messages/$messageId" params={{ messageId }}>
                    {labels.openMessage}
                  </Link>,
                ],
              ] as const)
            : []),
          ...(of.againOf !== undefined
            ? ([
                [
                  labels.againOf,
                  <Link
                    key="again"
                    to="/webhooks/$endpointId/deliveries/$deliveryId"
                    params={{ endpointId: of.endpointId, deliveryId: of.againOf }}
                  >
                    {labels.earlier}
                  </Link>,
                ],
              ] as const)
            : []),
        ]}
      />
    </Panel>
  );
}

function Next({ of }: { of: DeliveryWithAttempts }) {
  if (waitsForEndpoint(of, Date.now())) return labels.waitsForEndpoint;
  if (of.nextAttemptAt === null) return webhookLabels.none;
  return <Time at={of.nextAttemptAt} form="relative" />;
}

type Attempt = DeliveryWithAttempts['attempts'][number];

function columns(signatures: DeliverySignatures | undefined): Column<Attempt>[] {
  const verdicts = new Map(signatures?.attempts.map(({ attempt, signature }) => [attempt, signature]));
  return [
    { id: 'attempt', title: labels.attempt, figures: true, cell: ({ attempt }) => attempt },
    { id: 'at', title: labels.at, cell: ({ at }) => <Time at={at} form="exact" /> },
    { id: 'result', title: labels.result, cell: (attempt) => <Result of={attempt} /> },
    {
      id: 'took',
      title: labels.took,
      figures: true,
      cell: ({ durationMs }) => labels.took_ms(numberText(durationMs)),
    },
    {
      id: 'signature',
      title: labels.signature,
      cell: ({ attempt, skewSeconds }) => {
        const verdict = verdicts.get(attempt);
        if (verdict !== undefined) return <SignatureShown of={verdict} skewSeconds={skewSeconds} />;
        return signatures === undefined ? '…' : <span className={styles.muted}>{labels.notSent}</span>;
      },
    },
    {
      id: 'response',
      title: labels.response,
      cell: ({ answer }) =>
        answer === null || answer === '' ? (
          <span className={styles.muted}>{answer === null ? labels.hiddenResponse : labels.emptyResponse}</span>
        ) : (
          <pre className={styles.example}>{answer}</pre>
        ),
    },
  ];
}

function Result({ of: { status, error, durationMs } }: { of: Attempt }) {
  if (status === null) {
    if (error === 'timeout') return labels.late(numberText(Math.round(durationMs / 1_000)));
    return labels.noAnswer[error ?? ''] ?? error;
  }
  return (
    <span>
      <code>{status}</code>
      {status >= 300 && status < 400 && ` ${labels.redirect}`}
    </span>
  );
}

/** From this difference of the clocks on, programs refuse a webhook (Standard Webhooks: five minutes). */
const skewSecondsMax = 300;

function Attempts({ of: { deliveryId, attempts } }: { of: DeliveryWithAttempts }) {
  const { data: signatures } = useSignatures(deliveryId, attempts.length);
  const skewSeconds = attempts.findLast((one) => one.skewSeconds !== null)?.skewSeconds ?? null;
  return (
    <Panel title={labels.attempts}>
      {attempts.length === 0 ? (
        <p>{labels.noAttempts}</p>
      ) : (
        <>
          {skewSeconds !== null && Math.abs(skewSeconds) > skewSecondsMax && (
            <Notice tone="warn" title={labels.clockOff(skewSeconds)}>
              <p>{labels.clockHelp}</p>
            </Notice>
          )}
          <Table
            caption={labels.attempts}
            columns={columns(signatures)}
            rows={attempts.toReversed()}
            keyOf={({ attempt }) => String(attempt)}
          />
          {skewSeconds === null && <p className={styles.muted}>{labels.skewUnknown}</p>}
        </>
      )}
    </Panel>
  );
}

function Request({ deliveryId }: { deliveryId: string }) {
  const request = useQuery({
    queryKey: ['delivery', deliveryId, 'request'],
    queryFn: async () => (await api.get('/deliveries/:deliveryId/request', { deliveryId })).data,
  });
  return (
    <Panel
      title={labels.request}
      actions={
        request.data && <CopyButton value={curlOfRequest(request.data)} what={copied.asCurl} label={labels.curl} />
      }
    >
      <Shown of={request}>
        {(found) => (
          <>
            <p>{labels.signedNow}</p>
            {Object.values(found.headers).includes('•••') && <p>{labels.ownHeader}</p>}
            <div className={styles.pair}>
              <div className={styles.stack}>
                <h3>{labels.headers}</h3>
                <Code text={headerLines(found)} what={copied.headers} />
              </div>
              <div className={styles.stack}>
                <h3>{labels.body}</h3>
                <Code text={prettyBody(found.body ?? '')} what={copied.body} />
              </div>
            </div>
          </>
        )}
      </Shown>
    </Panel>
  );
}

function headerLines({ method, url, headers }: DeliveryRequest): string {
  return [`${method} ${url}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join('\n');
}

/** For people with read-only access: the attempts, without the signing details. */
function EventOf({ of }: { of: DeliveryWithAttempts }) {
  return (
    <Panel title={labels.body}>
      <Code text={pretty(of.event.data)} what={copied.event} />
    </Panel>
  );
}
