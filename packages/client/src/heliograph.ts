/**
 * The client of a Heliograph gateway: sends messages, looks them up and reads their events. For servers only: in a
 * browser it would show both credentials to every visitor. Keeps no connection and no state.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { catalogueCalls, type Limits, type Reason } from './catalogue-calls.ts';
import { type DeliveryCalls, deliveryCalls } from './delivery-calls.ts';
import { type EndpointCalls, endpointCalls } from './endpoint-calls.ts';
import { type EventCalls, eventCalls } from './event-calls.ts';
import { HeliographError } from './heliograph-error.ts';
import { type MediaCalls, mediaCalls } from './media-calls.ts';
import { type OptOutCalls, optOutCalls } from './opt-out-calls.ts';
import type { CallOptions, Hooks, SendOptions } from './options.ts';
import { pageSizeDefault, pages } from './pages.ts';
import { type SandboxCalls, sandboxCalls } from './sandbox-calls.ts';
import { createTransport, dataOf, jsonBody, type Transport } from './transport.ts';
import type { Message, SendAnswer, SendRequest } from './types.ts';
import { type UsageCalls, usageCalls } from './usage-calls.ts';
import { webhooks } from './webhooks.ts';

export interface HeliographOptions {
  /** Default: `HELIO_URL`. */
  baseUrl?: string;
  /** Default: `HELIO_BEARER_TOKEN`. */
  bearerToken?: string;
  /** Default: `HELIO_AUTH_TOKEN`. */
  authToken?: string;
  /** Time limit of one attempt; default 30,000. */
  timeoutMs?: number;
  /** Retries when the gateway or the network fails temporarily; default 2. */
  maxRetries?: number;
  hooks?: Hooks;
  fetch?: typeof fetch;
  /** Pauses between two attempts, shorter when `signal` aborts; for tests. */
  wait?(ms: number, signal: AbortSignal | undefined): Promise<void>;
  /** Uniform in [0, 1), for the length of the pauses; for tests. */
  random?(): number;
}

/** Which messages to list; default: all of the account. */
export interface MessageFilter {
  direction?: 'outbound' | 'inbound';
  from?: string;
  to?: string;
  /** Only messages with this reference; not together with `after`. */
  referenceId?: string;
  /** Only messages in this state now; not together with `after`. */
  state?: string;
  /** Only messages accepted at this time (ISO 8601 with its zone) or later. */
  since?: string;
  /** Only messages accepted before this time (ISO 8601 with its zone). */
  until?: string;
  /** Only messages newer than the one with this id, in this case oldest first. */
  after?: string;
  /** Messages per page, 1–100. */
  pageSize?: number;
}

const timeoutMsDefault = 30_000;
const maxRetriesDefault = 2;

export class Heliograph {
  readonly webhooks = webhooks;

