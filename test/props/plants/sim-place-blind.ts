/** The second half of `sim-epoch-blind.ts`. */
import {
  type ClusterPlaceParts,
  clusterPlace as realPlace,
} from '../../../packages/gateway/src/store/postgres-cluster.ts';
import type { Place } from '../../../packages/gateway/src/store/postgres-place.ts';
import { standIn } from './plant.ts';

export * from '../../../packages/gateway/src/store/postgres-cluster.ts';

export function clusterPlace(parts: ClusterPlaceParts): Place {
  const place = realPlace(parts);
  return {
    ...place,
    renew: (client) => place.renew(client).then(() => true),
    resume: (client) => place.resume(client).catch(() => true),
  };
}

standIn('store/postgres-cluster.ts', import.meta.url);
