/**
 * Where one endpoint's webhooks go: its record with the sealed parts opened once, and a delivery rendered and addressed to
 * it. It sends nothing.
 */
import type { EpochMs } from '../../domain/clock.ts';
import type { Endpoint } from '../../domain/records.ts';
import type { Secret } from '../../domain/secret.ts';
import type { CustomerEvent } from '../../domain/webhook-event.ts';
import { renderWebhook } from '../../domain/webhook-payload.ts';
import type { WebhookPost } from '../../domain/webhook-post.ts';

export type OpenSecret = (sealed: string) => Secret;

export interface Destination {
  post(event: CustomerEvent, now: EpochMs): WebhookPost;
}

/** Throws what `openSecret` throws. */
export function openDestination(endpoint: Endpoint, openSecret: OpenSecret): Destination {
  const { url, format, header, secrets, timeoutMs = null } = endpoint;
  const opened = secrets.map(({ secret, expiresAt }) => ({ secret: openSecret(secret), expiresAt }));
  const openedHeader = header === null ? null : { name: header.name, value: openSecret(header.value) };
  return {
    post: (event, now) => {
      const live = opened.filter(({ expiresAt }) => expiresAt === null || expiresAt > now);
      return {
        url,
        id: event.eventId,
        body: renderWebhook(event, format),
        // A record whose secrets are all over is a fault of ours; the newest is what the customer most likely has.
        secrets: (live.length > 0 ? live : opened.slice(0, 1)).map(({ secret }) => secret),
        header: openedHeader,
        timeoutMs,
      };
    },
  };
}
