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

const webhookWords = labelsOf('webhook');
const copied = labelsOf('copied');

const words = webhookWords.delivery;

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
    { label: webhookWords.title, to: '/webhooks' },
    { label: endpoint?.name ?? endpointId, to: `/webhooks/${endpointId}` },
    { label: words.title },
  ];
  const actions = mayManage && (
    <>
      {delivery.data?.state === 'waiting' && (
        <Button look="primary" onPress={() => again.mutate('replay')} isPending={again.isPending}>
          {words.retryNow}
        </Button>
      )}
      <ActionMenu
        label={words.replayMenu}
        icon="more"
        actions={[
          { id: 'replay', label: words.replaySame, run: () => again.mutate('replay') },
          { id: 'send-as-new', label: words.sendAsNew, run: () => again.mutate('send-as-new') },
        ]}
      />
      <ApiRequest method="POST" path={`/api/v1/deliveries/${deliveryId}/replay`} />
    </>
  );
  return (
    <Page title={delivery.data?.type ?? words.title} crumbs={crumbs} actions={actions}>
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
  if (waits) return <Notice tone="ok" title={words.disabled} />;
  if (how === 'replay') return <Notice tone="ok" title={words.replayed} />;
  return (
    <Notice tone="ok" title={words.sentAsNew}>
      <p>{words.sentAsNewHelp}</p>
    </Notice>
  );
}

function About({ of }: { of: DeliveryWithAttempts }) {
  const { messageId } = of.event.data;
  return (
    <Panel>
      <Facts
        facts={[
          [words.state, <DeliveryBadge key="state" of={of} />],
          [words.created, <Time key="created" at={of.createdAt} />],
          [words.next, <Next key="next" of={of} />],
          [words.event, <Copyable key="event" value={of.eventId} what={copied.eventId} />],
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
          ...(of.againOf !== undefined
            ? ([
                [
                  words.againOf,
                  <Link
                    key="again"
                    to="/webhooks/$endpointId/deliveries/$deliveryId"
                    params={{ endpointId: of.endpointId, deliveryId: of.againOf }}
                  >
                    {words.earlier}
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
  if (of.nextAttemptAt === null) return webhookWords.none;
  if (waitsForEndpoint(of, Date.now())) return words.waitsForEndpoint;
  return <Time at={of.nextAttemptAt} form="relative" />;
}

type Attempt = DeliveryWithAttempts['attempts'][number];

function columns(signatures: DeliverySignatures | undefined): Column<Attempt>[] {
  const verdicts = new Map(signatures?.attempts.map(({ attempt, signature }) => [attempt, signature]));
  return [
    { id: 'attempt', title: words.attempt, figures: true, cell: ({ attempt }) => attempt },
    { id: 'at', title: words.at, cell: ({ at }) => <Time at={at} form="exact" /> },
    { id: 'result', title: words.result, cell: (attempt) => <Result of={attempt} /> },
    {
      id: 'took',
      title: words.took,
      figures: true,
      cell: ({ durationMs }) => words.took_ms(numberText(durationMs)),
    },
    {
      id: 'signature',
      title: words.signature,
      cell: ({ attempt, skewSeconds }) => {
        const verdict = verdicts.get(attempt);
        if (verdict !== undefined) return <SignatureShown of={verdict} skewSeconds={skewSeconds} />;
        return signatures === undefined ? '…' : <span className={styles.muted}>{words.notSent}</span>;
      },
    },
    {
      id: 'response',
      title: words.response,
      cell: ({ answer }) =>
        answer === null || answer === '' ? (
          <span className={styles.muted}>{answer === null ? words.hiddenResponse : words.emptyResponse}</span>
        ) : (
          <pre className={styles.example}>{answer}</pre>
        ),
    },
  ];
}

function Result({ of: { status, error, durationMs } }: { of: Attempt }) {
  if (status === null) {
    if (error === 'timeout') return words.late(numberText(Math.round(durationMs / 1_000)));
    return words.noAnswer[error ?? ''] ?? error;
  }
  return (
    <span>
      <code>{status}</code>
      {status >= 300 && status < 400 && ` ${words.redirect}`}
    </span>
  );
}

/** From this difference of the clocks on, programs refuse a webhook (Standard Webhooks: five minutes). */
const skewSecondsMax = 300;

function Attempts({ of: { deliveryId, attempts } }: { of: DeliveryWithAttempts }) {
  const { data: signatures } = useSignatures(deliveryId, attempts.length);
  const skewSeconds = attempts.findLast((one) => one.skewSeconds !== null)?.skewSeconds ?? null;
  return (
    <Panel title={words.attempts}>
      {attempts.length === 0 ? (
        <p>{words.noAttempts}</p>
      ) : (
        <>
          {skewSeconds !== null && Math.abs(skewSeconds) > skewSecondsMax && (
            <Notice tone="warn" title={words.clockOff(skewSeconds)}>
              <p>{words.clockHelp}</p>
            </Notice>
          )}
          <Table
            caption={words.attempts}
            columns={columns(signatures)}
            rows={attempts.toReversed()}
            keyOf={({ attempt }) => String(attempt)}
          />
          {skewSeconds === null && <p className={styles.muted}>{words.skewUnknown}</p>}
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
      title={words.request}
      actions={
        request.data && <CopyButton value={curlOfRequest(request.data)} what={copied.asCurl} words={words.curl} />
      }
    >
      <Shown of={request}>
        {(found) => (
          <>
            <p>{words.signedNow}</p>
            {Object.values(found.headers).includes('•••') && <p>{words.ownHeader}</p>}
            <div className={styles.pair}>
              <div className={styles.stack}>
                <h3>{words.headers}</h3>
                <Code text={headerLines(found)} what={copied.headers} />
              </div>
              <div className={styles.stack}>
                <h3>{words.body}</h3>
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
    <Panel title={words.body}>
      <Code text={pretty(of.event.data)} what={copied.event} />
    </Panel>
  );
}
