/** Calls about webhook endpoints: their records, secrets, test events, and replays. */
import type { WebhookEventType } from './events.ts';
import type { CallOptions } from './options.ts';
import { type Call, dataOf, jsonBody, type Transport } from './transport.ts';

type EventTypeName = WebhookEventType | (string & {});

/** Times are ISO 8601. */
export interface Endpoint {
  /** `ep_…` */
  endpointId: string;
  name: string;
  url: string;
  /** Null = all. */
  types: EventTypeName[] | null;
  format: 'standard' | 'flat';
  /** Only events of this sending number; null = any. */
  number: string | null;
  /** Only events of this campaign's numbers; null = any. */
  campaign: string | null;
  /** Sent with every attempt; its value is never shown. */
  header: { name: string } | null;
  /** Null while it is enabled. */
  disabled: { at: string; why: 'by hand' | 'failing' | 'gone' } | null;
  /** After a rotation: until when the old secret also signs. */
  oldSecretUntil: string | null;
  createdAt: string;
}

/** The answer when a secret (`whsec_…`) is created: the only time it is shown. */
export type EndpointWithSecret = Endpoint & { secret: string };

export interface EndpointFields {
  url: string;
  /** Default: the host of the URL. */
  name?: string | null;
  types?: readonly EventTypeName[] | null;
  format?: 'standard' | 'flat' | null;
  number?: string | null;
  campaign?: string | null;
  header?: { name: string; value: string } | null;
}

/** Both ends are included; `until` defaults to now. */
export interface ReplayRange {
  since: Date | string;
  until?: Date | string;
}

/** Each throws HeliographError, `NOT_FOUND` when the account has no such endpoint. */
export interface EndpointCalls {
  /** Oldest first. */
  list(options?: CallOptions): Promise<Endpoint[]>;
  get(endpointId: string, options?: CallOptions): Promise<Endpoint>;
  create(fields: EndpointFields, options?: CallOptions): Promise<EndpointWithSecret>;
  /** Missing fields do not change. */
  change(endpointId: string, fields: Partial<EndpointFields>, options?: CallOptions): Promise<Endpoint>;
  /** Its deliveries wait, at most 30 days. */
  disable(endpointId: string, options?: CallOptions): Promise<Endpoint>;
  enable(endpointId: string, options?: CallOptions): Promise<Endpoint>;
  delete(endpointId: string, options?: CallOptions): Promise<Endpoint>;
  /** A new secret; the old one also signs for `overlapHours`, 0–168, default 24. */
  rotateSecret(
    endpointId: string,
    rotation?: { overlapHours?: number },
    options?: CallOptions,
  ): Promise<EndpointWithSecret>;
  /** Sends an event `webhook.test` to it. */
  test(endpointId: string, options?: CallOptions): Promise<{ id: string; type: string }>;
  /** Sends the events of a period again, with the same ids. Resolves with the number of deliveries. */
  replay(endpointId: string, range: ReplayRange, options?: CallOptions): Promise<number>;
}

export function endpointCalls(call: Transport): EndpointCalls {
  const root = '/api/v1/endpoints';
  const pathOf = (endpointId: string, rest = '') => `${root}/${encodeURIComponent(endpointId)}${rest}`;

  /** Not retried unless `repeatable`. */
  const data = <T>(one: Omit<Call, 'repeatable'> & { repeatable?: boolean }, options?: CallOptions) =>
    dataOf<T>(call, { repeatable: false, ...one }, options);

  return {
    list: (options) => data({ method: 'GET', path: root, repeatable: true }, options),
    get: (endpointId, options) => data({ method: 'GET', path: pathOf(endpointId), repeatable: true }, options),
    create: (fields, options) => data({ method: 'POST', path: root, ...jsonBody(fields) }, options),
    change: (endpointId, fields, options) =>
      data({ method: 'PATCH', path: pathOf(endpointId), ...jsonBody(fields), repeatable: true }, options),
    disable: (endpointId, options) =>
      data({ method: 'POST', path: pathOf(endpointId, '/disable'), repeatable: true }, options),
    enable: (endpointId, options) =>
      data({ method: 'POST', path: pathOf(endpointId, '/enable'), repeatable: true }, options),
    delete: (endpointId, options) => data({ method: 'DELETE', path: pathOf(endpointId) }, options),
    rotateSecret: (endpointId, rotation = {}, options) =>
      data({ method: 'POST', path: pathOf(endpointId, '/rotate-secret'), ...jsonBody(rotation) }, options),
    test: (endpointId, options) => data({ method: 'POST', path: pathOf(endpointId, '/test') }, options),
    replay: async (endpointId, { since, until = new Date() }, options = {}) => {
      const range = { since: timeOf(since), until: timeOf(until) };
      // The gateway replays a long period in several steps.
      for (let replayed = 0, after: unknown; ; ) {
        const path = pathOf(endpointId, '/replay');
        const { envelope } = await call(
          { method: 'POST', path, ...jsonBody({ ...range, after }), repeatable: false },
          options,
        );
        replayed += (envelope.data as { replayed: number }).replayed;
        if (typeof envelope.next !== 'string') return replayed;
        after = envelope.next;
      }
    },
  };
}

function timeOf(time: Date | string): string {
  return typeof time === 'string' ? time : time.toISOString();
}
