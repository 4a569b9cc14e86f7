/**
 * `/api/v1/sandbox/webhooks`: what the sandbox's own receiver of webhooks got, and how it answers from now on. Only
 * sandbox key pairs of the account to which the seeded endpoint belongs.
 */
import {
  inboxAnswerDefault,
  inboxEndpointId,
  inboxPageMax,
  inboxWaitMsMax,
  type ReceivedWebhook,
  receivedWebhookIdForm,
  type WebhookInbox,
} from '../domain/webhook-inbox.ts';
import { isoTime } from './envelope.ts';
import { type Answer, rejection, success } from './exchange.ts';
import type { Call, JsonCall, Work } from './guard.ts';
import { createBodyReader } from './json-body.ts';
import { busy, longPollOf } from './long-poll.ts';
import { inboxAnswerSchema } from './openapi-sandbox.ts';
import type { RouteDeps, RouteModule } from './server.ts';
import { shownVerdict } from './shown-verdict.ts';
import { untilGone } from './until-gone.ts';

/** What is left out is as at the start; null counts as left out. */
const readAnswer = createBodyReader<{ status?: number | null; delayMs?: number | null }>(inboxAnswerSchema);

const polling = { idForm: receivedWebhookIdForm, what: 'a received webhook', waitMsMax: inboxWaitMsMax };

export function sandboxInboxRoutes(inbox: WebhookInbox): RouteModule {
  return (_app, deps) => addRoutes(deps, inbox);
}

function addRoutes({ guarded, directory }: RouteDeps, inbox: WebhookInbox): void {
  function forOwner<C extends Call>(work: Work<C>): Work<C> {
    return (call) => {
      const { account, key } = call.caller;
      const seeded = directory().records.endpoints.find(({ endpointId }) => endpointId === inboxEndpointId);
      const isOwner = key.environment === 'sandbox' && seeded?.accountId === account.accountId;
      return isOwner ? work(call) : stranger;
    };
  }

  async function list({ exchange }: Call): Promise<Answer> {
    const asked = longPollOf(exchange.query, polling);
    if (typeof asked === 'string') return rejection('INVALID_FIELD', asked);
    const found = await untilGone(exchange, (signal) => inbox.list({ ...asked, signal }));
    if (found === 'full') return busy('Too many calls wait for webhooks at this moment.');
    const next = found[inboxPageMax - 1]?.id ?? null;
    return success(`${found.length} webhooks, oldest first.`, found.map(shownWebhook), next);
  }

  function answer({ body }: JsonCall): Answer {
    const read = readAnswer(body);
    if (!read.ok) return read.answer;
    const status = read.fields.status ?? inboxAnswerDefault.status;
    const delayMs = read.fields.delayMs ?? inboxAnswerDefault.delayMs;
    inbox.answerWith({ status, delayMs });
    return success(`Webhooks are answered with ${status} after ${delayMs} ms from now on.`, { status, delayMs });
  }

  const path = '/api/v1/sandbox/webhooks';
  guarded.get(path, 'read', forOwner(list));
  guarded.get(
    `${path}/answer`,
    'read',
    forOwner(() => success('How webhooks are answered now.', inbox.answer())),
  );
  guarded.post(`${path}/answer`, 'send', forOwner(answer));
}

const stranger = rejection(
  'NOT_FOUND',
  'The webhook inbox belongs to the sandbox company. Call this with a sandbox key pair of it.',
);

function shownWebhook({ receivedAt, signature, ...webhook }: ReceivedWebhook): object {
  return { ...webhook, receivedAt: isoTime(receivedAt), signature: shownVerdict(signature) };
}
