/** Endpoints, deliveries and events from the gateway, and helpers of their pages. */

import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client';
import type { Delivery, DeliveryRequest } from '../../api/routes/deliveries';
import type { Endpoint } from '../../api/routes/endpoints';
import type { EndpointHealth, HeaderRules } from '../../api/routes/webhooks';
import { labelsOf } from '../../language/labels';
import { csvText, momentCells } from '../../ui/csv';
import { phoneText } from '../../ui/Values';

const webhookLabels = labelsOf('webhook');

export type DeliveryState = 'waiting' | 'delivered' | 'failed';

export const useEndpoints = () =>
  useQuery({ queryKey: ['endpoints', 'list'], queryFn: async () => (await api.get('/endpoints')).data });

export const useEndpoint = (endpointId: string) =>
  useQuery({
    queryKey: ['endpoints', 'one', endpointId],
    queryFn: async () => (await api.get('/endpoints/:endpointId', { endpointId })).data,
  });

export const useHealth = () =>
  useQuery({
    queryKey: ['endpoints', 'health'],
    refetchInterval: againMs,
    queryFn: async () => new Map((await api.get('/webhooks/health')).data.map((one) => [one.endpointId, one])),
  });

export const useCatalogue = () =>
  useQuery({
    queryKey: ['catalogue'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => (await api.get('/webhooks/catalogue')).data,
  });

/** The gateway's time limit for an endpoint, in seconds. */
const timeoutMax = 30;

/** The obvious faults of a form, all together; the gateway decides whether webhooks may be sent there. */
export function endpointFaults(
  draft: { url: string; timeoutSeconds: string; types: readonly string[] | null },
  /** The header to be sent; null = none. */
  header: { name: string; value: string } | null,
  /** Undefined until they are loaded: then the gateway decides. */
  rules?: HeaderRules,
): { url?: string; types?: string; header?: string; timeoutSeconds?: string } {
  const { form } = webhookLabels;
  const url = draft.url.trim();
  const seconds = Number(draft.timeoutSeconds.trim() || Number.NaN);
  const isTimeout = Number.isInteger(seconds) && seconds >= 1 && seconds <= timeoutMax;
  return {
    ...(url === '' ? { url: form.empty } : !isWebUrl(url) && { url: form.noUrl }),
    ...(draft.types?.length === 0 && { types: form.noTypes }),
    ...(header !== null && rules !== undefined && !isUsable(header, rules) && { header: sentenceOf(rules.fault) }),
    ...(!isTimeout && { timeoutSeconds: form.noTimeout }),
  };
}

function isUsable({ name, value }: { name: string; value: string }, rules: HeaderRules): boolean {
  if (name.length + value.length > rules.charactersMax) return false;
  return new RegExp(rules.name).test(name.toLowerCase()) && new RegExp(rules.value).test(value);
}

function isWebUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** The API's sentence begins with the name of the field, which the page shows as a label. */
export function sentenceAt(error: Error | null, field: string): string | undefined {
  if (error?.message.startsWith(`${field} `) !== true) return undefined;
  return sentenceOf(error.message.slice(field.length + 1));
}

function sentenceOf(rest: string): string {
  return `${rest.charAt(0).toUpperCase()}${rest.slice(1)}`;
}

/** A next attempt longer ago than this was not made: the endpoint fails, and its queue waits. */
const dueLateMs = 5_000;

/** A delivery of a disabled endpoint has no next attempt. */
export function waitsForEndpoint(
  { state, nextAttemptAt }: Pick<Delivery, 'state' | 'nextAttemptAt'>,
  now: number,
): boolean {
  return state === 'waiting' && (nextAttemptAt === null || Date.parse(nextAttemptAt) < now - dueLateMs);
}

/** Attempts have no event, so the page polls, more often while something waits. */
const waitingAgainMs = 2_000;
const againMs = 15_000;

const hourMs = 3_600_000;
/** Periods for viewing and recovering deliveries. */
export const periodMs = { hour: hourMs, day: 24 * hourMs, week: 168 * hourMs, month: 720 * hourMs } as const;
export type Period = keyof typeof periodMs;

export function isPeriod(text: string): text is Period {
  return Object.hasOwn(periodMs, text);
}

/** When a period begins. */
export function sinceOf(period: Period): string {
  return new Date(Date.now() - periodMs[period]).toISOString();
}

export interface DeliveryFilter {
  endpoint: string;
  state: string;
  type: string;
  /** Part of an id. */
  q: string;
  period: string;
  before: string;
}

/** The filter in the gateway's form; a period ends now. */
export function paramsOf({ period, ...rest }: Omit<DeliveryFilter, 'before'> & { before?: string }) {
  return { ...rest, since: isPeriod(period) ? sinceOf(period) : '' };
}

export const useDeliveries = (filter: DeliveryFilter) =>
  useQuery({
    queryKey: ['deliveries', filter],
    queryFn: () => api.get('/deliveries', { query: { ...paramsOf(filter), limit: 50 } }),
    refetchInterval: ({ state }) => (state.data?.data.some(isWaiting) === true ? waitingAgainMs : againMs),
  });

/** The progress of a test event: failed as soon as its first attempt failed, even if more follow. */
export function testState(delivery: Delivery | undefined): 'on its way' | 'arrived' | 'failed' {
  if (delivery?.state === 'delivered') return 'arrived';
  return delivery === undefined || (delivery.state === 'waiting' && delivery.attemptCount === 0)
    ? 'on its way'
    : 'failed';
}

export const useDelivery = (deliveryId: string) =>
  useQuery({
    queryKey: ['delivery', deliveryId],
    queryFn: async () => (await api.get('/deliveries/:deliveryId', { deliveryId })).data,
    refetchInterval: ({ state }) => (state.data !== undefined && isWaiting(state.data) ? waitingAgainMs : false),
  });

/** Refetched with each new attempt. */
export const useSignatures = (deliveryId: string, attempts: number) =>
  useQuery({
    queryKey: ['delivery', deliveryId, 'signatures', attempts],
    queryFn: async () => (await api.get('/deliveries/:deliveryId/signatures', { deliveryId })).data,
  });

function isWaiting({ state }: Delivery): boolean {
  return state === 'waiting';
}

/** One word for the health of an endpoint; `untried`: too little to judge by. */
export function healthOf(
  endpoint: Endpoint,
  health: EndpointHealth | undefined,
): 'disabled' | 'failing' | 'healthy' | 'untried' {
  if (endpoint.disabled !== null) return 'disabled';
  if (health === undefined || health.tried === 0) return 'untried';
  return health.failingSince !== null || health.succeeded === 0 ? 'failing' : 'healthy';
}

/** Endpoints whose name, URL, id or event types match the search. */
export function fittingEndpoints(list: readonly Endpoint[], search: string): Endpoint[] {
  const wanted = search.trim().toLowerCase();
  return list.filter(({ name, url, endpointId, types }) =>
    [name, url, endpointId, ...(types ?? [])].some((text) => text.toLowerCase().includes(wanted)),
  );
}

/** Without the value of its own header and its secret, which are never shown. */
export function endpointsCsv(
  list: readonly Endpoint[],
  health: ReadonlyMap<string, EndpointHealth> | undefined,
): string {
  const head = [
    ...['name', 'endpoint_id', 'url', 'events', 'format', 'only_number', 'only_number_digits', 'only_campaign'],
    ...['timeout_seconds', 'health', 'disabled_why', 'waiting', 'created_utc', 'created_local'],
  ];
  const lines = list.map((endpoint) => {
    const { endpointId, name, url, types, format, number, campaign, timeoutSeconds, disabled, createdAt } = endpoint;
    const known = health?.get(endpointId);
    return [
      ...[name, endpointId, url, types?.join(' ') ?? 'all', format, number && phoneText(number), number, campaign],
      ...[timeoutSeconds, healthOf(endpoint, known), disabled?.why ?? null, known?.waiting ?? null],
      ...momentCells(createdAt),
    ];
  });
  return csvText([head, ...lines]);
}

/** The request as curl, exactly as sent. */
export function curlOfRequest({
  method,
  url,
  headers,
  body,
}: Pick<DeliveryRequest, 'method' | 'url' | 'headers' | 'body'>): string {
  const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
  const lines = Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  return [`curl -X ${method} ${quoted(url)}`, ...lines, `--data-raw ${quoted(body ?? '')}`].join(' \\\n  ');
}

/** Whether a URL obviously names a machine on a private network, or this one. The gateway resolves names. */
export function isPrivateUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  return (
    /^(?:0|10|127|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.[\d.]+$/.test(
      hostname,
    ) ||
    /^\[(?:::1?|f[cd].*|fe[89ab].*)\]$/.test(hostname) ||
    /(?:^|\.)(?:localhost|local|internal)$/.test(hostname)
  );
}

export function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** A body formatted for reading; unchanged when it is not JSON. */
export function prettyBody(body: string): string {
  try {
    return pretty(JSON.parse(body));
  } catch {
    return body;
  }
}
