/** Reports and statements on a real store: the sums add up, costs are exact, and no cell is a formula. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../app/open-store.ts';
import type { Store } from '../../app/store.ts';
import { machineClock } from '../../kernel/machine.ts';
import type { Rate } from '../../model/records.ts';
import type { UsageFilter, UsageGrouping } from '../../model/usage.ts';
import { usageRows } from './follow.ts';
import { createUsageService, statementCsv, statementLinesMax } from './report.ts';
import { directoryOf, owner, rates, taken } from './usage-fixture.ts';

const month = { from: '2023-11-01', to: '2023-11-30' };
let store: Store;
let dataDir: string;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'h6-usage-'));
  store = await openStore({ dataDir, role: 'node', clock: machineClock });
  const messages = [
    taken({ messages: 2, units: 3 }),
    taken({ day: '2023-11-15', messages: 1, units: 1 }),
    taken({ day: '2023-11-15', kind: 'MMS', messages: 4, units: 4, toPrefix: '1604' }),
    taken({ number: '12025550198' }),
    taken({ day: '2023-10-31', key: '=cmd' }),
  ];
  await store.addUsage({ from: 0, to: 1, rows: usageRows(messages, directoryOf()) });
});
afterAll(async () => {
  await store.close();
  rmSync(dataDir, { recursive: true });
});

const service = (more: { rates?: Rate[] } = { rates }, over: Partial<Store> = {}) =>
  createUsageService({
    clock: { now: () => Date.UTC(2023, 10, 20) },
    store: { ...store, ...over },
    directory: () => directoryOf(more),
  });
const read = (groupBy: UsageGrouping, more: object = {}, at = service()) =>
  at.read(owner, { ...month, groupBy, after: null, limit: 100, ...more });

describe('a report', () => {
  it('has each group at the rates of its days, and the total', async () => {
    expect(await read('day')).toEqual({
      currency: 'USD',
      total: { smsMessages: 3, smsSegments: 4, mmsMessages: 4, unpricedMessages: 0, cost: '0.1525' },
      before: null,
      groups: [
        {
          name: '2023-11-14',
          smsMessages: 2,
          smsSegments: 3,
          mmsMessages: 0,
          unpricedMessages: 0,
          cost: '0.0225',
          before: null,
        },
        {
          name: '2023-11-15',
          smsMessages: 1,
          smsSegments: 1,
          mmsMessages: 4,
          unpricedMessages: 0,
          cost: '0.13',
          before: null,
        },
      ],
      next: null,
    });
  });

  it('puts the stretches of a group together, whatever it is', async () => {
    for (const [groupBy, names] of [
      ['number', ['12025550199']],
      ['campaign', ['C1']],
      ['key', ['key1']],
      ['carrier', ['c1']],
      ['kind', ['MMS', 'SMS']],
      ['country', ['CA', 'US']],
    ] as const) {
      const { groups, total } = await read(groupBy);
      expect(groups.map(({ name }) => name)).toEqual(names);
      const cost = groups.reduce((sum, group) => sum + Math.round(Number(group.cost) * 10_000), 0);
      expect([groupBy, cost]).toEqual([groupBy, Number(total.cost) * 10_000]);
    }
  });

  it('comes in pages, over stretches too', async () => {
    const first = await read('day', { limit: 1 });
    expect([first.groups.map(({ name }) => name), first.next]).toEqual([['2023-11-14'], '2023-11-14']);
    const second = await read('day', { limit: 1, after: first.next });
    expect([second.groups.map(({ name }) => name), second.next]).toEqual([['2023-11-15'], null]);
    expect(second.total).toEqual(first.total);
  });

  it('says what is in no cost', async () => {
    const before = await read('kind', { from: '2023-10-01' });
    expect(before.total).toMatchObject({ smsMessages: 4, unpricedMessages: 1, cost: '0.1525' });
    expect((await read('kind', {}, service({ rates: [] }))).total).toMatchObject({ unpricedMessages: 7, cost: null });
    expect(await read('kind', {}, service({}))).toMatchObject({ currency: null });
    expect((await read('kind', { from: '2023-11-20' })).total).toMatchObject({ smsMessages: 0, cost: '0.00' });
  });

  it('is of what it is filtered by', async () => {
    const ask = async (filter: Partial<UsageFilter>) => {
      const { total, groups } = await read('country', { filter });
      return [total.smsMessages, total.mmsMessages, groups.map(({ name }) => name)];
    };
    expect(await ask({ kind: 'MMS' })).toEqual([0, 4, ['CA']]);
    expect(await ask({ country: 'US', campaign: 'C1' })).toEqual([3, 0, ['US']]);
    for (const filter of [{ number: '12025550198' }, { campaign: '' }, { key: 'key2' }, { carrier: 'c2' }]) {
      expect(await ask(filter)).toEqual([0, 0, []]);
    }
  });

  it('is compared with as many days right before, each at its price', async () => {
    const { before, groups } = await read('country', { from: '2023-11-15', to: '2023-11-15', compare: true });
    expect(before).toMatchObject({ from: '2023-11-14', to: '2023-11-14', total: { smsMessages: 2, cost: '0.0225' } });
    expect(groups).toMatchObject([
      { name: 'CA', mmsMessages: 4, before: { mmsMessages: 0 } },
      { name: 'US', smsMessages: 1, before: { smsMessages: 2, cost: '0.0225' } },
    ]);
    const gone = await read('key', { from: '2023-11-01', to: '2023-11-13', compare: true, limit: 1 });
    expect(gone).toMatchObject({ next: null, groups: [{ name: '=cmd', smsMessages: 0, before: { smsMessages: 1 } }] });
    expect((await read('day', { from: '2023-11-15', compare: true })).groups).toMatchObject([{ before: null }]);
  });

  it('is of one account and one environment', async () => {
    const query = { ...month, groupBy: 'number' as const, after: null, limit: 10 };
    expect((await service().read({ ...owner, environment: 'sandbox' }, query)).groups).toMatchObject([
      { name: '12025550198', smsMessages: 1 },
    ]);
    expect((await service().read({ ...owner, accountId: 'acc2' }, query)).groups).toEqual([]);
  });

  it('knows the day', () => {
    expect(service().today()).toBe('2023-11-20');
  });
});

describe('a statement', () => {
  it('is a table with the total last', async () => {
    expect(statementCsv((await service().statement(owner, month))!)).toBe(
      [
        '\ufefffrom,to,number,campaign,country,kind,messages,unit,units,price,cost,currency',
        '2023-11-01,2023-11-14,12025550199,C1,US,SMS,2,segment,3,0.0075,0.0225,USD',
        '2023-11-15,2023-11-30,12025550199,C1,CA,MMS,4,message,4,0.03,0.12,USD',
        '2023-11-15,2023-11-30,12025550199,C1,US,SMS,1,segment,1,0.01,0.01,USD',
        '2023-11-01,2023-11-30,total,,,,7,,,,0.1525,USD',
        '',
      ].join('\r\n'),
    );
  });

  it('leaves prices out where there are none', async () => {
    const table = statementCsv((await service({}).statement(owner, month))!);
    expect(table.split('\r\n').slice(1)).toEqual([
      '2023-11-01,2023-11-30,12025550199,C1,CA,MMS,4,message,4,,,',
      '2023-11-01,2023-11-30,12025550199,C1,US,SMS,3,segment,4,,,',
      '2023-11-01,2023-11-30,total,,,,7,,,,,',
      '',
    ]);
  });

  it('has no cell a spreadsheet would run (SEC-60)', async () => {
    const line = {
      number: '1',
      campaign: '=HYPERLINK("x")',
      kind: 'SMS',
      country: '+1',
      messages: 1,
      units: 1,
    } as const;
    const table = (await service({}, { usageLines: async () => [line] }).statement(owner, month))!;
    expect(statementCsv(table)).toContain(`,1,"'=HYPERLINK(""x"")","'+1",SMS,`);
  });

  it('is lines and their total for a page', async () => {
    const lines = { number: '12025550199', campaign: 'C1', kind: 'SMS', unit: 'segment' };
    expect(await service().statement(owner, { from: '2023-11-14', to: '2023-11-15' })).toMatchObject({
      currency: 'USD',
      messages: 7,
      cost: '0.1525',
      lines: [{ ...lines, to: '2023-11-14', units: 3, price: '0.0075', cost: '0.0225' }, { kind: 'MMS' }, lines],
    });
    expect(await service().statement(owner, month, 2)).toBeNull();
  });

  it('is bounded', async () => {
    const line = { number: '1', campaign: '', kind: 'SMS', country: '', messages: 1, units: 1 } as const;
    const usageLines: Store['usageLines'] = async ({ limit }) => Array.from({ length: limit }, () => line);
    expect(await service({}, { usageLines }).statement(owner, month)).toBeNull();
    const most: Store['usageLines'] = async () => Array.from({ length: statementLinesMax }, () => line);
    expect(await service({}, { usageLines: most }).statement(owner, month)).not.toBeNull();
  });
});
