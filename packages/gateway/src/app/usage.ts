/** Wires what counts the event log: billing with its figures and budgets, and outcomes by the hour. */
import type { RouteModule } from '../http/server.ts';
import type { DirectoryFollower } from '../messaging/time/memory.ts';
import { type BudgetOf, createBudgets } from '../subjects/usage/budget.ts';
import { createUsageFollower, hourlyLedger, usageLedger } from '../subjects/usage/follow.ts';
import { createUsageService, type UsageService } from '../subjects/usage/report.ts';
import { usageRoutes } from '../subjects/usage/usage-routes.ts';
import type { Context } from './context.ts';
import type { Part } from './lifecycle.ts';
import type { Store } from './store.ts';

export interface Usage {
  readonly routes: readonly RouteModule[];
  readonly budgetOf: BudgetOf;
  readonly statement: UsageService['statement'];
  readonly parts: readonly Part[];
}

export function openUsage(
  context: Context,
  { store, directory }: { store: Store; directory: Pick<DirectoryFollower, 'current'> },
): Usage {
  const common = { ...context, store, directory: directory.current };
  const ledgers = [usageLedger(store, directory.current), hourlyLedger(store, directory.current)];
  const follower = createUsageFollower({ ...context, store, ledgers });
  const service = createUsageService(common);
  return {
    routes: [usageRoutes(service)],
    budgetOf: createBudgets(service, directory.current),
    statement: service.statement,
    parts: [{ name: 'usage', duty: 'usage', start: follower.start, stop: follower.stop }],
  };
}
