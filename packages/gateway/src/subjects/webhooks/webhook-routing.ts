/** Decides which endpoints receive an event. Pure. */
import type { Directory } from '../../model/directory.ts';
import type { EventType } from '../../model/event-type.ts';
import type { Endpoint, Environment } from '../../model/records.ts';
import { type CustomerEvent, type EventMessage, resendOf } from '../../model/webhook-event.ts';

/** The facts of an event that endpoints can filter by. */
interface Subject {
  environment: Environment;
  number: string | null;
  campaignId: string | null;
  /** For every endpoint of the environment, whatever number or campaign it filters by. */
  ofAll?: boolean;
  notTo?: string | undefined;
}

/**
 * Endpoints of the event's account that get it, including disabled ones (for which it waits). Replies and consent go
 * only to the most specific level that has an endpoint for them: the number's, else the campaign's, else the account's.
 */
export function route(event: CustomerEvent, directory: Directory): Endpoint[] {
  const endpoints = directory.endpointsOf(event.accountId);
  if (endpoints.length === 0) return [];
  const { data } = event;
  const again = resendOf(event);
  if (again !== null) return endpoints.filter(({ endpointId }) => endpointId === again.endpointId);
  if (event.type === 'webhook.test' && !isExample(data)) {
    return endpoints.filter((endpoint) => endpoint.endpointId === data?.endpointId && speaks(endpoint, event));
  }
  const subject = subjectOf(event, directory);
  if (subject === null) return [];
  const fitting = endpoints.filter((endpoint) => wants(endpoint, event) && covers(endpoint, subject));
  return isForOneLevel(event.type) ? mostSpecific(fitting) : fitting;
}

/** The environment of an event; null when its records no longer exist. */
export function environmentOf(event: CustomerEvent, directory: Directory): Environment | null {
  // It has no content of its own: readers of the feed have the original already.
  if (resendOf(event) !== null) return null;
  return subjectOf(event, directory)?.environment ?? null;
}

/** The customer's own number in a message: the sender of an outbound one, the recipient of an inbound one. */
export function ownNumber({ direction, from, to }: Pick<EventMessage, 'direction' | 'from' | 'to'>): string {
  return direction === 'outbound' ? from : to;
}

/** Created on demand to test a receiver: its records do not exist, so the event itself names its environment. */
function isExample(data: CustomerEvent['data']): boolean {
  return data?.triggered === true;
}

/** The flat format can only express messages. */
function speaks(endpoint: Endpoint, event: CustomerEvent): boolean {
  return endpoint.format === 'standard' || event.message !== null;
}

function wants(endpoint: Endpoint, event: CustomerEvent): boolean {
  return speaks(endpoint, event) && (endpoint.types === null || endpoint.types.includes(event.type));
}

function covers({ endpointId, ...set }: Endpoint, subject: Subject): boolean {
  if (set.environment !== subject.environment || endpointId === subject.notTo) return false;
  if (subject.ofAll) return true;
  return (
    (set.number === null || set.number === subject.number) &&
    (set.campaignId === null || set.campaignId === subject.campaignId)
  );
}

function subjectOf({ type, message, data }: CustomerEvent, directory: Directory): Subject | null {
  if (message !== null) return subjectOfNumber(ownNumber(message), message.carrier, directory);
  const fields = data ?? {};
  if (isExample(fields)) return subjectOfExample(type, fields, directory);
  if (type.startsWith('contact.')) return subjectOfConsent(fields, directory);
  if (type.startsWith('alert.')) return subjectOfAlert(fields);
  if (type.startsWith('carrier.')) return inEnvironment(directory.carrier(String(fields.carrierId)));
  const endpoint = directory.endpoint(String(fields.endpointId));
  // A disabled endpoint cannot receive its own notice; all others do, whatever their types.
  const notice = { ofAll: true, notTo: type === 'endpoint.disabled' ? endpoint?.endpointId : undefined };
  return inEnvironment(endpoint, notice);
}

function inEnvironment(known: { environment: Environment } | undefined, more: Partial<Subject> = {}): Subject | null {
  return known === undefined ? null : { environment: known.environment, number: null, campaignId: null, ...more };
}

/** The event has its environment: its target may no longer exist in the records. */
function subjectOfAlert({ environment }: Record<string, unknown>): Subject | null {
  return inEnvironment(environment === 'sandbox' || environment === 'live' ? { environment } : undefined);
}

function subjectOfExample(type: EventType, data: Record<string, unknown>, directory: Directory): Subject | null {
  const { environment } = data;
  if (environment !== 'sandbox' && environment !== 'live') return null;
  const number = data.number ?? (type === 'message.received' ? data.to : data.from);
  const campaignId = directory.number(String(number))?.campaignId ?? null;
  return { environment, number: typeof number === 'string' ? number : null, campaignId };
}

function subjectOfNumber(number: string, carrierId: string | null, directory: Directory): Subject {
  const known = directory.number(number);
  // If the number was deleted from the records, its messages used a carrier of its environment.
  const environment = known?.environment ?? directory.carrier(carrierId ?? '')?.environment ?? 'live';
  return { environment, number, campaignId: known?.campaignId ?? null };
}

/** Consent concerns a number, or all numbers of a campaign (`scope`). */
function subjectOfConsent(data: Record<string, unknown>, directory: Directory): Subject | null {
  const [, kind, name] = /^(campaign|number):(.+)$/.exec(String(data.scope)) ?? [];
  const number = typeof data.number === 'string' ? data.number : kind === 'number' ? name : null;
  if (number !== null && number !== undefined) return subjectOfNumber(number, null, directory);
  const campaign = kind === 'campaign' && name !== undefined ? directory.campaign(name) : undefined;
  return inEnvironment(campaign, { campaignId: campaign?.campaignId ?? null });
}

function isForOneLevel(type: EventType): boolean {
  return type === 'message.received' || type.startsWith('contact.');
}

function mostSpecific(endpoints: Endpoint[]): Endpoint[] {
  const lowest = Math.max(...endpoints.map(level), 0);
  return endpoints.filter((endpoint) => level(endpoint) === lowest);
}

function level({ number, campaignId }: Endpoint): number {
  if (number !== null) return 2;
  return campaignId === null ? 0 : 1;
}
