/**
 * `/api/v1/endpoints`: webhook endpoints of the caller's account and environment, their secrets, a test event, and sending
 * again what was sent in a period. A secret is shown once, a header's value never. What may be set is the desk's business.
 */

import type { Clock } from '../domain/clock.ts';
import { counted } from '../domain/counted.ts';
import type { Ids } from '../domain/ids.ts';
import type { Endpoint } from '../domain/records.ts';
import { webhookTimeoutMs } from '../domain/webhook-post.ts';
import { type EndpointFields, endpointLimits } from '../flow/endpoint-check.ts';
import type { EndpointDesk, EndpointOutcome } from '../flow/endpoints.ts';
import type { EventStore } from '../store/store.ts';
import {
  changeEndpointSchema,
  createEndpointSchema,
  noFieldsSchema,
  replayRangeSchema,
  rotateSecretSchema,
} from './endpoint-schemas.ts';
import { isoTime } from './envelope.ts';
import { type Answer, rejection, retryAfter, success } from './exchange.ts';
import { type Call, type JsonCall, param, type Work } from './guard.ts';
import { createBodyReader, type ReadBody } from './json-body.ts';
import { readTime } from './list-query.ts';
import { ownerOf } from './owner.ts';
import type { RouteModule } from './server.ts';

export interface EndpointRouteParts {
  desk: EndpointDesk;
  store: Pick<EventStore, 'addEvents' | 'replayWebhooks'>;
  clock: Pick<Clock, 'now'>;
  ids: Pick<Ids, 'next'>;
  /** New events are in the log. */
  nudge(): void;
  /** Deliveries of an endpoint wait anew. */
  replayed(endpointId: string): void;
}

/** An endpoint as it is sent. */
type SentEndpoint = Partial<Omit<EndpointFields, 'campaignId' | 'name' | 'format' | 'timeoutMs'>> & {
  timeoutSeconds?: number | null;
  campaign?: string | null;
  name?: string | null;
  format?: EndpointFields['format'] | null;
};

/** The store replays this many deliveries at once, and this many times in one request. */
const replayBatch = 10_000;
const replayRounds = 10;

export function endpointRoutes(parts: EndpointRouteParts): RouteModule {
  const { desk, clock } = parts;
  const readCreate = createBodyReader<SentEndpoint & { url: string }>(createEndpointSchema);
  const readChange = createBodyReader<SentEndpoint>(changeEndpointSchema);
  const readRotate = createBodyReader<{ overlapHours?: number | null }>(rotateSecretSchema);
  const readNothing = createBodyReader<object>(noFieldsSchema);
  const readReplay = createBodyReader<SentRange>(replayRangeSchema);

  const shown = (endpoint: Endpoint): object => shownEndpoint(endpoint, clock.now());
  const told = (done: string) => (outcome: EndpointOutcome) => answerTo(outcome, done, clock.now());

  /** Work on one endpoint of the caller; `missing` when it is not there. */
  function onEndpoint<C extends Call>(work: (call: C, endpoint: Endpoint) => Answer | Promise<Answer>): Work<C> {
    return (call) => {
      const endpoint = desk.get(ownerOf(call), param(call, 'endpointId'));
      return endpoint === null ? missing : work(call, endpoint);
    };
  }

  async function test({ endpointId, accountId, disabled, format }: Endpoint): Promise<Answer> {
    if (disabled !== null) {
      return rejection('INVALID_FIELD', 'The endpoint is disabled, so that nothing is sent to it. Enable it first.');
    }
    if (format === 'flat') {
      return rejection('INVALID_FIELD', 'The flat format has no test event, only messages. Send a text to try it.');
    }
    const event = {
      eventId: parts.ids.next('evt_'),
      accountId,
      type: 'webhook.test' as const,
      at: clock.now(),
      data: { endpointId, message: 'This is a test. Your endpoint works.' },
    };
    await parts.store.addEvents([event]);
    parts.nudge();
    return success('A test event is on its way. Look at the deliveries of the endpoint.', {
      id: event.eventId,
      type: event.type,
    });
  }

  async function replay({ endpointId, accountId }: Endpoint, range: SentRange): Promise<Answer> {
    const times = readRange(range, clock.now());
    if (typeof times === 'string') return rejection('INVALID_FIELD', times);
    let { after } = times;
    const countOnly = range.dryRun ?? false;
    let total = 0;
    let more = true;
    for (let round = 0; more && round < replayRounds; round++) {
      const which = { since: times.since, until: times.until, after, failedOnly: range.failedOnly ?? false };
      const { replayed, position } = await parts.store.replayWebhooks({
        accountId,
        endpointId,
        which,
        now: clock.now(),
        countOnly,
      });
      total += replayed;
      more = replayed >= replayBatch;
      after = position;
    }
    if (total > 0 && !countOnly) parts.replayed(endpointId);
    const rest = more ? ' There are more: call again with after set to next.' : '';
    const done = countOnly ? 'would be sent again. Nothing was changed.' : `${total === 1 ? 'is' : 'are'} sent again.`;
    return success(
      `${counted(total, 'delivery', 'deliveries')} ${done}${rest}`,
      { replayed: total },
      more ? `pos_${after}` : null,
    );
  }

  function withBody<T>(
    read: ReadBody<T>,
    work: (call: JsonCall, fields: T) => Answer | Promise<Answer>,
  ): Work<JsonCall> {
    return (call) => {
      const body = read(call.body);
      return body.ok ? work(call, body.fields) : body.answer;
    };
  }

  const path = '/api/v1/endpoints';
  const one = `${path}/:endpointId`;
  const idOf = (call: Call): string => param(call, 'endpointId');
  return (_app, { guarded }) => {
    guarded.get(path, 'read', (call) => {
      const endpoints = desk.list(ownerOf(call));
      return success(`${counted(endpoints.length, 'endpoint')}, oldest first.`, endpoints.map(shown), null);
    });
    guarded.post(
      path,
      'admin',
      withBody(readCreate, (call, sent) =>
        desk.create(ownerOf(call), { ...fieldsOf(sent), url: sent.url }).then(told('The endpoint is there.')),
      ),
    );
    guarded.get(
      one,
      'read',
      onEndpoint((_call, endpoint) => success('The endpoint.', shown(endpoint))),
    );
    guarded.patch(
      one,
      'admin',
      withBody(readChange, (call, sent) =>
        desk.change(ownerOf(call), idOf(call), fieldsOf(sent)).then(told('The endpoint is changed.')),
      ),
    );
    guarded.delete(one, 'admin', (call) =>
      desk.remove(ownerOf(call), idOf(call)).then(told('The endpoint is deleted. Nothing is sent to it any more.')),
    );
    guarded.act(
      `${one}/disable`,
      'admin',
      withBody(readNothing, (call) =>
        desk.disable(ownerOf(call), idOf(call)).then(told('The endpoint is disabled. Its deliveries wait.')),
      ),
    );
    guarded.act(
      `${one}/enable`,
      'admin',
      withBody(readNothing, (call) =>
        desk.enable(ownerOf(call), idOf(call)).then(told('The endpoint is enabled. What waited is sent.')),
      ),
    );
    guarded.act(
      `${one}/rotate-secret`,
      'admin',
      withBody(readRotate, (call, { overlapHours }) => {
        const hours = overlapHours ?? endpointLimits.overlapHoursDefault;
        return desk
          .rotate(ownerOf(call), idOf(call), hours)
          .then(told(`The endpoint has a new secret. The old one signs for ${hours} h more.`));
      }),
    );
    guarded.act(
      `${one}/test`,
      'send',
      withBody(
        readNothing,
        onEndpoint((_call, endpoint) => test(endpoint)),
      ),
    );
    guarded.post(
      `${one}/replay`,
      'send',
      withBody(readReplay, (call, range) => onEndpoint((_call, endpoint) => replay(endpoint, range))(call)),
    );
  };
}

