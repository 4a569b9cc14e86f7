/** Sends a test event to an endpoint, and replays a period. */
import { type Answer, rejection, success } from '../../http/exchange.ts';
import { type Call, type GuardedRoutes, param } from '../../http/guard.ts';
import { readTime } from '../../http/list-query.ts';
import { ownerOf } from '../../http/owner.ts';
import { answers, answersPage, jsonBody, noFields } from '../../http/route.ts';
import { object, type TypeOf, whole } from '../../http/shape.ts';
import type { Clock } from '../../kernel/clock.ts';
import { counted } from '../../kernel/counted.ts';
import type { Ids } from '../../kernel/ids.ts';
import type { EventStore } from '../../messaging/store/modules/events.ts';
import type { Endpoint } from '../../model/records.ts';
import { endpointOf, missing } from './endpoint-answers.ts';
import { replayRange, type SentRange, storedEvent } from './endpoint-shapes.ts';
import type { EndpointService } from './endpoints.ts';
import type { WebhookStore } from './store/module.ts';

export interface EndpointRouteParts {
  service: EndpointService;
  store: Pick<EventStore, 'addEvents'> & Pick<WebhookStore, 'replayWebhooks'>;
  clock: Pick<Clock, 'now'>;
  ids: Pick<Ids, 'next'>;
  /** New events are in the log. */
  nudge(): void;
  /** An endpoint has new waiting deliveries. */
  replayed(endpointId: string): void;
}

const permission = 'manageWebhooks';
/** Deliveries that the store replays at once, and how often in one request. */
const replayBatch = 10_000;
const replayRounds = 10;

export function addEndpointSending(guarded: GuardedRoutes, parts: EndpointRouteParts): void {
  const { service, clock } = parts;
  const find = (call: Call): Endpoint | null => service.get(ownerOf(call), param(call, 'endpointId'));

  async function test({
    endpointId,
    accountId,
    disabled,
    format,
  }: Endpoint): Promise<Answer<TypeOf<typeof storedEvent>>> {
    if (disabled !== null) {
      return rejection('INVALID_FIELD', 'The endpoint is disabled and gets nothing. Enable it first.');
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

  guarded.add({
    method: 'POST',
    path: '/api/v1/endpoints/:endpointId/test',
    scope: 'send',
    people: { permission, audit: 'endpoint.tested' },
    operationId: 'testEndpoint',
    summary: 'Send an endpoint the event `webhook.test`',
    description: 'It is a delivery like any other, whatever types the endpoint is set to.',
    ...endpointOf,
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
    description: 'Each with the same `webhook-id` as before. `next` is null at the end.',
    ...endpointOf,
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
