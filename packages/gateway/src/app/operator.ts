/**
 * The operator's side of the portal, wired for `main.ts`: carriers, routes and companies over all accounts, held to the
 * rules of `helio apply`. It decides nothing about messages.
 */
import { testConnection } from '../carriers/connection-test.ts';
import type { Clock, Random } from '../domain/clock.ts';
import type { Directory } from '../domain/directory.ts';
import type { Ids } from '../domain/ids.ts';
import type { Logger } from '../domain/logger.ts';
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

export interface OperatorParts {
  clock: Clock;
  random: Random;
  ids: Ids;
  logger: Logger;
  store: Store;
  sealer: Sealer;
  lanes: Lanes;
  directory: () => Directory;
  /** Makes the directory follow the records at once. */
  refreshDirectory: () => Promise<unknown>;
}

/** For `openPortal`. */
export function openOperator(parts: OperatorParts): PortalModule[] {
  const { sealer } = parts;
  const rules: RecordRules = {
    carrier: (form, onRecord) => judgeCarrier(form, { onRecord, sealer }),
    route: judgeRoute,
    account: judgeAccount,
  };
  const desk = createRecordsDesk({ ...parts, refresh: parts.refreshDirectory });
  const common = { ...parts, desk, rules };
  const carriers = createCarrierDesk({
    ...common,
    testConnection: (record) => testConnection(unsealedCarrier(record, sealer), parts),
  });
  return [
    carrierAdminRoutes(carriers),
    carrierQueueRoutes(createCarrierQueueDesk(parts), parts.store),
    unmatchedRoutes(createUnmatchedDesk(parts)),
    routingRoutes(createRouteDesk(parts), createRouteDraftDesk(common)),
    accountRoutes(createAccountDesk(common)),
  ];
}
