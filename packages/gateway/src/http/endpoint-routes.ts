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
  endpoint,
  endpointFields,
  endpointWithSecret,
  newEndpoint,
  replayRange,
  rotateSecret,
  type SentEndpoint,
  type SentRange,
  storedEvent,
} from './endpoint-shapes.ts';
import { isoTime } from './envelope.ts';
import { type Answer, rejection, retryAfter, success } from './exchange.ts';
import { type Call, type GuardedRoutes, param } from './guard.ts';
import { readTime } from './list-query.ts';
import { ownerOf } from './owner.ts';
import { answers, answersPage, jsonBody, noFields } from './route.ts';
import type { RouteModule } from './server.ts';
import { list, object, type TypeOf, whole } from './shape.ts';

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

/** The store replays this many deliveries at once, and this many times in one request. */
const replayBatch = 10_000;
const replayRounds = 10;

const params = { endpointId: '`ep_…`' };
const notFound = 'No such endpoint of this account and environment';
const permission = 'manageWebhooks';

export function endpointRoutes(parts: EndpointRouteParts): RouteModule {
  const { desk, clock } = parts;
  const shown = (one: Endpoint): ShownEndpoint => shownEndpoint(one, clock.now());
  const answer = (outcome: EndpointOutcome, done: string): Answer<ShownEndpoint> =>
    answerTo(outcome, done, clock.now());
  const idOf = (call: Call): string => param(call, 'endpointId');
  const find = (call: Call): Endpoint | null => desk.get(ownerOf(call), idOf(call));

  async function test({
    endpointId,
    accountId,
    disabled,
    format,
  }: Endpoint): Promise<Answer<TypeOf<typeof storedEvent>>> {
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

  async function replay({ endpointId, accountId }: Endpoint, range: SentRange): Promise<Answer<{ replayed: number }>> {
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

  function addReads(guarded: GuardedRoutes): void {
    guarded.add({
      method: 'GET',
      path: '/api/v1/endpoints',
      scope: 'read',
      operationId: 'listEndpoints',
      summary: 'Your webhook endpoints',
      answer: answersPage(list(endpoint), 'after', 'All of them, oldest first; `next` is null'),
      work: (call) => {
        const endpoints = desk.list(ownerOf(call));
        return success(`${counted(endpoints.length, 'endpoint')}, oldest first.`, endpoints.map(shown), null);
      },
    });
    guarded.add({
      method: 'GET',
      path: '/api/v1/endpoints/:endpointId',
      scope: 'read',
      operationId: 'getEndpoint',
      summary: 'One endpoint',
      params,
      notFound,
      answer: answers(endpoint, 'The endpoint'),
      work: (call) => {
        const found = find(call);
        return found === null ? missing : success('The endpoint.', shown(found));
      },
    });
  }

  function addChanges(guarded: GuardedRoutes): void {
    guarded.add({
      method: 'POST',
      path: '/api/v1/endpoints',
      scope: 'admin',
      people: { permission, fresh: true, audit: 'endpoint.added' },
      operationId: 'createEndpoint',
      summary: 'Have events sent to a URL',
      description: 'The answer holds the secret that signs the webhooks (Standard Webhooks). It is shown this once.',
      body: jsonBody(newEndpoint, {
        shownAs: { allOf: [endpointFields, { required: ['url'] }] },
        examples: {
          replies: {
            summary: 'Replies only',
            value: { url: 'https://shop.example/hooks', types: ['message.received'] },
          },
        },
      }),
      answer: answers(endpointWithSecret, 'The endpoint with its secret'),
      work: async (call) => {
        const fields = { ...fieldsOf(call.body), url: call.body.url };
        return withSecret(await desk.create(ownerOf(call), fields), 'The endpoint is there.', clock.now());
      },
    });
    guarded.add({
      method: 'PATCH',
      path: '/api/v1/endpoints/:endpointId',
      scope: 'admin',
      people: { permission, audit: 'endpoint.changed' },
      operationId: 'changeEndpoint',
      summary: 'Change an endpoint',
      description: 'Only what is sent is changed; null takes a filter or the header away.',
      params,
      notFound,
      body: jsonBody(endpointFields),
      answer: answers(endpoint, 'The endpoint'),
      work: async (call) =>
        answer(await desk.change(ownerOf(call), idOf(call), fieldsOf(call.body)), 'The endpoint is changed.'),
    });
    guarded.add({
      method: 'DELETE',
      path: '/api/v1/endpoints/:endpointId',
      scope: 'admin',
      people: { permission, audit: 'endpoint.removed' },
      operationId: 'deleteEndpoint',
      summary: 'Delete an endpoint; nothing is sent to it any more',
      params,
      notFound,
      answer: answers(endpoint, 'The endpoint'),
      work: async (call) =>
        answer(
          await desk.remove(ownerOf(call), idOf(call)),
          'The endpoint is deleted. Nothing is sent to it any more.',
        ),
    });
    guarded.add({
      method: 'POST',
      path: '/api/v1/endpoints/:endpointId/rotate-secret',
      scope: 'admin',
      people: { permission, fresh: true, audit: 'endpoint.secret_rotated' },
      operationId: 'rotateEndpointSecret',
      summary: 'Give an endpoint a new secret',
      description: 'Shown this once. Until the overlap ends every webhook is signed with both.',
      params,
      notFound,
      body: jsonBody(rotateSecret, { optional: true }),
      answer: answers(endpointWithSecret, 'The endpoint with its new secret'),
      work: async (call) => {
        const hours = call.body.overlapHours ?? endpointLimits.overlapHoursDefault;
        const outcome = await desk.rotate(ownerOf(call), idOf(call), hours);
        return withSecret(
          outcome,
          `The endpoint has a new secret. The old one signs for ${hours} h more.`,
          clock.now(),
        );
      },
    });
  }

  function addSwitches(guarded: GuardedRoutes): void {
    const switches = [
      {
        act: 'disable',
        operationId: 'disableEndpoint',
        summary: 'Stop sending to an endpoint; its deliveries wait, at most 30 days',
        audit: 'endpoint.disabled',
        done: 'The endpoint is disabled. Its deliveries wait.',
      },
      {
        act: 'enable',
        operationId: 'enableEndpoint',
        summary: 'Send to an endpoint again, beginning with what waited',
        audit: 'endpoint.enabled',
        done: 'The endpoint is enabled. What waited is sent.',
      },
    ] as const;
    for (const { act, operationId, summary, audit, done } of switches) {
      guarded.add({
        method: 'POST',
        path: `/api/v1/endpoints/:endpointId/${act}`,
        scope: 'admin',
        people: { permission, audit },
        operationId,
        summary,
        params,
        notFound,
        body: noFields,
        answer: answers(endpoint, 'The endpoint'),
        work: async (call) => answer(await desk[act](ownerOf(call), idOf(call)), done),
      });
    }
  }

  function addSending(guarded: GuardedRoutes): void {
    guarded.add({
      method: 'POST',
      path: '/api/v1/endpoints/:endpointId/test',
      scope: 'send',
      people: { permission, audit: 'endpoint.tested' },
      operationId: 'testEndpoint',
      summary: 'Send an endpoint the event `webhook.test`',
      description: 'It is a delivery like any other, whatever types the endpoint wants.',
      params,
      notFound,
      body: noFields,
      answer: answers(storedEvent, 'The event'),
      work: (call) => {
        const found = find(call);
        return found === null ? missing : test(found);
      },
    });
    guarded.add({
      method: 'POST',
      path: '/api/v1/endpoints/:endpointId/replay',
      scope: 'send',
      people: { permission, audit: 'endpoint.replayed' },
      operationId: 'replayEndpoint',
      summary: 'Send an endpoint again what happened in a period',
      description: 'Each with the same `webhook-id` as before. `next` is null when that was all.',
      params,
      notFound,
      body: jsonBody(replayRange, {
        examples: {
          outage: {
            summary: 'An outage',
            value: { since: '2026-11-21T08:00:00Z', until: '2026-11-21T09:30:00Z' },
          },
        },
      }),
      answer: answersPage(object({ replayed: whole() }), 'after', 'How many'),
      work: (call) => {
        const found = find(call);
        return found === null ? missing : replay(found, call.body);
      },
    });
  }

  return (_app, { guarded }) => {
    for (const add of [addReads, addChanges, addSwitches, addSending]) add(guarded);
  };
}

type ShownEndpoint = TypeOf<typeof endpoint>;

const missing = rejection('NOT_FOUND', 'Your account has no endpoint with this id. Check the id and the key pair.');

const privateRisk =
  ' Its address is of a private network, which is allowed here: anybody who may manage webhooks can make this gateway call machines inside it.';

function answerTo(outcome: EndpointOutcome, done: string, now: number): Answer<ShownEndpoint> {
  if (outcome.kind !== 'done') return refusalOf(outcome);
  return success(`${done}${notesOn(outcome)}`, shownEndpoint(outcome.endpoint, now));
}

/** Of an outcome that made a secret: the one time that it is shown. */
function withSecret(outcome: EndpointOutcome, done: string, now: number): Answer<TypeOf<typeof endpointWithSecret>> {
  if (outcome.kind !== 'done') return refusalOf(outcome);
  const { secret } = outcome;
  if (secret === null) throw new Error('No secret was made.');
  const data = { ...shownEndpoint(outcome.endpoint, now), secret: secret.reveal() };
  return success(`${done} Keep the secret: it is shown this once.${notesOn(outcome)}`, data);
}

function notesOn({ unresolved, isPrivate }: Extract<EndpointOutcome, { kind: 'done' }>): string {
  const note = unresolved ? ' The name of its host is not known to the DNS at this moment.' : '';
  return isPrivate === true ? `${note}${privateRisk}` : note;
}

function refusalOf(outcome: Exclude<EndpointOutcome, { kind: 'done' }>): Answer<never> {
  switch (outcome.kind) {
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
function shownEndpoint(endpoint: Endpoint, now: number): ShownEndpoint {
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