  readonly messages = {
    /** One message with its timeline. Throws HeliographError, `NOT_FOUND` when the account has none with this id. */
    get: (messageId: string, options?: CallOptions): Promise<Message> => {
      const path = `/api/v1/messages/${encodeURIComponent(messageId)}`;
      return dataOf(this.#call, { method: 'GET', path, repeatable: true }, options);
    },
    /**
     * Cancels a message that still waits. Throws HeliographError, `NOT_WAITING` when it was sent or has ended. Safe to
     * repeat.
     */
    cancel: (messageId: string, options?: CallOptions): Promise<{ messageId: string; state: 'canceled' }> => {
      const path = `/api/v1/messages/${encodeURIComponent(messageId)}/cancel`;
      return dataOf(this.#call, { method: 'POST', path, repeatable: true }, options);
    },
    /** Messages, newest first; fetches pages as needed. */
    list: (filter: MessageFilter = {}, options: CallOptions = {}): AsyncGenerator<Message, void, void> => {
      const { pageSize = pageSizeDefault, ...only } = filter;
      const cursor = only.after === undefined ? 'before' : 'after';
      return pages(this.#call, '/api/v1/messages', { limit: pageSize, ...only }, options, cursor);
    },
  };

  readonly events: EventCalls;
  readonly endpoints: EndpointCalls;
  readonly deliveries: DeliveryCalls;
  readonly optOuts: OptOutCalls;
  readonly media: MediaCalls;
  readonly usage: UsageCalls;
  readonly sandbox: SandboxCalls;

  readonly #call: Transport;
  readonly #hooks: Hooks;

  /** Throws HeliographError `INVALID_CONFIGURATION` in a browser and when an option is missing. */
  constructor(options: HeliographOptions = {}) {
    if (isBrowser()) {
      throw wrong('Heliograph does not run in a browser: its credentials would be public. Call it from your server.');
    }
    this.#hooks = options.hooks ?? {};
    this.#call = createTransport({
      baseUrl: baseUrlOf(options.baseUrl ?? environment('HELIO_URL')),
      bearerToken: tokenOf(options.bearerToken ?? environment('HELIO_BEARER_TOKEN'), 'bearerToken'),
      authToken: tokenOf(options.authToken ?? environment('HELIO_AUTH_TOKEN'), 'authToken'),
      timeoutMs: options.timeoutMs ?? timeoutMsDefault,
      maxRetries: options.maxRetries ?? maxRetriesDefault,
      hooks: this.#hooks,
      fetch: options.fetch ?? fetch,
      wait: options.wait ?? ((ms, signal) => pause(ms, undefined, { signal }).catch(() => undefined)),
      random: options.random ?? Math.random,
    });
    this.events = eventCalls(this.#call);
    this.endpoints = endpointCalls(this.#call);
    this.deliveries = deliveryCalls(this.#call);
    this.optOuts = optOutCalls(this.#call);
    this.media = mediaCalls(this.#call);
    this.usage = usageCalls(this.#call);
    this.sandbox = sandboxCalls(this.#call);
  }

  /** The limits of this gateway by name. Throws HeliographError. */
  limits(options?: CallOptions): Promise<Limits> {
    return catalogueCalls(this.#call).limits(options);
  }

  /** Every code of this gateway with its causes and fixes. Throws HeliographError. */
  reasons(options?: CallOptions): Promise<Reason[]> {
    return catalogueCalls(this.#call).reasons(options);
  }

  /**
   * Sends one message to one or more recipients. Check every `status` in `schema.resultResponses`: a refused recipient
   * does not fail the call. Throws HeliographError when the whole request was rejected.
   */
  async sendSMS(message: SendRequest, options: SendOptions = {}): Promise<SendAnswer> {
    const key = options.idempotencyKey === undefined ? crypto.randomUUID() : options.idempotencyKey;
    const { headers, body } = jsonBody(message);
    const answer = await this.#call(
      {
        method: 'POST',
        path: options.dryRun === true ? '/SendSMS?dryRun=true' : '/SendSMS',
        headers: { ...headers, ...(key === null ? {} : { 'idempotency-key': key }) },
        body,
        repeatable: key !== null,
      },
      options,
    );
    const requestId = answer.headers.get('x-request-id');
    const replayed = answer.headers.get('idempotent-replayed') === 'true';
    const unknownFields = unknownFieldsOf(answer.headers);
    if (unknownFields.length > 0) this.#hooks.onUnknownFields?.({ fields: unknownFields, requestId });
    return { ...answer.envelope, requestId, replayed, unknownFields } as SendAnswer;
  }
}

/** Names from the header `X-Unknown-Fields`. */
function unknownFieldsOf(headers: Headers): string[] {
  const names = headers.get('x-unknown-fields') ?? '';
  return names.split(',').flatMap((name) => name.trim() || []);
}

function wrong(detail: string): HeliographError {
  return new HeliographError('INVALID_CONFIGURATION', detail);
}

/** A document without a server runtime; Node with a simulated document counts as Node. */
function isBrowser(): boolean {
  const { document, process, Bun, Deno } = globalThis as Record<string, unknown> & typeof globalThis;
  const isServer = process?.versions?.node !== undefined || Bun !== undefined || Deno !== undefined;
  return document !== undefined && !isServer;
}

function environment(name: string): string | undefined {
  return globalThis.process?.env?.[name];
}

function baseUrlOf(text: string | undefined): string {
  const url = text === undefined ? null : parseUrl(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username + url.password + url.search + url.hash !== '') {
    throw wrong(
      "The gateway's address is missing or not usable. Set HELIO_URL=https://sms.example.com, or pass baseUrl.",
    );
  }
  return url.href.replace(/\/+$/, '');
}

function parseUrl(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}

/** Refuses a token that is not a valid header value, because fetch would put it into its error. */
function tokenOf(token: string | undefined, name: string): string {
  if (token !== undefined && /^[!-~]+$/.test(token)) return token;
  throw wrong(
    `${name} is missing or not usable. Set HELIO_BEARER_TOKEN and HELIO_AUTH_TOKEN in the environment, or pass both: new Heliograph({ baseUrl, bearerToken, authToken }).`,
  );
}
