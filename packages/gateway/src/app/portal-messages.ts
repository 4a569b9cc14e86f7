/** Wires the portal's message pages: live stream, start page, message log. */
import type { PortalModule } from '../http/portal/portal.ts';
import type { TrustedClock } from '../messaging/time/trusted-clock.ts';
import { optOutExportRoutes } from '../subjects/consent/opt-out-export.ts';
import { cannedReplyRoutes } from '../subjects/conversations/canned-reply-routes.ts';
import { conversationRoutes } from '../subjects/conversations/conversation-routes.ts';
import { homeFiguresRoutes } from '../subjects/home/figures-routes.ts';
import { homeRoutes } from '../subjects/home/home-routes.ts';
import { streamRoutes } from '../subjects/live/stream-routes.ts';
import { messageMediaRoutes } from '../subjects/media/message-media-routes.ts';
import { messageBulkRoutes } from '../subjects/message-log/message-bulk-routes.ts';
import { messageLogRoutes } from '../subjects/message-log/message-log-routes.ts';
import { messageStoryRoutes } from '../subjects/message-log/message-story-routes.ts';
import { readFirstSteps } from '../subjects/records/first-steps.ts';
import { requestLogRoutes } from '../subjects/request-log/request-log-routes.ts';
import { usagePortalRoutes } from '../subjects/usage/usage-portal-routes.ts';
import type { Certificate } from './certificate.ts';
import type { Config } from './config.ts';
import type { MessageFlow } from './message-flow.ts';
import type { MediaStorage } from './mms.ts';
import type { Simulator } from './simulator.ts';
import type { Store } from './store.ts';
import type { Usage } from './usage.ts';
import type { Webhooks } from './webhooks.ts';

export interface PortalMessagesPorts {
  config: Pick<Config, 'dataDir' | 'sandbox'>;
  /** Null without https. */
  certificate: Pick<Certificate, 'endsAt'> | null;
  store: Store;
  flow: Pick<MessageFlow, 'acceptor' | 'lanes' | 'carrierNotifier' | 'pace' | 'limitWatch'>;
  webhooks: Pick<Webhooks, 'live' | 'optOuts'>;
  /** Null when the sandbox is off. */
  simulator: Simulator | null;
  usage: Pick<Usage, 'budgetOf' | 'statement'>;
  trustedClock: Pick<TrustedClock, 'warning'>;
  mediaStorage: Pick<MediaStorage, 'media'>;
}

export function portalMessages(ports: PortalMessagesPorts): PortalModule[] {
  const { config, certificate, store, flow, webhooks, simulator } = ports;
  const { live } = webhooks;
  const { budgetOf, statement } = ports.usage;
  flow.carrierNotifier.onLink(live.linkChanged);
  simulator?.carrier.onArrival(live.handsetGot);
  simulator?.demo.onChanged(live.listsChanged);
  return [
    streamRoutes({ live, store }),
    homeRoutes({
      store,
      budgetOf,
      clock: ports.trustedClock,
      carriers: flow.lanes.status,
      closeTo: (campaignId) => flow.limitWatch.closeTo(campaignId, flow.pace.use(campaignId)),
      certificateEndsAt: () => certificate?.endsAt() ?? null,
      demo: simulator?.demo ?? null,
      seededPair: () => (config.sandbox ? readFirstSteps(config.dataDir) : null),
    }),
    homeFiguresRoutes({ store }),
    messageLogRoutes({ store, nudgeAll: flow.lanes.nudgeAll }),
    messageMediaRoutes({ store, media: ports.mediaStorage.media }),
    requestLogRoutes({ store }),
    messageStoryRoutes({ store, lanes: flow.lanes, wire: simulator?.carrier.wire ?? null }),
    messageBulkRoutes({ store, acceptor: flow.acceptor, nudgeAll: flow.lanes.nudgeAll }),
    conversationRoutes({
      store,
      live,
      reportRead: (message) => flow.lanes.carrier(message.carrier)?.reportRead?.(message),
    }),
    cannedReplyRoutes({ store }),
    optOutExportRoutes({ consent: webhooks.optOuts }),
    usagePortalRoutes({ store, budgetOf, statement }),
  ];
}
