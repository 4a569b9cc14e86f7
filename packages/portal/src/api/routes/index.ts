/** Routes of the gateway, as it has them. Written by `npm run goldens`: do not edit. */
import type { DeliveriesRoutes } from './deliveries';
import type { EndpointsRoutes } from './endpoints';
import type { EventsRoutes } from './events';
import type { NumbersRoutes } from './numbers';
import type { OptOutsRoutes } from './opt-outs';

export interface Routes extends DeliveriesRoutes, EndpointsRoutes, EventsRoutes, NumbersRoutes, OptOutsRoutes {}
