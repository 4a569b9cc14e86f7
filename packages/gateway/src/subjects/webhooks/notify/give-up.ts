/**
 * Disables an endpoint, and makes the deliveries of a re-enabled one due with all attempts ahead. Retries until the
 * store accepts it, or `stopped` ends it.
 */
import type { Clock } from '../../../kernel/clock.ts';
import type { Logger } from '../../../kernel/logger.ts';
import type { Endpoint } from '../../../model/records.ts';
import type { WebhookDelivery } from '../../../model/webhook-event.ts';
import { StoreUnavailable } from '../../../store/faults.ts';
import type { WebhookStore } from '../store/module.ts';

const storeRetryMs = 1_000;
const pageMax = 500;

export interface GiveUpParts {
  clock: Clock;
  logger: Logger;
  store: Pick<WebhookStore, 'replayWebhooks' | 'webhookDeliveries'>;
  /** Disables it with a notice; returns the version of the records that shows it. Rejects when the store does. */
  disable(endpointId: string, why: 'failing' | 'gone'): Promise<number>;
  stopped(): boolean;
}

/** Disables an endpoint with a notice. Returns the first version of the records that shows it; null when stopped. */
export function disableEndpoint(
  endpointId: string,
  why: 'failing' | 'gone',
  parts: GiveUpParts,
): Promise<number | null> {
  return untilStored(parts, async () => {
    const version = await parts.disable(endpointId, why);
    parts.logger.warn({ endpointId, why }, 'a webhook endpoint is disabled');
    return version;
  });
}

/** Makes an endpoint's waiting deliveries due, with all attempts ahead. False when stopped before the end. */
export async function resumeEndpoint({ endpointId, accountId }: Endpoint, parts: GiveUpParts): Promise<boolean> {
  const { clock, store, stopped } = parts;
  const now = clock.now();
  const done = await untilStored(parts, async () => {
    for (let before: number | null = null; !stopped(); ) {
      const page: WebhookDelivery[] = await store.webhookDeliveries({
        accountId,
        endpointIds: [endpointId],
        state: 'waiting',
        before,
        limit: pageMax,
      });
      // Most of a long queue was never attempted and is already due.
      const behind = page.filter(({ tries, dueAt }) => tries > 0 || dueAt > now);
      await Promise.all(
        behind.map(({ position }) => store.replayWebhooks({ accountId, endpointId, which: { position }, now })),
      );
      if (page.length < pageMax) return true;
      before = page.at(-1)!.position;
    }
    return false;
  });
  return done ?? false;
}

async function untilStored<T>({ clock, stopped }: GiveUpParts, work: () => Promise<T>): Promise<T | null> {
  while (!stopped()) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      await new Promise<void>((resolve) => clock.after(storeRetryMs, resolve));
    }
  }
  return null;
}
