/** Wires billing: the follower that counts the event log, usage figures, budgets. */
import type { RouteModule } from '../http/server.ts';
import type { DirectoryFollower } from '../messaging/time/directory-follower.ts';
import { type BudgetOf, createBudgets } from '../subjects/usage/budget.ts';
import { createUsageFollower } from '../subjects/usage/follow.ts';
import { createUsageService } from '../subjects/usage/report.ts';
import { usageRoutes } from '../subjects/usage/usage-routes.ts';
import type { Context } from './context.ts';
import type { Part } from './lifecycle.ts';
import type { Store } from './store.ts';

export interface Usage {
  readonly routes: readonly RouteModule[];
  readonly budgetOf: BudgetOf;
  readonly parts: readonly Part[];
}

export function openUsage(
  context: Context,
  { store, directory }: { store: Store; directory: Pick<DirectoryFollower, 'current'> },
): Usage {
  const common = { ...context, store, directory: directory.current };
  const follower = createUsageFollower(common);
  const service = createUsageService(common);
  return {
    routes: [usageRoutes(service)],
    budgetOf: createBudgets(service, directory.current),
    parts: [{ name: 'usage', onlyActing: true, start: follower.start, stop: follower.stop }],
  };
}
