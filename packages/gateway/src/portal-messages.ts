/** Wires what the portal shows of messages: the live stream, the start page, the message log. Decides nothing. */
import type { Config } from './config.ts';
import { conversationRoutes } from './http/portal/conversation-routes.ts';
import { homeRoutes } from './http/portal/home-routes.ts';
import { messageLogRoutes } from './http/portal/message-log-routes.ts';
import type { PortalModule } from './http/portal/portal.ts';
import { streamRoutes } from './http/portal/stream-routes.ts';
import type { MessageFlow } from './message-flow.ts';
import { readFirstSteps } from './records/first-steps.ts';
import type { Simulator } from './simulator.ts';
import type { Store } from './store/store.ts';
import type { Webhooks } from './webhooks.ts';

export interface PortalMessagesParts {
  config: Pick<Config, 'dataDir' | 'sandbox'>;
  store: Store;
  flow: Pick<MessageFlow, 'lanes' | 'news'>;
  webhooks: Pick<Webhooks, 'live'>;
  simulator: Simulator | null;
}

export function portalMessages({ config, store, flow, webhooks, simulator }: PortalMessagesParts): PortalModule[] {
  const { live } = webhooks;
  flow.news.onLink(live.linkChanged);
  simulator?.carrier.onArrival(live.handsetGot);
  return [
    streamRoutes({ live, store }),
    homeRoutes({
      store,
      carriers: flow.lanes.status,
      seededPair: () => (config.sandbox ? readFirstSteps(config.dataDir) : null),
    }),
    messageLogRoutes({ store, nudgeAll: flow.lanes.nudgeAll }),
    conversationRoutes({ store }),
  ];
}
