/**
 * The operator's maintenance pages in a real browser: versions and health, the licences, a backup that is made,
 * downloaded and deleted, the public address, a budget that warns, and the outcomes of messages.
 */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { faultsWithin, noBrowser, openPortal, type Portal, wideAndNarrow } from './fixture.ts';

describe.skipIf(noBrowser)('upkeep', () => {
  let portal: Portal;
  beforeAll(async () => {
    const rates = [{ from: '2026-01-01', currency: 'USD', smsPerSegment: '0.0075', mmsPerMessage: '0.02' }];
    portal = await openPortal({ records: { accounts: [{ id: 'sandbox', name: 'Sandbox Company', rates }] } });
  });

  it('says what runs, whether it is well, and under which licences', async () => {
    const { page, go } = portal;
    await go('/settings/about');
    await page.getByText(/^SQLite 3\.\d+/).waitFor();
    const health = page.getByRole('table', { name: 'Checks and their results' });
    await health.getByText('Needs you').first().waitFor();
    await health.getByText(/none in .*backups/).waitFor();
    await health.getByText('as this browser’s').waitFor();
    await wideAndNarrow(portal, 'about');
    await page.getByRole('button', { name: 'Show the licences' }).click();
    await page.getByRole('button', { name: 'Licence of fastify', exact: true }).click();
    await page.getByRole('dialog').getByText('Permission is hereby granted').first().waitFor();
    expect(await faultsWithin(portal)).toEqual([]);
    await page.keyboard.press('Escape');
    expect(portal.problems).toEqual([]);
  });

  it('makes a backup, downloads it and deletes it', async () => {
    const { page, go } = portal;
    await go('/settings/backup');
    await page.getByText('No backup yet.').waitFor();
    await page.getByRole('button', { name: 'Back up now' }).click();
    const download = page.getByRole('button', { name: /^Download heliograph-/ });
    await download.waitFor();
    await wideAndNarrow(portal, 'backup');
    const saved = page.waitForEvent('download');
    await download.click();
    const file = readFileSync(await (await saved).path());
    expect(file.subarray(0, 15).toString()).toBe('SQLite format 3');
    await page.getByRole('button', { name: /^Delete heliograph-/ }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No backup yet.').waitFor();
    expect(portal.problems).toEqual([]);
  });

  it('shows the address by which others reach it', async () => {
    const { page, go } = portal;
    await go('/settings/company');
    await page.getByRole('heading', { name: 'Public address' }).waitFor();
    await page.getByText('HELIO_PUBLIC_URL').waitFor();
    await wideAndNarrow(portal, 'company');
    expect(portal.problems).toEqual([]);
  });

  it('warns of a budget, and shows the outcomes of messages', async () => {
    const { page, go, sandbox } = portal;
    for (const to of ['12025550100', '12025550101']) {
      await sandbox.send({ from: '12025550199', to: [to], text: 'Does this arrive?' });
    }
    await expect
      .poll(async () => (await sandbox.get('/api/v1/usage')).json.data.total)
      .toMatchObject({ smsMessages: 2 });
    await go('/usage');
    const chart = page.getByRole('slider', { name: /Messages by day/ });
    await expect.poll(() => chart.getAttribute('aria-valuetext')).toMatch(/: 2 delivered|[12] without an outcome yet/);
    const amount = page.getByRole('textbox', { name: 'Amount in USD' });
    await amount.fill('lots');
    await page.getByRole('button', { name: 'Save budget' }).click();
    await page.getByText('Give an amount above 0, such as 250 or 99.50.').first().waitFor();
    await amount.fill('0.016');
    await page.getByRole('button', { name: 'Save budget' }).click();
    await page.getByText('USD 0.015 of USD 0.016 used this month: 93 %.').waitFor();
    await page.getByText('Nearly used up').waitFor();
    await wideAndNarrow(portal, 'usage-budget');
    await go('/');
    await page.getByText('93 % of this month’s budget is used.').waitFor();
    await go('/usage');
    await page.getByRole('table', { name: 'Usage by number' }).getByRole('link').click();
    await page.getByRole('link', { name: 'Show the messages' }).click();
    await page.getByRole('heading', { name: 'Messages', level: 1 }).waitFor();
    expect(new URL(page.url()).searchParams.get('q')).toMatch(/^direction:outbound from:12025550199 after:/);
    await expect.poll(() => page.getByRole('table').first().locator('tbody tr').count()).toBe(2);
    expect(portal.problems).toEqual([]);
  });
});
