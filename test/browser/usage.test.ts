/** Usage in a real browser: figures with SMS by segment and MMS by message at their prices, and the exported table. */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { faultsWithin, noBrowser, openPortal, type Portal, wideAndNarrow } from './fixture.ts';

describe.skipIf(noBrowser)('usage', () => {
  let portal: Portal;
  beforeAll(async () => {
    const rates = [{ from: '2026-01-01', currency: 'USD', smsPerSegment: '0.0075', mmsPerMessage: '0.02' }];
    portal = await openPortal({ records: { accounts: [{ id: 'sandbox', name: 'Sandbox Company', rates }] } });
  }, 120_000);

  it('shows what each kind costs, and exports its table', async () => {
    const { page, go, sandbox } = portal;
    const from = '12025550199';
    for (const text of ['One', 'Two parts '.repeat(20)]) await sandbox.send({ from, to: ['12025550100'], text });
    await expect
      .poll(async () => (await sandbox.get('/api/v1/usage')).json.data.total, { timeout: 20_000 })
      .toMatchObject({ smsMessages: 2, smsSegments: 3, cost: '0.0225' });
    await go('/usage');
    await page.getByText('USD 0.0225').first().waitFor();
    await expect.poll(() => page.getByText('USD 0.0225').count()).toBe(2);
    await page.getByRole('button', { name: 'View as table', exact: true }).click();
    await page.getByRole('table', { name: 'Usage by day' }).waitFor();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV', exact: true }).click();
    const table = readFileSync(await (await saved).path(), 'utf8');
    expect(table).toBe(
      '\ufeffnumber,sms_messages,sms_segments,mms_messages,cost,currency,unpriced_messages\r\n' +
        '12025550199,2,3,0,0.0225,USD,0\r\n',
    );
    await portal.screenshot('usage-wide');
    await page.setViewportSize({ width: 360, height: 800 });
    await portal.screenshot('usage-narrow');
    await page.setViewportSize({ width: 1280, height: 800 });
    expect(portal.problems).toEqual([]);
  }, 90_000);

  it('sets prices row by row, and shows the fault of each', async () => {
    const { page, go } = portal;
    await go('/usage');
    await page.getByRole('button', { name: 'Set prices' }).click();
    const dialog = page.getByRole('dialog', { name: 'Set prices' });
    const first = dialog.getByRole('group', { name: 'Price 1' });
    expect(await first.getByLabel('SMS per segment').inputValue()).toBe('0.0075');
    await dialog.getByRole('button', { name: 'Add a price' }).click();
    const second = dialog.getByRole('group', { name: 'Price 2' });
    await second.getByLabel('From day (UTC)').fill('2026-01-01');
    await second.getByLabel('SMS per segment').fill('0,01');
    await dialog.getByRole('button', { name: 'Save prices' }).click();
    await second.getByText('There is a price from this day already.').waitFor();
    await second.getByText('A price such as 0.0075.').first().waitFor();
    expect(await first.getByText('A price such as').count()).toBe(0);
    expect(await faultsWithin(portal)).toEqual([]);
    await wideAndNarrow(portal, 'prices');
    await second.getByLabel('From day (UTC)').fill('2027-01-01');
    await second.getByLabel('SMS per segment').fill('0.01');
    await second.getByLabel('MMS per message').fill('0.03');
    await dialog.getByRole('button', { name: 'Save prices' }).click();
    await dialog.waitFor({ state: 'detached' });
    const table = page.getByRole('table', { name: 'Prices and since when they count' });
    await table.getByText('2027-01-01').waitFor();
    await page.getByRole('button', { name: 'Set prices' }).click();
    await dialog.getByRole('button', { name: 'Remove price 2' }).click();
    expect(await dialog.getByRole('group').count()).toBe(2);
    await dialog.getByRole('button', { name: 'Save prices' }).click();
    await table.getByText('2027-01-01').waitFor({ state: 'detached' });
    expect(portal.problems).toEqual([]);
  }, 60_000);
});
