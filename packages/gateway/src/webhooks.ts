/**
 * Wires everything that tells customers what happened: the desk of endpoints, the sender in its thread, the feed of
 * events, and their doors. Decides nothing about events; only which URLs this machine may be made to open.
 */
import { hostname } from 'node:os';
import { type Config, isLoopback } from './config.ts';
import type { Clock, Random } from './domain/clock.ts';
import type { Ids } from './domain/ids.ts';
import type { Logger } from './domain/logger.ts';
import { Secret } from './domain/secret.ts';
import type { Consent } from './flow/consent.ts';
import type { DirectoryFollower } from './flow/directory-follower.ts';
import { createEndpointDesk } from './flow/endpoints.ts';
import { createEventFeed } from './flow/event-feed.ts';
import { createExampleEvents } from './flow/example-events.ts';
import { createNotifier } from './flow/notify/notifier.ts';
import { deliveryRoutes } from './http/delivery-routes.ts';
import { endpointRoutes } from './http/endpoint-routes.ts';
import { eventRoutes } from './http/event-routes.ts';
import { optOutRoutes } from './http/opt-out-routes.ts';
import type { RouteModule } from './http/server.ts';
import { createGuardedFetch } from './net/guarded-fetch.ts';
import { machineAddresses } from './net/machine-addresses.ts';
import { machineResolve } from './net/resolve.ts';
import { isUsableWebhookHeader } from './net/webhook-poster.ts';
import { createWebhookSecret } from './net/webhook-signature.ts';
import { openWebhookThread, type WebhookPolicy } from './net/webhook-thread.ts';
import type { Sealer } from './sealing.ts';
import type { Store } from './store/store.ts';
import { version } from './version.ts';

/** How long the name of a new endpoint's host is looked for. */
const checkWaitMs = 2_000;

export interface Webhooks {
  readonly routes: RouteModule[];
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
  config: Pick<Config, 'allowPrivateUrls' | 'host' | 'publicUrl' | 'sandbox'>;
  clock: Clock;
  random: Random;
  ids: Ids;
  logger: Logger;
  store: Store;
  sealer: Sealer;
  directory: DirectoryFollower;
  consent: Consent;
  /** Ports of this process that no webhook may reach. */
  ownPorts(): number[];
  broken(error: unknown): void;
}

export function openWebhooks(parts: WebhooksParts): Webhooks {
  const { config, clock, random, sealer, store, consent } = parts;
  const directory = parts.directory.current;
  let started = false;

  const policy = (): WebhookPolicy => ({
    allowPrivate: mayUsePrivateUrls(parts),
    extraPorts: [],
    ownNames: [hostname(), ...(config.publicUrl === null ? [] : [new URL(config.publicUrl).hostname])],
    ownPorts: parts.ownPorts(),
  });
  const common = { clock, random, ids: parts.ids, logger: parts.logger, store, directory };
  const guarded = createGuardedFetch({ clock, resolve: machineResolve });
  const desk = createEndpointDesk({
    ...common,
    sealer,
    refreshDirectory: parts.directory.refresh,
    createSecret: () => createWebhookSecret(random),
    checkUrl: (url) => guarded.checkUrlResolved(url, { ...policy(), ownAddresses: machineAddresses() }, checkWaitMs),
    liveNeedsHttps: () => !mayUsePrivateUrls(parts),
    isUsableHeader: isUsableWebhookHeader,
  });
  const notifier = createNotifier({
    ...common,
    poster: openWebhookThread({ ...common, version, policy }),
    openSecret: (sealed) => new Secret(sealer.open(sealed)),
    disable: desk.disableBy,
    onCarrierOptOut: consent.fromCarrier,
    broken: parts.broken,
  });
  const { nudge, replayed } = notifier;
  const feed = createEventFeed({ ...common, changed: notifier.changed });
  const examples = createExampleEvents({ ...common, nudge });
  return {
    routes: [
      endpointRoutes({ ...common, desk, nudge, replayed }),
      deliveryRoutes({ ...common, desk, replayed }),
      eventRoutes({ feed, examples }),
      optOutRoutes(consent),
    ],
    start: async () => {
      await notifier.start();
      started = true;
      store.onEvents(nudge);
    },
    recordsChanged: () => {
      if (started) notifier.endpointsChanged();
    },
    endWaits: feed.endWaits,
    stop: async () => {
      store.onEvents(() => {});
      await notifier.stop();
      guarded.close();
    },
  };
}

/** Where nothing leaves this machine anyway, webhooks may stay on it too. */
export function mayUsePrivateUrls({ config, directory }: Pick<WebhooksParts, 'config' | 'directory'>): boolean {
  if (config.allowPrivateUrls !== null) return config.allowPrivateUrls;
  const live = directory.current().records.carriers.some((carrier) => carrier.environment === 'live');
  return config.sandbox && isLoopback(config.host) && !live;
}
