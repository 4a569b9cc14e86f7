/**
 * Wires everything that tells customers what happened: the desk of endpoints, the sender in its thread, the feed of
 * events, and their doors. Decides nothing about events.
 */
import type { Clock, Random } from '../domain/clock.ts';
import type { Ids } from '../domain/ids.ts';
import type { Logger } from '../domain/logger.ts';
import { Secret } from '../domain/secret.ts';
import type { CustomerEvent } from '../domain/webhook-event.ts';
import type { Consent } from '../flow/consent.ts';
import type { DirectoryFollower } from '../flow/directory-follower.ts';
import { createEndpointDesk } from '../flow/endpoints.ts';
import { createEventFeed } from '../flow/event-feed.ts';
import { createExampleEvents } from '../flow/example-events.ts';
import { createLive, type Live } from '../flow/live.ts';
import { createNotifier } from '../flow/notify/notifier.ts';
import { deliveryRoutes } from '../http/delivery-routes.ts';
import { endpointRoutes } from '../http/endpoint-routes.ts';
import { eventRoutes } from '../http/event-routes.ts';
import { optOutRoutes } from '../http/opt-out-routes.ts';
import type { RouteModule } from '../http/server.ts';
import type { Sealer } from '../kernel/sealing.ts';
import { version } from '../kernel/version.ts';
import { isUsableWebhookHeader } from '../net/webhook-poster.ts';
import { createWebhookSecret } from '../net/webhook-signature.ts';
import { openWebhookThread } from '../net/webhook-thread.ts';
import type { Store } from '../store/store.ts';
import type { Outside } from './outside.ts';

/** How long the name of a new endpoint's host is looked for. */
const checkWaitMs = 2_000;

export interface Webhooks {
  readonly routes: RouteModule[];
  /** For the pages of the portal. */
  readonly live: Live;
  readonly optOuts: Pick<Consent, 'list'>;
  /** Takes up what earlier runs left; the directory must be up to date. */
  start(): Promise<void>;
  /** The records are others now. */
  recordsChanged(): void;
  /** Answers everyone who waits for an event, now and from now on: for when the doors are about to close. */
  endWaits(): void;
  /** Finishes what is under way. */
  stop(): Promise<void>;
}

export interface WebhooksParts {
  clock: Clock;
  random: Random;
  ids: Ids;
  logger: Logger;
  store: Store;
  sealer: Sealer;
  directory: DirectoryFollower;
  consent: Consent;
  outside: Outside;
  /** An MMS ended because its recipient takes none, and its account wants a text instead. */
  mmsNotSupported(event: CustomerEvent): Promise<void>;
  broken(error: unknown): void;
}

export function openWebhooks(parts: WebhooksParts): Webhooks {
  const { clock, random, sealer, store, consent, outside } = parts;
  const directory = parts.directory.current;
  let started = false;

  const common = { clock, random, ids: parts.ids, logger: parts.logger, store, directory };
  const desk = createEndpointDesk({
    ...common,
    sealer,
    refreshDirectory: parts.directory.refresh,
    createSecret: () => createWebhookSecret(random),
    checkUrl: async (url, environment) => {
      const policy = outside.policyFor(environment);
      const checked = await outside.guarded.checkUrlResolved(url, policy, checkWaitMs);
      if (!checked.ok || !policy.allowPrivate) return checked;
      const strict = await outside.guarded.checkUrlResolved(url, { ...policy, allowPrivate: false }, checkWaitMs);
      return { ok: true, isPrivate: !strict.ok && (strict.why === 'address' || strict.why === 'name') };
    },
    liveNeedsHttps: () => !outside.allowsPrivate(),
    isUsableHeader: isUsableWebhookHeader,
  });
  const notifier = createNotifier({
    ...common,
    poster: openWebhookThread({ ...common, version, policy: outside.threadPolicy }),
    openSecret: (sealed, place) => new Secret(sealer.open(sealed, place)),
    disable: desk.disableBy,
    onCarrierOptOut: consent.fromCarrier,
    onMmsNotSupported: parts.mmsNotSupported,
    attempted: (outcomes) => live.attempted(outcomes),
    broken: parts.broken,
  });
  const { nudge, replayed } = notifier;
  const feed = createEventFeed({ ...common, changed: notifier.changed });
  const live = createLive({ ...common, changed: notifier.changed });
  const examples = createExampleEvents({ ...common, nudge });
  return {
    routes: [
      endpointRoutes({ ...common, desk, nudge, replayed }),
      deliveryRoutes({ ...common, desk, nudge, replayed }),
      eventRoutes({ feed, examples }),
      optOutRoutes(consent),
    ],
    live,
    optOuts: consent,
    start: async () => {
      await notifier.start();
      started = true;
      store.onEvents(nudge);
    },
    recordsChanged: () => {
      if (started) notifier.endpointsChanged();
      live.recordsChanged(directory().version);
    },
    endWaits: () => {
      feed.endWaits();
      live.end();
    },
    stop: async () => {
      store.onEvents(() => {});
      await notifier.stop();
    },
  };
}
