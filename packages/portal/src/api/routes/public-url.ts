/** Routes of the gateway, as it has them. Written by `npm run goldens`: do not edit. */
import type { HealthFinding } from './health';

export interface PublicUrlRoutes {
  'POST /public-url/test': {
    query: Record<never, never>;
    body: unknown;
    answer: HealthFinding;
  };
}
