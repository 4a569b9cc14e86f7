/** Routes of the gateway, as it has them. Written by `npm run goldens`: do not edit. */
import type { NumbersRoutes } from './numbers';
import type { OptOutsRoutes } from './opt-outs';

export interface Routes extends NumbersRoutes, OptOutsRoutes {}
