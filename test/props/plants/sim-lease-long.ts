/** Planted bug: a lease holds for twenty seconds. The simulation must find send queues that are taken over too late. */
import { leaseTimes as realTimes } from '../../../packages/gateway/src/store/postgres-lease.ts';
import { standIn } from './plant.ts';

export * from '../../../packages/gateway/src/store/postgres-lease.ts';

export const leaseTimes = { ...realTimes, heldMs: 20_000 };

standIn('store/postgres-lease.ts', import.meta.url);
