/**
 * Wires the operator's pages: carriers, routes and companies of all accounts, validated by the rules of `helio apply`.
 */
import { testConnection } from '../carriers/connection-test.ts';
import type { PortalModule } from '../http/portal/portal.ts';
import type { Sealer } from '../kernel/sealing.ts';
import type { Lanes } from '../messaging/send-queue/lanes.ts';
import type { DirectoryFollower } from '../messaging/time/memory.ts';
import { accountRoutes } from '../subjects/operator/account-routes.ts';
import { createAccountService } from '../subjects/operator/account-service.ts';
import { carrierAdminRoutes } from '../subjects/operator/carrier-admin-routes.ts';
import { createCarrierQueueService } from '../subjects/operator/carrier-queue.ts';
import { carrierQueueRoutes } from '../subjects/operator/carrier-queue-routes.ts';
import { createCarrierService } from '../subjects/operator/carrier-service.ts';
import { createRecordsService, type RecordRules } from '../subjects/operator/records-service.ts';
import { createRouteDraftService } from '../subjects/operator/route-draft.ts';
import { createRouteService } from '../subjects/operator/route-service.ts';
import { routingRoutes } from '../subjects/operator/routing-routes.ts';
import { unmatchedRoutes } from '../subjects/operator/unmatched-routes.ts';
import { createUnmatchedService } from '../subjects/operator/unmatched-service.ts';
import type { People } from '../subjects/people/people.ts';
import { unsealedCarrier } from '../subjects/records/carrier-secrets.ts';
import { judgeAccount, judgeCarrier, judgeRoute } from '../subjects/records/form.ts';
import type { Context } from './context.ts';
import type { Store } from './store.ts';

export interface OperatorPorts {
  store: Store;
  sealer: Sealer;
  lanes: Lanes;
  directory: Pick<DirectoryFollower, 'current' | 'refresh'>;
  people: Pick<People, 'users'>;
}

/** For `openPortal`. */
export function openOperator(
  context: Context,
  { store, sealer, lanes, directory, people }: OperatorPorts,
): PortalModule[] {
  const parts = {
    ...context,
    store,
    sealer,
    lanes,
    directory: directory.current,
    refreshDirectory: directory.refresh,
  };
  const rules: RecordRules = {
    carrier: (form, onRecord) => judgeCarrier(form, { onRecord, sealer }),
    route: judgeRoute,
    account: judgeAccount,
  };
  const service = createRecordsService({ ...parts, refresh: directory.refresh });
  const common = { ...parts, service, rules };
  const carriers = createCarrierService({
    ...common,
    testConnection: (record) => testConnection(unsealedCarrier(record, sealer), context),
  });
  return [
    carrierAdminRoutes(carriers),
    carrierQueueRoutes(createCarrierQueueService(parts), store),
    unmatchedRoutes(createUnmatchedService(parts)),
    routingRoutes(createRouteService(parts), createRouteDraftService(common)),
    accountRoutes(createAccountService(common), people.users),
  ];
}
