/** Wires webhooks: endpoints, the sending thread, the event feed, and their routes. */
import type { RouteModule } from '../http/server.ts';
import type { Sealer } from '../kernel/sealing.ts';
import { Secret } from '../kernel/secret.ts';
import { version } from '../kernel/version.ts';
import type { Consent } from '../messaging/consent/consent.ts';
import type { MmsFallback } from '../messaging/media/mms-fallback.ts';
import type { DirectoryFollower } from '../messaging/time/memory.ts';
import { stopWebhooksMs } from '../model/limits.ts';
import { optOutRoutes } from '../subjects/consent/opt-out-routes.ts';
import { contactRoutes } from '../subjects/contacts/contact-routes.ts';
import { createLive, type Live } from '../subjects/live/live.ts';
import { deliveryRoutes } from '../subjects/webhooks/delivery-routes.ts';
import { endpointRoutes } from '../subjects/webhooks/endpoint-routes.ts';
import { createEndpointService } from '../subjects/webhooks/endpoints.ts';
import { createEventFeed } from '../subjects/webhooks/event-feed.ts';
import { eventRoutes } from '../subjects/webhooks/event-routes.ts';
import { createExampleEvents } from '../subjects/webhooks/example-events.ts';
import { createNotifier } from '../subjects/webhooks/notify/notifier.ts';
import { isUsableWebhookHeader } from '../subjects/webhooks/webhook-poster.ts';
import { createWebhookSecret } from '../subjects/webhooks/webhook-signature.ts';
import { openWebhookThread } from '../subjects/webhooks/webhook-thread.ts';
import type { Context } from './context.ts';
import type { EgressPolicy } from './egress-policy.ts';
import type { Part } from './lifecycle.ts';
import type { Store } from './store.ts';

/** Deliveries that another node set back to waiting are found within this time. */
const othersLookMs = 2_000;
/** What a late phase of a stop still gives to webhooks under way. */
const stopWebhooksMsMin = 1_000;

export interface Webhooks {
  readonly routes: RouteModule[];
  /** For the pages of the portal. */
  readonly live: Live;
  readonly optOuts: Pick<Consent, 'list'>;
  /** Called when the records changed. */
  recordsChanged(): void;
  readonly parts: readonly Part[];
}

export interface WebhooksPorts {
  store: Store;
  sealer: Sealer;
  directory: Pick<DirectoryFollower, 'current' | 'refresh' | 'catchUp'>;
  consent: Consent;
  egress: EgressPolicy;
  /** Follows each MMS that ended because its recipient takes none. */
  mmsFallback: Pick<MmsFallback, 'follow'>;
}

export function openWebhooks(context: Context, ports: WebhooksPorts): Webhooks {
  const { sealer, store, consent, egress } = ports;
  const directory = ports.directory.current;
  const common = { ...context, store, directory };
  const service = createEndpointService({
    ...common,
    sealer,
    refreshDirectory: ports.directory.refresh,
    createSecret: () => createWebhookSecret(context.random),
    checkUrl: egress.checkUrl,
    liveNeedsHttps: () => !egress.allowsPrivate(),
    isUsableHeader: isUsableWebhookHeader,
  });
  const notifier = createNotifier({
    ...common,
    ...(store.place.isShared && { catchUp: ports.directory.catchUp }),
    poster: openWebhookThread({ ...common, version, policy: egress.threadPolicy }),
    openSecret: (sealed, place) => new Secret(sealer.open(sealed, place)),
    disable: service.disableBy,
    onCarrierOptOut: consent.fromCarrier,
    onMmsNotSupported: ports.mmsFallback.follow,
    attempted: (outcomes) => live.attempted(outcomes),
  });
  const { nudge, replayed } = notifier;
  const feed = createEventFeed({ ...common, changed: notifier.changed });
  const live = createLive({ ...common, changed: notifier.changed });
  const examples = createExampleEvents({ ...common, nudge });
  let cancelLook = (): void => {};
  let stopBeganMs: number | null = null;

  /** All of it when another node gets the duty: only a stop has a beginning. */
  function stopTimeLeft(): number {
    const nowMs = context.clock.monotonicMs();
    return Math.max(stopWebhooksMsMin, (stopBeganMs ?? nowMs) + stopWebhooksMs - nowMs);
  }

  async function send(): Promise<void> {
    await notifier.start();
    if (store.place.isShared) lookLater();
  }

  function lookLater(): void {
    cancelLook = context.clock.after(othersLookMs, () => {
      if (store.place.nodes() > 1) notifier.lookAgain();
      lookLater();
    });
  }

  const sending: Part = {
    name: 'webhooks',
    duty: 'webhooks',
    // The directory must be up to date.
    start: send,
    stopBegins: () => {
      stopBeganMs = context.clock.monotonicMs();
    },
    stop: async () => {
      cancelLook();
      await notifier.rest(stopTimeLeft());
    },
  };
  const events: Part = {
    name: 'events',
    start: async () => {
      await notifier.watch();
      store.onEvents(nudge);
    },
    // Answers long polls on events first; they would delay the server's stop.
    quiesce: () => {
      feed.endWaits();
      live.end();
    },
    stop: async () => {
      store.onEvents(() => {});
      await notifier.stop();
    },
  };
  return {
    routes: [
      endpointRoutes({ ...common, service, nudge, replayed }),
      deliveryRoutes({ ...common, service, nudge, replayed }),
      eventRoutes({ feed, examples }),
      optOutRoutes(consent),
      contactRoutes({ store, live }),
    ],
    live,
    optOuts: consent,
    recordsChanged: () => {
      notifier.endpointsChanged();
      live.recordsChanged(directory().version);
    },
    parts: [events, sending],
  };
}