const missing = rejection('NOT_FOUND', 'Your account has no endpoint with this id. Check the id and the key pair.');

const privateRisk =
  ' Its address is of a private network, which is allowed here: anybody who may manage webhooks can make this gateway call machines inside it.';

function answerTo(outcome: EndpointOutcome, done: string, now: number): Answer {
  switch (outcome.kind) {
    case 'done': {
      const { endpoint, secret, unresolved, isPrivate } = outcome;
      const once = secret === null ? '' : ' Keep the secret: it is shown this once.';
      const note = unresolved ? ' The name of its host is not known to the DNS at this moment.' : '';
      const risk = isPrivate === true ? privateRisk : '';
      const data = { ...shownEndpoint(endpoint, now), ...(secret !== null && { secret: secret.reveal() }) };
      return success(`${done}${once}${note}${risk}`, data);
    }
    case 'missing':
      return missing;
    case 'refused':
      return rejection('INVALID_FIELD', `${outcome.detail} Nothing was changed.`);
    case 'busy':
      return rejection('TEMPORARILY_UNAVAILABLE', 'Too many changes of your endpoints wait. Try again in 1 s.', {
        headers: retryAfter(1),
      });
  }
}

/** The fields of the record that were sent; null counts as not sent where a field cannot be empty. */
function fieldsOf(sent: SentEndpoint): Partial<EndpointFields> {
  const { campaign, url, name, format, timeoutSeconds, ...filters } = sent;
  return {
    ...filters,
    ...(timeoutSeconds !== undefined && { timeoutMs: timeoutSeconds === null ? null : timeoutSeconds * 1_000 }),
    ...(campaign !== undefined && { campaignId: campaign }),
    ...(url !== undefined && { url }),
    ...(name != null && { name }),
    ...(format != null && { format }),
  };
}

/** Only what is listed here is shown: a record holds secrets. */
function shownEndpoint(endpoint: Endpoint, now: number): object {
  const { endpointId, name, url, types, format, number, campaignId, header, disabled, secrets, createdAt } = endpoint;
  const timeoutMs = endpoint.timeoutMs ?? webhookTimeoutMs.default;
  const old = secrets.flatMap(({ expiresAt }) => (expiresAt !== null && expiresAt > now ? [expiresAt] : []));
  return {
    endpointId,
    name,
    url,
    types,
    format,
    number,
    campaign: campaignId,
    header: header === null ? null : { name: header.name },
    timeoutSeconds: timeoutMs / 1_000,
    disabled: disabled === null ? null : { at: isoTime(disabled.at), why: disabled.why },
    oldSecretUntil: old.length === 0 ? null : isoTime(Math.max(...old)),
    createdAt: isoTime(createdAt),
  };
}

interface SentRange {
  since: string;
  until?: string | null;
  after?: string | null;
  failedOnly?: boolean | null;
  dryRun?: boolean | null;
}

function readRange(range: SentRange, now: number): { since: number; until: number; after: number } | string {
  const since = readTime(range.since);
  const until = range.until == null ? now : readTime(range.until);
  if (since === null) return 'since must be a time with its zone, such as 2026-01-31T12:00:00Z.';
  if (until === null) return 'until must be a time with its zone, such as 2026-01-31T12:00:00Z.';
  if (since > until) return 'since is later than until. Swap them.';
  const [, position] = /^pos_([0-9]{1,15})$/.exec(range.after ?? 'pos_0') ?? [];
  return position === undefined
    ? 'after must be the next of the answer before.'
    : { since, until, after: Number(position) };
}
