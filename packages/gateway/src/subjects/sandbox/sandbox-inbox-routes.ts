/**
 * `/api/v1/sandbox/webhooks`: received webhooks of the sandbox inbox, and its answers from now on. Only for sandbox key
 * pairs of the seeded account.
 */
import { isoTime } from '../../http/envelope.ts';
import { type Answer, rejection, success } from '../../http/exchange.ts';
import type { Call } from '../../http/guard.ts';
import { busy, longPollFields, waitingFor } from '../../http/long-poll.ts';
import { notSandbox } from '../../http/openapi-parts.ts';
import { answers, answersPage, jsonBody } from '../../http/route.ts';
import type { RouteDeps, RouteModule } from '../../http/server.ts';
import { list, type TypeOf } from '../../http/shape.ts';
import { untilGone } from '../../http/until-gone.ts';
import {
  inboxAnswerDefault,
  inboxEndpointId,
  inboxPageMax,
  inboxWaitMsMax,
  type ReceivedWebhook,
  receivedWebhookIdForm,
  type WebhookInbox,
} from '../../model/webhook-inbox.ts';
import { shownVerdict } from '../webhooks/shown-verdict.ts';
import { inboxAnswer, inboxAnswerChange, receivedWebhook } from './sandbox-shapes.ts';

const polling = { idForm: receivedWebhookIdForm, what: 'a received webhook', waitMsMax: inboxWaitMsMax };

export function sandboxInboxRoutes(inbox: WebhookInbox): RouteModule {
  return (_app, deps) => addRoutes(deps, inbox);
}

function addRoutes({ guarded, directory }: RouteDeps, inbox: WebhookInbox): void {
  function admits({ caller: { account, key } }: Call): Answer<never> | null {
    const seeded = directory().records.endpoints.find(({ endpointId }) => endpointId === inboxEndpointId);
    return key.environment === 'sandbox' && seeded?.accountId === account.accountId ? null : stranger;
  }

  guarded.add({
    method: 'GET',
    path: '/api/v1/sandbox/webhooks',
    scope: 'read',
    operationId: 'listReceivedWebhooks',
    summary: 'Webhooks that the inbox of the sandbox received',
    notFound: notSandbox,
    admits,
    query: longPollFields(polling, 'webhook'),
    answer: answersPage(list(receivedWebhook), 'after', 'Webhooks, oldest first; the latest 500 are kept'),
    work: async ({ exchange, query }) => {
      const found = await untilGone(exchange, (signal) => inbox.list({ ...waitingFor(query), signal }));
      if (found === 'full') return busy('Too many calls wait for webhooks at this moment.');
      const next = found[inboxPageMax - 1]?.id ?? null;
      return success(`${found.length} webhooks, oldest first.`, found.map(shownWebhook), next);
    },
  });

  guarded.add({
    method: 'GET',
    path: '/api/v1/sandbox/webhooks/answer',
    scope: 'read',
    operationId: 'getReceivedWebhooksAnswer',
    summary: 'The current answer of the webhook inbox',
    notFound: notSandbox,
    admits,
    answer: answers(inboxAnswer, 'As it answers now'),
    work: () => success('The current answer to webhooks.', inbox.answer()),
  });

  guarded.add({
    method: 'POST',
    path: '/api/v1/sandbox/webhooks/answer',
    scope: 'send',
    people: { permission: 'manageWebhooks' },
    operationId: 'answerReceivedWebhooks',
    summary: 'Change the answer of the webhook inbox, to try failures',
    notFound: notSandbox,
    admits,
    body: jsonBody(inboxAnswerChange),
    answer: answers(inboxAnswer, 'As it answers now'),
    work: ({ body }) => {
      const status = body.status ?? inboxAnswerDefault.status;
      const delayMs = body.delayMs ?? inboxAnswerDefault.delayMs;
      inbox.answerWith({ status, delayMs });
      return success(`Webhooks are answered with ${status} after ${delayMs} ms from now on.`, { status, delayMs });
    },
  });
}

const stranger = rejection(
  'NOT_FOUND',
  'The webhook inbox belongs to the sandbox company. Use one of its sandbox key pairs.',
);

function shownWebhook({ receivedAt, signature, ...webhook }: ReceivedWebhook): TypeOf<typeof receivedWebhook> {
  return { ...webhook, receivedAt: isoTime(receivedAt), signature: shownVerdict(signature) };
}
