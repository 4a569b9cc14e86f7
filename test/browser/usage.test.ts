/** Usage in a real browser: figures with SMS by segment and MMS by message at their prices, and the table as a file. */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { noBrowser, openPortal, type Portal } from './fixture.ts';

describe.skipIf(noBrowser)('usage', () => {
  let portal: Portal;
  beforeAll(async () => {
    const rates = [{ from: '2026-01-01', currency: 'USD', smsPerSegment: '0.0075', mmsPerMessage: '0.02' }];
    portal = await openPortal({ records: { accounts: [{ id: 'sandbox', name: 'Sandbox Company', rates }] } });
  }, 120_000);

  it('shows what each kind costs, and gives out its table', async () => {
    const { page, go, sandbox } = portal;
    const from = '12025550199';
    for (const text of ['One', 'Two parts '.repeat(20)]) await sandbox.send({ from, to: ['12025550100'], text });
    await expect
      .poll(async () => (await sandbox.get('/api/v1/usage')).json.data.total, { timeout: 20_000 })
      .toMatchObject({ smsMessages: 2, smsSegments: 3, cost: '0.0225' });
    await go('/usage');
    await page.getByText('USD 0.0225').first().waitFor();
    await expect.poll(() => page.getByText('USD 0.0225').count()).toBe(2);
    await page.getByRole('button', { name: 'View as table' }).click();
    await page.getByRole('table', { name: 'Usage by day' }).waitFor();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const table = readFileSync(await (await saved).path(), 'utf8');
    expect(table).toBe(
      '\ufeffnumber,sms_messages,sms_segments,mms_messages,cost,currency,unpriced_messages\r\n' +
        '12025550199,2,3,0,0.0225,USD,0\r\n',
    );
    await page.getByRole('link', { name: 'Set prices' }).waitFor();
    await portal.screenshot('usage-wide');
    await page.setViewportSize({ width: 360, height: 800 });
    await portal.screenshot('usage-narrow');
    await page.setViewportSize({ width: 1280, height: 800 });
    expect(portal.problems).toEqual([]);
  }, 90_000);
});
