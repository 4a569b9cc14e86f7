/**
 * Webhook pages beyond the mirrored API: endpoint health, event catalogue, a delivery's request with a fresh signature,
 * signature check. Shows no secret and no header value; pasted input is not stored.
 */
import { webhooks } from '@heliograph/client';
import type { HeaderRules } from '@heliograph/guarded-fetch';
import { isoTime } from '../../http/envelope.ts';
import { rejection, success } from '../../http/exchange.ts';
import { param } from '../../http/guard.ts';
import { fieldFaults } from '../../http/portal/answers.ts';
import { answersExport, exported, exportQuery } from '../../http/portal/export-stream.ts';
import { type FormOf, form, optional, required } from '../../http/portal/forms.ts';
import type { PortalModule } from '../../http/portal/portal.ts';
import type { PortalCall } from '../../http/portal/portal-guard.ts';
import { answers } from '../../http/route.ts';
import type { RouteDeps } from '../../http/server.ts';
import { list } from '../../http/shape.ts';
import type { EpochMs } from '../../kernel/clock.ts';
import { counted } from '../../kernel/counted.ts';
import type { AccountId } from '../../kernel/ids.ts';
import { type Sealing, webhookSecretPlace } from '../../kernel/sealed-place.ts';
import type { EventStore } from '../../messaging/store/modules/events.ts';
import type { Endpoint } from '../../model/records.ts';
import { type SignatureVerdict, type SigningSecret, signatureVerdict } from '../../model/signature-verdict.ts';
import { readDeliveryId, type WebhookAttempt } from '../../model/webhook-event.ts';
import { describedEvents, describedFlat } from '../../model/webhook-schema.ts';
import { writeDeliveries } from './delivery-export.ts';
import { deliveryFields, readDeliveryQuery } from './delivery-list.ts';
import { headerFault, isOf } from './endpoint-check.ts';
import { contentOf } from './notify/content.ts';
import { shownVerdict } from './shown-verdict.ts';
import type { WebhookStore } from './store/module.ts';
import { renderWebhook } from './webhook-payload.ts';
import {
  deliveryRequest,
  deliverySignatures,
  endpointHealth,
  eventCatalogue,
  signatureCheck,
} from './webhook-portal-shapes.ts';

export interface WebhookRouteParts {
  store: Pick<WebhookStore, 'webhookDeliveries' | 'webhookDelivery' | 'endpointHealth' | 'webhookQueues'> &
    Pick<EventStore, 'eventPosition' | 'accountEvents'>;
  /** Opens sealed secrets. */
  sealer: Pick<Sealing, 'open'>;
  /** The rules for an endpoint's header. */
  headerRules: HeaderRules;
}

/** Newest deliveries of an endpoint that count for its health, and those whose attempts are read. */
const judged = 100;
const timed = 20;
const bodyCharactersMax = 64 * 1_024;
/** Shown in place of an endpoint's own header value. */
const hiddenValue = '•••';

