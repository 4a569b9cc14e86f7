/** Routes of the gateway, as it has them. Written by `npm run goldens`: do not edit. */
import type { DeliveriesRoutes } from './deliveries';
import type { EndpointsRoutes } from './endpoints';
import type { EventsRoutes } from './events';
import type { MediaRoutes } from './media';
import type { MessagesRoutes } from './messages';
import type { NumbersRoutes } from './numbers';
import type { OptOutsRoutes } from './opt-outs';
import type { SandboxRoutes } from './sandbox';
import type { SendRoutes } from './send';
import type { UsageRoutes } from './usage';

export interface Routes
  extends DeliveriesRoutes,
    EndpointsRoutes,
    EventsRoutes,
    MediaRoutes,
    MessagesRoutes,
    NumbersRoutes,
    OptOutsRoutes,
    SandboxRoutes,
    SendRoutes,
    UsageRoutes {}
