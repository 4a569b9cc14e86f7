/** The used share of a budget: exact, only of this month, and null where it is undefined. */
import { describe, expect, it } from 'vitest';
import { buildDirectory } from '../../carriers/directory.ts';
import { recordsOf } from '../../http/server-fixture.ts';
import type { Account } from '../../model/records.ts';
import { account } from '../../model/world-fixture.ts';
import { createBudgets } from './budget.ts';
import type { UsageQuery } from './report.ts';

const owner = { accountId: account.accountId, environment: 'live' } as const;

async function use(fields: Partial<Account>, cost: string | null) {
  const queries: UsageQuery[] = [];
  const service = {
    today: () => '2026-11-21',
    read: async (_: unknown, query: UsageQuery) => {
      queries.push(query);
      const total = { smsMessages: 0, smsSegments: 0, mmsMessages: 0, cost, unpricedMessages: 0 };
      return { currency: cost === null ? null : 'USD', total, before: null, groups: [], next: null };
    },
  };
  const directory = buildDirectory(recordsOf([], [{ ...account, ...fields }]));
  return { use: await createBudgets(service, () => directory)(owner), queries };
}

describe('the use of a budget', () => {
  it('is that of the month so far', async () => {
    const { use: used, queries } = await use({ monthlyBudget: '250' }, '199.999999');
    expect(used).toEqual({ monthly: '250', currency: 'USD', spent: '199.999999', percent: 79 });
    expect(queries).toMatchObject([{ from: '2026-11-01', to: '2026-11-21' }]);
    expect((await use({ monthlyBudget: '250.00' }, '200.00')).use?.percent).toBe(80);
    expect((await use({ monthlyBudget: '0.01' }, '1000000.00')).use?.percent).toBe(10_000_000_000);
  });

  it('is nothing without a budget or without prices', async () => {
    expect((await use({}, '1.00')).use).toBeNull();
    expect((await use({ monthlyBudget: '250' }, null)).use).toBeNull();
  });
});