export function webhookRoutes({ store, sealer, headerRules }: WebhookRouteParts): PortalModule {
  return (routes, deps) => {
    const { clock, directory } = deps;
    const own = ({ account, environment }: PortalCall): Endpoint[] =>
      directory()
        .endpointsOf(account.accountId)
        .filter((endpoint) => isOf(endpoint, { accountId: account.accountId, environment }));
    /** The secrets that were, or will be, valid at a moment. */
    const secretsAt = ({ endpointId, secrets, createdAt }: Endpoint, at: EpochMs): SigningSecret[] =>
      secrets
        .filter(({ expiresAt, since = createdAt }) => since <= at && (expiresAt === null || expiresAt > at))
        .map(({ secret, expiresAt }) => ({ secret: sealer.open(secret, webhookSecretPlace(endpointId)), expiresAt }));
    const secretsOf = (endpoint: Endpoint): SigningSecret[] =>
      secretsAt(endpoint, Math.max(clock.now(), endpoint.createdAt));

    /** A delivery of the caller, with its endpoint and event. */
    async function deliveryOf(call: PortalCall) {
      const place = readDeliveryId(param(call, 'deliveryId'));
      const endpoint = own(call).find(({ endpointId }) => endpointId === place?.endpointId);
      if (place === null || endpoint === undefined) return null;
      const found = await store.webhookDelivery({ accountId: endpoint.accountId, ...place });
      const content = found === null ? null : await contentOf(found.event, store);
      return found === null || content === null || content === 'later' ? null : { ...found, event: content, endpoint };
    }

    routes.add({
      method: 'GET',
      path: '/webhooks/health',
      access: 'read',
      answer: answers(list(endpointHealth), 'How each endpoint is doing'),
      work: async (call) => {
        const known = new Map((await store.endpointHealth()).map((health) => [health.endpointId, health]));
        const queues = new Map((await store.webhookQueues()).map((queue) => [queue.endpointId, queue]));
        const shown = await Promise.all(
          own(call).map(async (endpoint) => {
            const { endpointId } = endpoint;
            const { failingSince = null, lastSuccessAt = null } = known.get(endpointId) ?? {};
            return {
              endpointId,
              ...(await recentOf(store, endpoint)),
              waiting: queues.get(endpointId)?.waiting ?? 0,
              nextAttemptAt: timeOrNull(endpoint.disabled === null ? (queues.get(endpointId)?.dueAt ?? null) : null),
              failingSince: timeOrNull(failingSince),
              lastSuccessAt: timeOrNull(lastSuccessAt),
            };
          }),
        );
        return success(`How ${counted(shown.length, 'endpoint is', 'endpoints are')} doing.`, shown);
      },
    });

    for (const format of ['csv', 'jsonl'] as const) {
      routes.add({
        method: 'GET',
        path: `/deliveries/export.${format}`,
        access: 'read',
        query: { ...deliveryFields, ...exportQuery },
        answer: answersExport(format),
        work: async (call) => {
          const query = readDeliveryQuery(call.query);
          if (typeof query === 'string') return rejection('INVALID_FIELD', query);
          const endpoints = own(call).filter(
            ({ endpointId }) => query.endpoint === null || endpointId === query.endpoint,
          );
          if (query.endpoint !== null && endpoints.length === 0) return noEndpoint;
          return exported(call, { name: 'deliveries', format }, (out) =>
            writeDeliveries(out, query, { store, endpoints, format }),
          );
        },
      });
    }

    routes.add({
      method: 'GET',
      path: '/webhooks/catalogue',
      access: 'read',
      answer: answers(eventCatalogue, 'Every type of event, with its JSON Schema and an example'),
      work: () =>
        success('Every type of event, with its JSON Schema and an example.', {
          events: describedEvents,
          flat: describedFlat,
          header: shownRules(headerRules),
        }),
    });

    routes.add({
      method: 'GET',
      path: '/deliveries/:deliveryId/request',
      access: 'manageWebhooks',
      answer: answers(deliveryRequest, 'What an attempt sends, signed as one of this moment'),
      work: async (call) => {
        const found = await deliveryOf(call);
        if (found === null) return noDelivery;
        const { endpoint } = found;
        const body = renderWebhook(found.event, endpoint.format);
        const { deliveryId } = found.delivery;
        const secrets = secretsOf(endpoint).map(({ secret }) => secret);
        const request = requestOf(endpoint, found.event.eventId, body, secrets, deps);
        return success('The request of an attempt, signed as of now.', { deliveryId, ...request });
      },
    });

    routes.add({
      method: 'GET',
      path: '/deliveries/:deliveryId/signatures',
      access: 'read',
      answer: answers(
        deliverySignatures,
        'Whether the secrets in force now confirm each attempt, checked as your program does',
      ),
      work: async (call) => {
        const found = await deliveryOf(call);
        if (found === null) return noDelivery;
        const { endpoint, event, attempts } = found;
        const signed = { id: event.eventId, body: renderWebhook(event, endpoint.format) };
        return success('Each attempt, checked with the current secrets as your program does.', {
          attempts: attempts.filter(mayHaveLeft).map(({ attempt, at }) => {
            const headers = headersAt(signed, secretsAt(endpoint, at), at);
            const judged = { secrets: secretsOf(endpoint), now: at, verify: webhooks.verifySignature };
            const verdict = headers === null ? secretGone : signatureVerdict({ body: signed.body, headers }, judged);
            return { attempt, signature: shownVerdict(verdict) };
          }),
        });
      },
    });

    routes.add({
      method: 'POST',
      path: '/webhooks/verify',
      access: 'manageWebhooks',
      body: form(verifyFields),
      answer: answers(signatureCheck, 'Whether the signature is valid, and why not'),
      work: (call) => {
        const endpoints = own(call);
        return verifyAnswer(call.body, {
          now: clock.now(),
          secretsOf: (endpointId) => {
            const endpoint = endpoints.find((one) => one.endpointId === endpointId);
            return endpoint === undefined ? null : secretsOf(endpoint);
          },
          sentBodies: (eventId) => sentBodies(store, call.account.accountId, eventId),
        });
      },
    });
  };
}

