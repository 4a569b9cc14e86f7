/** The seeded endpoint of the sandbox's webhook inbox: its record at start and its valid secrets. */
import type { EpochMs, Random } from '../../kernel/clock.ts';
import { webhookSecretPlace } from '../../kernel/sealed-place.ts';
import { opened, type Sealer } from '../../kernel/sealing.ts';
import type { Endpoint, Records } from '../../model/records.ts';
import type { SigningSecret } from '../../model/signature-verdict.ts';
import { inboxEndpointId } from '../../model/webhook-inbox.ts';
import { createWebhookSecret } from '../webhooks/webhook-signature.ts';
import { sandboxInboxEndpoint } from './sandbox-records.ts';

const place = webhookSecretPlace(inboxEndpointId);

/**
 * The endpoint with `url`, new or as the operator left it. If failures disabled it, it is enabled again: they came from
 * an address of an earlier start, or from a test of that behaviour.
 */
export function inboxEndpoint(
  records: Pick<Records, 'endpoints'>,
  { url, sealer, random, now }: { url: string; sealer: Sealer; random: Random; now: EpochMs },
): Endpoint {
  const earlier = earlierOf(records) ?? { ...sandboxInboxEndpoint, createdAt: now };
  if (earlier.deletedAt !== null) return earlier;
  // Sealed with a lost key: nobody else signs with them, so a new one loses nothing.
  const readable = earlier.secrets.filter(({ secret }) => opened(sealer, secret, place) !== null);
  const made = () => {
    const secret = sealer.seal(createWebhookSecret(random).reveal(), place);
    return { secret, expiresAt: null, since: now };
  };
  return {
    ...earlier,
    url,
    secrets: readable.some(({ expiresAt }) => expiresAt === null) ? readable : [made(), ...readable],
    disabled: earlier.disabled?.why === 'by hand' ? earlier.disabled : null,
  };
}

/** Its valid secrets at `now`, in plain text; empty when the endpoint does not exist or none can be opened. */
export function inboxSecrets(records: Pick<Records, 'endpoints'>, sealer: Sealer, now: EpochMs): SigningSecret[] {
  return (earlierOf(records)?.secrets ?? [])
    .filter(({ expiresAt }) => (expiresAt ?? Number.POSITIVE_INFINITY) > now)
    .flatMap(({ secret: sealed, expiresAt }) => {
      const secret = opened(sealer, sealed, place);
      return secret === null ? [] : [{ secret, expiresAt }];
    });
}

function earlierOf({ endpoints }: Pick<Records, 'endpoints'>): Endpoint | undefined {
  return endpoints.find(({ endpointId }) => endpointId === inboxEndpointId);
}
