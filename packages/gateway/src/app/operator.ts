/**
 * The operator's side of the portal, wired for the portal: carriers, routes and companies over all accounts, held to the
 * rules of `helio apply`. It decides nothing about messages.
 */
import { testConnection } from '../carriers/connection-test.ts';
import type { DirectoryFollower } from '../flow/directory-follower.ts';
import type { Lanes } from '../flow/lanes.ts';
import { createAccountDesk } from '../flow/operator/account-desk.ts';
import { createCarrierDesk } from '../flow/operator/carrier-desk.ts';
import { createCarrierQueueDesk } from '../flow/operator/carrier-queue.ts';
import { createRecordsDesk, type RecordRules } from '../flow/operator/records-desk.ts';
import { createRouteDesk } from '../flow/operator/route-desk.ts';
import { createRouteDraftDesk } from '../flow/operator/route-draft.ts';
import { createUnmatchedDesk } from '../flow/operator/unmatched-desk.ts';
import { accountRoutes } from '../http/portal/account-routes.ts';
import { carrierAdminRoutes } from '../http/portal/carrier-admin-routes.ts';
import { carrierQueueRoutes } from '../http/portal/carrier-queue-routes.ts';
import type { PortalModule } from '../http/portal/portal.ts';
import { routingRoutes } from '../http/portal/routing-routes.ts';
import { unmatchedRoutes } from '../http/portal/unmatched-routes.ts';
import type { Sealer } from '../kernel/sealing.ts';
import { unsealedCarrier } from '../records/carrier-secrets.ts';
import { judgeAccount, judgeCarrier, judgeRoute } from '../records/form.ts';
import type { Store } from '../store/store.ts';
import type { Context } from './context.ts';

export interface OperatorPorts {
  store: Store;
  sealer: Sealer;
  lanes: Lanes;
  directory: Pick<DirectoryFollower, 'current' | 'refresh'>;
}

/** For `openPortal`. */
export function openOperator(context: Context, { store, sealer, lanes, directory }: OperatorPorts): PortalModule[] {
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
  const desk = createRecordsDesk({ ...parts, refresh: directory.refresh });
  const common = { ...parts, desk, rules };
  const carriers = createCarrierDesk({
    ...common,
    testConnection: (record) => testConnection(unsealedCarrier(record, sealer), context),
  });
  return [
    carrierAdminRoutes(carriers),
    carrierQueueRoutes(createCarrierQueueDesk(parts), store),
    unmatchedRoutes(createUnmatchedDesk(parts)),
    routingRoutes(createRouteDesk(parts), createRouteDraftDesk(common)),
    accountRoutes(createAccountDesk(common)),
  ];
}
