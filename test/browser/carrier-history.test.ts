/** The operator's board in a real browser: what got worse is seen first, sorted, compared, as a table, by keyboard alone. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCarriers, writeHistory } from './carrier-history-fixture.ts';
import { faultsWithin, noBrowser, openPortal, type Portal, wideAndNarrow } from './fixture.ts';

describe.skipIf(noBrowser)('the board of carriers', () => {
  let portal: Portal;
  let carriers: Awaited<ReturnType<typeof startCarriers>>;
  beforeAll(async () => {
    carriers = await startCarriers();
    portal = await openPortal({ records: carriers.records, fill: writeHistory });
  });
  afterAll(() => carriers?.close());

  const board = () => portal.page.getByRole('table', { name: 'Carriers over the last 24 hours' });
  const names = async () =>
    (await board().locator('tbody tr td:first-child a').allInnerTexts()).map((name) => name.trim());
  const path = () => new URL(portal.page.url()).pathname + new URL(portal.page.url()).search;

  it('says which carrier got worse since yesterday, in words and first', async () => {
    const { page, go } = portal;
    await go('/');
    await page.getByRole('link', { name: 'Carriers', exact: true }).click();
    await page.getByText('Worse than in the 24 hours before: telco-a, telco-c').waitFor();
    await page.getByText(/refuses [45]\.\d% of tries, 0\.\d% before/).waitFor();
    await page.getByText(/receipts take 9\.\d s, 1\.\d s before/).waitFor();
    expect((await names()).slice(0, 2)).toEqual(['telco-a', 'telco-c']);
    const worst = board().getByRole('row').nth(1);
    await worst.getByText('Worse', { exact: true }).waitFor();
    await worst
      .getByText(/↑ \d\.\d pp/)
      .first()
      .waitFor();
    expect(await faultsWithin(portal, 'main')).toEqual([]);
    await wideAndNarrow(portal, 'board');
    expect(portal.problems).toEqual([]);
  });

  it('is sorted by any figure, its bad end first, and has its range in the address', async () => {
    const { page } = portal;
    await board().getByRole('button', { name: 'Throughput' }).click();
    await expect.poll(names).toEqual(expect.arrayContaining(['telco-b']));
    expect((await names())[0]).toBe('telco-b');
    expect(await board().getByRole('columnheader', { name: 'Throughput' }).getAttribute('aria-sort')).toBe(
      'descending',
    );
    expect(path()).toBe('/carriers?sort=throughput');
    await page.getByRole('button', { name: '7 days' }).click();
    await page.getByRole('table', { name: 'Carriers over the last 7 days' }).waitFor();
    expect(path()).toBe('/carriers?sort=throughput&range=7d');
    await page.reload();
    await page.getByRole('table', { name: 'Carriers over the last 7 days' }).waitFor();
    await page.goBack();
    await board().waitFor();
  });

  it('compares chosen carriers in a figure, as a chart by keys and as a table', async () => {
    const { page, go } = portal;
    await go('/carriers');
    for (const name of ['telco-a', 'telco-b'])
      await page.getByRole('checkbox', { name: `Compare ${name}` }).press('Space');
    expect(path()).toBe('/carriers?compare=telco-a%2Ctelco-b');
    const chart = page.getByRole('slider', { name: 'Refusal rate over time' });
    await chart.focus();
    await page.keyboard.press('End');
    // The last complete hour, before the current one.
    await page.keyboard.press('ArrowLeft');
    expect(await chart.getAttribute('aria-valuetext')).toMatch(/telco-a 1\d\.\d% · telco-b 0\.\d%/);
    for (let hours = 1; hours < 10; hours++) await page.keyboard.press('ArrowLeft');
    // The gateway was off in that hour: the value is unknown, not zero.
    expect(await chart.getAttribute('aria-valuetext')).toMatch(/telco-a — · telco-b —/);
    await page.getByRole('button', { name: /Figure/ }).click();
    await page.getByRole('option', { name: 'Receipt delay, median' }).click();
    expect(path()).toContain('figure=delayP50Ms');
    await page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: 'Comparison' }) })
      .getByRole('button', { name: 'View as table' })
      .click();
    const table = page.getByRole('table', { name: 'Receipt delay, median' });
    await table.getByRole('columnheader', { name: 'telco-a' }).waitFor();
    expect(await table.getByRole('row').count()).toBe(25);
    expect(await faultsWithin(portal, 'main')).toEqual([]);
  });

  it('leads to the carrier over time: charts with its alerts, codes with their messages', async () => {
    const { page, go } = portal;
    await go('/carriers');
    await board().getByRole('link', { name: 'telco-a', exact: true }).press('Enter');
    await page.getByRole('heading', { name: 'telco-a' }).waitFor();
    expect(path()).toBe('/carriers/telco-a?tab=history');
    const refusals = page.getByRole('slider', { name: 'Refusal rate over time' });
    await refusals.focus();
    await page.keyboard.press('End');
    const valueText = () => refusals.getAttribute('aria-valuetext');
    // About five hours ago.
    for (let hours = 0; hours < 8 && !(await valueText())?.includes('alert'); hours++)
      await page.keyboard.press('ArrowLeft');
    expect(await valueText()).toMatch(/Refusal rate 1\d\.\d% · alert: Carrier telco-a refused 24 % of 120 tries\./);
    for (const _ of [1, 2, 3, 4, 5]) await page.keyboard.press('ArrowLeft');
    expect(await refusals.getAttribute('aria-valuetext')).toContain('The gateway did not run');
    const alerts = page.getByRole('table', { name: 'Alerts' });
    await alerts.getByText('A carrier refuses').waitFor();
    const codes = page.getByRole('table', { name: 'Refusals and failed deliveries by code' });
    await codes.getByText('Try refused').first().waitFor();
    const log = await codes.getByRole('link', { name: 'Show messages with CARRIER_REJECTED' }).getAttribute('href');
    expect(decodeURIComponent(log ?? '')).toContain('carrier:telco-a+reason:CARRIER_REJECTED');
    expect(await faultsWithin(portal, 'main')).toEqual([]);
    await wideAndNarrow(portal, 'carrier-over-time');
    await page.getByRole('button', { name: 'View as table' }).click();
    const table = page.getByRole('table', { name: 'telco-a: Last 24 hours' });
    expect(await table.getByRole('row').count()).toBe(25);
    expect(await table.getByRole('row').nth(11).innerText()).toMatch(/—\s+—\s+—/);
    expect(await faultsWithin(portal, 'main')).toEqual([]);
    await alerts
      .getByRole('button', { name: /^Silence/ })
      .first()
      .click();
    await page.getByRole('dialog', { name: 'Silence' }).waitFor();
    expect(await faultsWithin(portal)).toEqual([]);
    await page.keyboard.press('Escape');
    expect(portal.problems).toEqual([]);
  });

  it('is readable in the dark, and at 400 % zoom', async () => {
    const { page, go } = portal;
    await page.emulateMedia({ colorScheme: 'dark' });
    for (const [name, address] of [
      ['board-dark', '/carriers'],
      ['carrier-over-time-dark', '/carriers/telco-a?tab=history'],
    ] as const) {
      await go(address);
      await page.getByRole('slider').first().waitFor();
      expect(await faultsWithin(portal, 'main')).toEqual([]);
      await portal.screenshot(name);
      // 1280 px at 400 %.
      await page.setViewportSize({ width: 320, height: 256 });
      const html = 'document.documentElement';
      expect(await page.evaluate<number>(`${html}.scrollWidth - ${html}.clientWidth`), name).toBe(0);
      await page.setViewportSize({ width: 1280, height: 800 });
    }
    await page.emulateMedia({ colorScheme: 'light' });
    expect(portal.problems).toEqual([]);
  });
});
