/** The operator's alerts in a real browser: what fires, silenced and ended, a limit that is changed, and the history. */
import { beforeAll, describe, expect, it } from 'vitest';
import { faultsWithin, noBrowser, openPortal, type Portal, wideAndNarrow } from './fixture.ts';

describe.skipIf(noBrowser)('alerts', () => {
  let portal: Portal;
  beforeAll(async () => {
    // More than any disk has: it fires at the first look.
    portal = await openPortal({ records: { alerts: [{ id: 'disk', limit: 100_000_000, forSeconds: 0 }] } });
  });

  const panel = (name: string) => portal.page.getByRole('table', { name });

  it('show what fires, and are in the menu of operators', async () => {
    const { page, go } = portal;
    await go('/');
    await page.getByRole('link', { name: 'Alerts', exact: true }).click();
    const firing = panel('Firing now');
    await firing.getByText(/^Only \d+ MB are free on the disk/).waitFor();
    await firing.getByText('Firing', { exact: true }).waitFor();
    await panel('History').getByText('Disk nearly full').waitFor();
    await page.getByText('Alerts are not mailed: no SMTP server is set (HELIO_SMTP_URL).').waitFor();
    expect(await faultsWithin(portal, 'main')).toEqual([]);
    await wideAndNarrow(portal, 'alerts');
    expect(portal.problems).toEqual([]);
  });

  it('are silenced for a time, and the silence is ended', async () => {
    const { page } = portal;
    await page.getByText('Nothing is silenced.').waitFor();
    await page.getByRole('button', { name: /^Silence “Only/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Silence' });
    await dialog.getByRole('button', { name: /For how long/ }).click();
    await page.getByRole('option', { name: '4 hours' }).click();
    expect(await faultsWithin(portal)).toEqual([]);
    await dialog.getByRole('button', { name: 'Silence', exact: true }).click();
    await panel('Silences').getByText('Disk nearly full').waitFor();
    await panel('Silences').getByText('ada@example.com').waitFor();
    await page.getByRole('button', { name: 'End the silence of Disk nearly full' }).click();
    await page.getByText('Nothing is silenced.').waitFor();
    await page.getByRole('button', { name: 'Silence all alerts' }).click();
    await dialog.getByRole('button', { name: 'Silence', exact: true }).click();
    await panel('Silences').getByText('All alerts').waitFor();
    expect(portal.problems).toEqual([]);
  });

  it('have limits that are changed, and say what is wrong with one', async () => {
    const { page } = portal;
    const limits = panel('Limits');
    await limits.getByText('100,000,000 MB').waitFor();
    await page.getByRole('button', { name: 'Change “Disk nearly full”' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change “Disk nearly full”' });
    const limit = dialog.getByLabel('Limit, megabytes');
    await limit.fill('a few');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog
      .getByText(/whole number/)
      .first()
      .waitFor();
    expect(await faultsWithin(portal)).toEqual([]);
    await limit.fill('1');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved. It counts from now on.').waitFor();
    await limits.getByText('1 MB', { exact: true }).waitFor();
    await page.getByText('No alert fires.').waitFor({ timeout: 100_000 });
    await panel('History').getByText('Over', { exact: true }).waitFor();
    expect(portal.problems.filter((one) => !one.includes('400'))).toEqual([]);
  });
});
