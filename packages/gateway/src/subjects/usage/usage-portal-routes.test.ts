/** Outcomes of messages and the month's budget for the portal: only of the own company, and only with valid queries. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openPortalWorld, type PortalWorld } from '../../http/portal/portal-fixture.ts';
import type { OutcomeRow } from '../../model/usage.ts';
import { inLive, inSandbox, number, own } from '../../model/world-fixture.ts';
import { outcomesLook, printedLinesMax, usagePortalRoutes } from './usage-portal-routes.ts';

let world: PortalWorld;
let requests: unknown[] = [];
const day = '2026-11-20';
const row = { day, key: 'k1', kind: 'SMS', carrier: 'c1', toPrefix: '1415', state: 'delivered', count: 3 } as const;
const [sandboxed, live] = [own, '12025550177'];
let found: OutcomeRow[] = [];
const hourly = { code: '', took: 0 };

beforeAll(async () => {
  world = await openPortalWorld({
    modules: [
      usagePortalRoutes({
        store: {
          outcomes: async (request) => {
            requests.push(request);
            return found;
          },
          hourlyOutcomes: async (request) => {
            requests.push(request);
            return [
              { ...hourly, span: 1, outcome: 'sent', messages: 9 },
              { ...hourly, span: 1, outcome: 'delivered', messages: 5 },
              { ...hourly, span: 1, outcome: 'failed', messages: 2 },
              { ...hourly, span: 2, outcome: 'expired', messages: 4 },
            ];
          },
        },
        budgetOf: async ({ accountId, environment }) => ({
          monthly: '250',
          currency: 'USD',
          spent: `${accountId} ${environment}`,
          percent: 80,
        }),
        statement: async ({ accountId, environment }, month, max) =>
          month.from === '2026-10-01'
            ? null
            : { ...month, currency: `${accountId} ${environment} ${max}`, lines: [], messages: 0, cost: null },
      }),
    ],
  });
  world.setRecords({
    ...world.records,
    numbers: [number(sandboxed, { ...inSandbox, campaignId: 'C' }), number(live, { ...inLive, campaignId: 'C' })],
  });
});
afterAll(() => world.close());
beforeEach(() => {
  requests = [];
  found = [
    { ...row, number: sandboxed },
    { ...row, number: sandboxed, state: 'queued', kind: 'MMS', key: 'portal:u1' },
    { ...row, number: sandboxed, state: 'expired', count: 1, carrier: '' },
    { ...row, number: sandboxed, state: 'canceled', count: 1, carrier: '' },
    { ...row, number: live, count: outcomesLook },
  ];
});

const how = { headers: { 'x-helio-environment': 'sandbox' } };
const ask = async (query: string) =>
  (await (await world.as('Viewer')).call('GET', `/usage/outcomes?from=2026-11-19&to=${day}${query}`, undefined, how))
    .json.data;

describe('outcomes of messages', () => {
  it('is counted by the hour for days, and looked at for groups, of the own numbers of the environment', async () => {
    expect(await ask('')).toEqual({
      from: '2026-11-19',
      to: day,
      days: [{ name: day, delivered: 5, failed: 2, waiting: 4 }],
      before: { delivered: 0, failed: 4, waiting: 0 },
      groups: [{ name: sandboxed, delivered: 3, failed: 1, waiting: 3 }],
      looked: outcomesLook + 8,
      whole: false,
    });
    const [from, until, ms] = [Date.UTC(2026, 10, 19), Date.UTC(2026, 10, 21), 86_400_000];
    expect(requests).toEqual([
      { accountId: 'acc_one', from, until, look: outcomesLook },
      {
        accountId: 'acc_one',
        environment: 'sandbox',
        spans: [
          { from, until: from + ms },
          { from: from + ms, until },
          { from: from - 2 * ms, until: from },
        ],
      },
    ]);
  });

  it('is looked at where it is filtered, then and before', async () => {
    const one = (name: string, counts: object) => [{ name, delivered: 0, failed: 0, waiting: 0, ...counts }];
    expect(await ask('&kind=MMS&groupBy=key')).toMatchObject({
      days: one(day, { waiting: 3 }),
      groups: one('portal:u1', { waiting: 3 }),
      before: { delivered: 0, waiting: 3 },
    });
    expect(requests).toHaveLength(2);
    expect(await ask('&carrier=c1&campaign=C&country=US&groupBy=country')).toMatchObject({
      groups: one('US', { delivered: 3, waiting: 3 }),
    });
    expect((await ask('&campaign=')).groups).toEqual([]);
  });

  it('is of days that are days, in order, and not too many', async () => {
    const owner = await world.as('Owner');
    for (const query of [
      '?from=2026-11-20&to=2026-11-19',
      '?from=x&to=y',
      '?from=2026-11-21&to=2026-11-20',
      '?from=2020-01-01&to=2026-01-01',
      '?groupBy=hour',
      '?kind=RCS',
    ]) {
      expect((await owner.call('GET', `/usage/outcomes${query}`)).json.reason).toBe('INVALID_FIELD');
    }
    expect((await (await world.as('Support')).call('GET', '/usage/outcomes')).status).toBe(403);
  });
});

it('the statement to be printed belongs to the own company, within a bound', async () => {
  const owner = await world.as('Owner', 'acc_two');
  const get = async (month: string) => (await owner.call('GET', `/usage/statement-lines?month=${month}`)).json;
  expect((await get('2026-11')).data).toMatchObject({
    from: '2026-11-01',
    currency: expect.stringMatching(`^acc_two .* ${printedLinesMax}$`),
  });
  expect(await get('2026-10')).toMatchObject({ reason: 'INVALID_FIELD', detail: expect.stringContaining('CSV') });
  expect((await (await world.as('Support')).call('GET', '/usage/statement-lines?month=2026-11')).status).toBe(403);
});

it('the budget belongs to the own company', async () => {
  const owner = await world.as('Owner', 'acc_two');
  expect((await owner.call('GET', '/usage/budget')).json.data.spent).toMatch(/^acc_two /);
});
