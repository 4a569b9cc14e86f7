/** The destination of an endpoint: its record with secrets opened, and the rendering of a delivery. */
import type { EpochMs } from '../../../kernel/clock.ts';
import { type SealedPlace, webhookHeaderPlace, webhookSecretPlace } from '../../../kernel/sealed-place.ts';
import type { Secret } from '../../../kernel/secret.ts';
import type { Endpoint } from '../../../model/records.ts';
import type { CustomerEvent } from '../../../model/webhook-event.ts';
import { renderWebhook } from '../webhook-payload.ts';
import type { WebhookPost } from '../webhook-post.ts';

export type OpenSecret = (sealed: string, place: SealedPlace) => Secret;

export interface Destination {
  post(event: CustomerEvent, now: EpochMs): WebhookPost;
}

/** Throws the errors of `openSecret`. */
export function openDestination(endpoint: Endpoint, openSecret: OpenSecret): Destination {
  const { endpointId, url, format, header, secrets, timeoutMs = null } = endpoint;
  const isSandbox = endpoint.environment === 'sandbox';
  const place = webhookSecretPlace(endpointId);
  const opened = secrets.map(({ secret, expiresAt }) => ({ secret: openSecret(secret, place), expiresAt }));
  const openedHeader = header && { name: header.name, value: openSecret(header.value, webhookHeaderPlace(endpointId)) };
  return {
    post: (event, now) => {
      const live = opened.filter(({ expiresAt }) => expiresAt === null || expiresAt > now);
      return {
        url,
        id: event.eventId,
        body: renderWebhook(event, format),
        // A record with only expired secrets is our bug; the customer most likely has the newest.
        secrets: (live.length > 0 ? live : opened.slice(0, 1)).map(({ secret }) => secret),
        header: openedHeader,
        traceparent: event.traceparent ?? null,
        timeoutMs,
        isSandbox,
      };
    },
  };
}
