/**
 * `/api/v1/endpoints`: manages endpoints and their secrets, sends a test event, replays a period. A secret is shown
 * once, a header's value never.
 */
import { type Answer, success } from '../../http/exchange.ts';
import { type Call, type GuardedRoutes, param } from '../../http/guard.ts';
import { ownerOf } from '../../http/owner.ts';
import { answers, answersPage, jsonBody, noFields } from '../../http/route.ts';
import type { RouteModule } from '../../http/server.ts';
import { list } from '../../http/shape.ts';
import { counted } from '../../kernel/counted.ts';
import type { Endpoint } from '../../model/records.ts';
import { answerTo, endpointOf, missing, type ShownEndpoint, shownEndpoint, withSecret } from './endpoint-answers.ts';
import { type EndpointFields, endpointLimits } from './endpoint-check.ts';
import { addEndpointSending, type EndpointRouteParts } from './endpoint-sending.ts';
import {
  endpoint,
  endpointFields,
  endpointWithSecret,
  newEndpoint,
  rotateSecret,
  type SentEndpoint,
} from './endpoint-shapes.ts';
import type { EndpointOutcome } from './endpoints.ts';

const permission = 'manageWebhooks';

export function endpointRoutes(parts: EndpointRouteParts): RouteModule {
  const { service, clock } = parts;
  const shown = (one: Endpoint): ShownEndpoint => shownEndpoint(one, clock.now());
  const answer = (outcome: EndpointOutcome, done: string): Answer<ShownEndpoint> =>
    answerTo(outcome, done, clock.now());
  const idOf = (call: Call): string => param(call, 'endpointId');
  const find = (call: Call): Endpoint | null => service.get(ownerOf(call), idOf(call));

  function addReads(guarded: GuardedRoutes): void {
    guarded.add({
      method: 'GET',
      path: '/api/v1/endpoints',
      scope: 'read',
      operationId: 'listEndpoints',
      summary: 'Your webhook endpoints',
      answer: answersPage(list(endpoint), 'after', 'All of them, oldest first; `next` is null'),
      work: (call) => {
        const endpoints = service.list(ownerOf(call));
        return success(`${counted(endpoints.length, 'endpoint')}, oldest first.`, endpoints.map(shown), null);
      },
    });
    guarded.add({
      method: 'GET',
      path: '/api/v1/endpoints/:endpointId',
      scope: 'read',
      operationId: 'getEndpoint',
      summary: 'One endpoint',
      ...endpointOf,
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
      summary: 'Add an endpoint: a URL that gets events',
      description: 'The answer has the secret that signs the webhooks (Standard Webhooks). It is shown only once.',
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
        return withSecret(await service.create(ownerOf(call), fields), 'The endpoint is added.', clock.now());
      },
    });
    guarded.add({
      method: 'PATCH',
      path: '/api/v1/endpoints/:endpointId',
      scope: 'admin',
      people: { permission, audit: 'endpoint.changed' },
      operationId: 'changeEndpoint',
      summary: 'Change an endpoint',
      description: 'Only the fields that you send are changed; null removes a filter or the header.',
      ...endpointOf,
      body: jsonBody(endpointFields),
      answer: answers(endpoint, 'The endpoint'),
      work: async (call) =>
        answer(await service.change(ownerOf(call), idOf(call), fieldsOf(call.body)), 'The endpoint is changed.'),
    });
    guarded.add({
      method: 'DELETE',
      path: '/api/v1/endpoints/:endpointId',
      scope: 'admin',
      people: { permission, audit: 'endpoint.removed' },
      operationId: 'deleteEndpoint',
      summary: 'Delete an endpoint; nothing is sent to it any more',
      ...endpointOf,
      answer: answers(endpoint, 'The endpoint'),
      work: async (call) =>
        answer(
          await service.remove(ownerOf(call), idOf(call)),
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
      description: 'Shown only once. Until the overlap ends, both secrets sign every webhook.',
      ...endpointOf,
      body: jsonBody(rotateSecret, { optional: true }),
      answer: answers(endpointWithSecret, 'The endpoint with its new secret'),
      work: async (call) => {
        const hours = call.body.overlapHours ?? endpointLimits.overlapHoursDefault;
        const outcome = await service.rotate(ownerOf(call), idOf(call), hours);
        const old = hours === 0 ? 'does not sign any more' : `signs for ${hours} h more`;
        return withSecret(outcome, `The endpoint has a new secret. The old one ${old}.`, clock.now());
      },
    });
  }

  function addSwitches(guarded: GuardedRoutes): void {
    const switches = [
      {
        act: 'disable',
        operationId: 'disableEndpoint',
        summary: 'Disable an endpoint; its deliveries wait, at most 30 days',
        audit: 'endpoint.disabled',
        done: 'The endpoint is disabled. Its deliveries wait.',
      },
      {
        act: 'enable',
        operationId: 'enableEndpoint',
        summary: 'Enable an endpoint; its waiting deliveries are sent first',
        audit: 'endpoint.enabled',
        done: 'The endpoint is enabled. Its waiting deliveries are sent.',
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
        ...endpointOf,
        body: noFields,
        answer: answers(endpoint, 'The endpoint'),
        work: async (call) => answer(await service[act](ownerOf(call), idOf(call)), done),
      });
    }
  }

  return (_app, { guarded }) => {
    for (const add of [addReads, addChanges, addSwitches]) add(guarded);
    addEndpointSending(guarded, parts);
  };
}

/** The fields sent; null counts as not sent where a field cannot be empty. */
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