/** For the form of an endpoint, which checks a header before it is saved. */
function shownRules({ name, value, charactersMax }: HeaderRules) {
  return { name: name.source, value: value.source, charactersMax, fault: headerFault };
}

/** Other attempts sent nothing, so there is nothing to check. */
function mayHaveLeft({ status, error }: WebhookAttempt): boolean {
  return status !== null || error === 'timeout';
}

const secretGone: SignatureVerdict = {
  valid: false,
  reason: 'SECRET_OVER',
  skewSeconds: null,
  detail: 'It was signed with a secret that is no longer active. Replay it to sign it with the current one.',
};

/** The three headers of that attempt; null when none of its secrets is stored any more. */
function headersAt({ id, body }: { id: string; body: string }, secrets: readonly SigningSecret[], at: EpochMs) {
  const signed = secrets.map(({ secret }) => webhooks.sign({ id, body, secret, timestamp: new Date(at) }));
  if (signed[0] === undefined) return null;
  return { ...signed[0], 'webhook-signature': signed.map((one) => one['webhook-signature']).join(' ') };
}

const noEndpoint = rejection('NOT_FOUND', 'Your company has no endpoint with this id.');
const noDelivery = rejection('NOT_FOUND', 'Your company has no delivery with this id.');

/** Rates and times of recent deliveries; null when there were none. */
async function recentOf(store: WebhookRouteParts['store'], { accountId, endpointId }: Endpoint) {
  const query = { accountId, endpointIds: [endpointId], state: null, before: null, limit: judged };
  const deliveries = await store.webhookDeliveries(query);
  const tried = deliveries.filter(({ attempts }) => attempts > 0);
  const details = await Promise.all(
    tried.slice(0, timed).map(({ position }) => store.webhookDelivery({ accountId, endpointId, position })),
  );
  const durations = details.flatMap(
    (found) => found?.attempts.filter(isAnswered).map(({ durationMs }) => durationMs) ?? [],
  );
  return {
    tried: tried.length,
    succeeded: tried.filter(({ state }) => state === 'delivered').length,
    failed: deliveries.filter(({ state }) => state === 'failed').length,
    p95Ms: percentile(durations, 0.95),
  };
}

function isAnswered({ status }: WebhookAttempt): boolean {
  return status !== null;
}

function timeOrNull(at: EpochMs | null): string | null {
  return at === null ? null : isoTime(at);
}

/** Nearest rank; null without values. */
function percentile(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * share) - 1] ?? null;
}

function requestOf(
  { url, header, format }: Endpoint,
  id: string,
  body: string,
  secrets: readonly string[],
  { clock, version }: Pick<RouteDeps, 'clock' | 'version'>,
) {
  const timestamp = new Date(clock.now());
  const signed = secrets.map((secret) => webhooks.sign({ id, body, secret, timestamp }));
  const headers = {
    ...(header !== null && { [header.name]: hiddenValue }),
    'content-type': 'application/json',
    'user-agent': `Heliograph/${version}`,
    ...signed[0],
    'webhook-signature': signed.map((one) => one['webhook-signature']).join(' '),
  };
  return { method: 'POST', url, format, headers, body, secretsInForce: secrets.length };
}

interface VerifyParts {
  now: number;
  secretsOf(endpointId: string): readonly SigningSecret[] | null;
  /** The bodies in which an event of the company is sent; none for an unknown event. */
  sentBodies(eventId: string): Promise<string[]>;
}

const verifyFields = {
  body: { ...required, charactersMax: bodyCharactersMax },
  id: required,
  timestamp: required,
  signature: required,
  secret: optional,
  endpointId: optional,
} as const;

