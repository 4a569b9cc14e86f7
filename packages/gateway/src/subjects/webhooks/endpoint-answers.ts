/** API answers about endpoints: record without secrets, outcome, refusal. */
import { isoTime } from '../../http/envelope.ts';
import { type Answer, rejection, retryAfter, success } from '../../http/exchange.ts';
import type { TypeOf } from '../../http/shape.ts';
import type { Endpoint } from '../../model/records.ts';
import type { endpoint, endpointWithSecret } from './endpoint-shapes.ts';
import type { EndpointOutcome } from './endpoints.ts';
import { webhookTimeoutMs } from './webhook-post.ts';

/** The path parameter and 404 of routes for one endpoint. */
export const endpointOf = {
  params: { endpointId: '`ep_…`' },
  notFound: 'No such endpoint of this account and environment',
};

export type ShownEndpoint = TypeOf<typeof endpoint>;

export const missing = rejection(
  'NOT_FOUND',
  'Your account has no endpoint with this id. Check the id and the key pair.',
);

const privateRisk =
  ' Its address is of a private network, which is allowed here: anybody who may manage webhooks can make this gateway call machines inside it.';

export function answerTo(outcome: EndpointOutcome, done: string, now: number): Answer<ShownEndpoint> {
  if (outcome.kind !== 'done') return refusalOf(outcome);
  return success(`${done}${notesOn(outcome)}`, shownEndpoint(outcome.endpoint, now));
}

/** Adds the secret to an outcome that created one: the only time that it is shown. */
export function withSecret(
  outcome: EndpointOutcome,
  done: string,
  now: number,
): Answer<TypeOf<typeof endpointWithSecret>> {
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
      return rejection('TEMPORARILY_UNAVAILABLE', 'Too many changes of your endpoints are waiting. Try again in 1 s.', {
        headers: retryAfter(1),
      });
  }
}

/** Shows only the fields listed here: a record contains secrets. */
export function shownEndpoint(endpoint: Endpoint, now: number): ShownEndpoint {
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
