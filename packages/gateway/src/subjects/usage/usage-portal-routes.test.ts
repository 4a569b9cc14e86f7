/** What became of messages and the month's budget, as the portal asks: of the own company, and only what may be asked. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPortalWorld, type PortalWorld } from '../../http/portal/portal-fixture.ts';
import { inLive, inSandbox, number, own } from '../../model/world-fixture.ts';
import { outcomesLook, usagePortalRoutes } from './usage-portal-routes.ts';

let world: PortalWorld;
let asked: unknown[] = [];
const row = { day: '2026-11-20', state: 'delivered', count: 3 } as const;

beforeAll(async () => {
  world = await openPortalWorld({
    modules: [
      usagePortalRoutes({
        store: {
          outcomes: async (request) => {
            asked.push(request);
            return [
              { ...row, number: '12025550199' },
              { ...row, number: '12025550177', count: outcomesLook },
            ];
          },
        },
        budgetOf: async ({ accountId, environment }) => ({
          monthly: '250',
          currency: 'USD',
          spent: `${accountId} ${environment}`,
          percent: 80,
        }),
      }),
    ],
  });
  world.setRecords({
    ...world.records,
    numbers: [number(own, { ...inSandbox, campaignId: 'C' }), number('12025550177', { ...inLive, campaignId: 'C' })],
  });
});
afterAll(() => world.close());

describe('what became of messages', () => {
  it('is asked of the own company, and told of numbers of the environment', async () => {
    asked = [];
    const viewer = await world.as('Viewer');
    const how = { headers: { 'x-helio-environment': 'sandbox' } };
    const { data } = (await viewer.call('GET', '/usage/outcomes?from=2026-11-20&to=2026-11-20', undefined, how)).json;
    expect(data).toMatchObject({ whole: false, rows: [{ ...row, number: '12025550199', campaignId: 'C' }] });
    expect(data.rows).toHaveLength(1);
    const from = Date.UTC(2026, 10, 20);
    expect(asked).toEqual([{ accountId: 'acc_one', from, until: from + 86_400_000, look: outcomesLook }]);
  });

  it('is of days that are days, in order, and not too many', async () => {
    const owner = await world.as('Owner');
    for (const query of [
      '?from=2026-11-20&to=2026-11-19',
      '?from=x&to=y',
      '?from=2026-11-21&to=2026-11-20',
      '?from=2020-01-01&to=2026-01-01',
    ]) {
      expect((await owner.call('GET', `/usage/outcomes${query}`)).json.reason).toBe('INVALID_FIELD');
    }
    expect((await (await world.as('Support')).call('GET', '/usage/outcomes')).status).toBe(403);
  });
});

it('the budget is that of the own company', async () => {
  const owner = await world.as('Owner', 'acc_two');
  expect((await owner.call('GET', '/usage/budget')).json.data.spent).toMatch(/^acc_two /);
});