async function verifyAnswer(sent: FormOf<typeof verifyFields>, { now, secretsOf, sentBodies: bodiesOf }: VerifyParts) {
  const { body, id, timestamp, signature, secret = '', endpointId } = sent;
  const typed = secret.trim() === '' ? null : [{ secret: secret.trim(), expiresAt: null }];
  const secrets = typed ?? (endpointId === undefined ? [] : secretsOf(endpointId));
  if (secrets === null) return fieldFaults({ endpointId: 'Your company has no endpoint with this id.' });
  if (secrets.length === 0) return fieldFaults({ secret: 'Paste a secret, or choose an endpoint.' });
  const headers = {
    'webhook-id': id.trim(),
    'webhook-timestamp': timestamp.trim(),
    'webhook-signature': signature.trim(),
  };
  const verdict = signatureVerdict({ body, headers }, { secrets, now, verify: webhooks.verifySignature });
  const { valid, skewSeconds } = verdict;
  if (!verdict.valid) {
    const fits = (other: string) =>
      signatureVerdict({ body: other, headers }, { secrets, now, verify: webhooks.verifySignature });
    const isOther = verdict.reason === 'NO_MATCHING_SIGNATURE';
    const sentOnes = isOther ? await bodiesOf(id.trim()) : [];
    if (isOther && [...rewritten(body), ...sentOnes].some((other) => isSigned(fits(other)))) {
      return success(bodyChanged, { valid, reason: 'BODY_CHANGED', skewSeconds });
    }
    return success(sentOnes.length > 0 ? otherSecret : whyNot(verdict), { valid, reason: verdict.reason, skewSeconds });
  }
  const { by, until } = verdict;
  const which = typed === null ? { by, until: until === null ? null : isoTime(until) } : {};
  return success('The signature is valid.', { valid, reason: null, skewSeconds, ...which });
}

const bodyChanged =
  'The secret is right, but the body is not the signed one: it was changed, or parsed and written again. Verify the raw bytes of the request, before any JSON parser.';

const otherSecret =
  'The stored body does not match either: the secret is a different one, or the timestamp or signature is not from this attempt.';

/** Whether one of the secrets made it, even if its time is over. */
function isSigned(verdict: SignatureVerdict): boolean {
  return verdict.valid || verdict.reason === 'TIMESTAMP_TOO_OLD' || verdict.reason === 'TIMESTAMP_TOO_NEW';
}

/** Possible forms of the body before somebody copied it or a program rewrote it. */
function rewritten(body: string): string[] {
  const trimmed = body.trim();
  try {
    return [trimmed, JSON.stringify(JSON.parse(trimmed))];
  } catch {
    return [trimmed];
  }
}

async function sentBodies(store: WebhookRouteParts['store'], accountId: AccountId, eventId: string): Promise<string[]> {
  const position = eventId === 'latest' ? null : await store.eventPosition({ accountId, eventId });
  if (position === null) return [];
  const { events } = await store.accountEvents({ accountId, after: position - 1, types: null, limit: 1 });
  const [event] = events.filter((one) => one.eventId === eventId);
  return event === undefined ? [] : (['standard', 'flat'] as const).map((format) => renderWebhook(event, format));
}

/** The time is checked only after the signature has matched, so the sentence can state both. */
function whyNot({ reason, detail, skewSeconds }: SignatureVerdict & { valid: false }): string {
  if (skewSeconds === null || (reason !== 'TIMESTAMP_TOO_OLD' && reason !== 'TIMESTAMP_TOO_NEW')) return detail;
  const lies = reason === 'TIMESTAMP_TOO_OLD' ? 'old' : 'ahead of this clock';
  return `The signature is right; the timestamp is ${spanOf(Math.abs(skewSeconds))} ${lies}, more than 5 minutes.`;
}

/** Units of a time span, each with the smallest count for its use; spans are rounded up. */
const spans = [
  ['day', 86_400, 2],
  ['hour', 3_600, 2],
  ['minute', 60, 6],
] as const;

function spanOf(seconds: number): string {
  const [unit, size] = spans.find(([, one, from]) => seconds >= from * one) ?? (['second', 1] as const);
  return `${new Intl.NumberFormat('en').format(Math.floor(seconds / size))} ${unit}s`;
}
