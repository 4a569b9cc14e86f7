/**
 * A company's monthly budget (UTC) and the used share. Only informs; nothing is refused. Sandbox and live count
 * separately.
 */
import type { Directory } from '../../model/directory.ts';
import { microsOf } from '../../model/rates.ts';
import type { UsageOwner } from '../../model/usage.ts';
import type { UsageService } from './report.ts';

export interface BudgetUse {
  /** Decimal text. */
  monthly: string;
  currency: string;
  /** In this month so far; decimal text. */
  spent: string;
  percent: number;
}

/** Null without a budget, or without prices. */
export type BudgetOf = (owner: UsageOwner) => Promise<BudgetUse | null>;

export function createBudgets(service: Pick<UsageService, 'today' | 'read'>, directory: () => Directory): BudgetOf {
  return async (owner) => {
    const monthly = directory().account(owner.accountId)?.monthlyBudget;
    if (monthly === undefined) return null;
    const to = service.today();
    const month = { from: `${to.slice(0, 7)}-01`, to };
    const { currency, total } = await service.read(owner, { ...month, groupBy: 'kind', after: null, limit: 1 });
    if (currency === null || total.cost === null) return null;
    const percent = Number((microsOf(total.cost) * 100n) / microsOf(monthly));
    return { monthly, currency, spent: total.cost, percent };
  };
}
