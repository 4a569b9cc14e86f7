/** Planted bug: a node believes to have its lease however long it could not renew it. The simulation must find texts sent too late. */
import { NodeLease as RealLease } from '../../../packages/gateway/src/store/postgres-lease.ts';
import { standIn } from './plant.ts';

export * from '../../../packages/gateway/src/store/postgres-lease.ts';

export class NodeLease extends RealLease {
  override isHeld(): boolean {
    return true;
  }
}

standIn('store/postgres-lease.ts', import.meta.url);
