/** Home: its figures are what the message log finds, fit the screen, and what needs attention comes first. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { Heliograph } from '../../packages/client/src/index.ts';
import { faultsWithin, noBrowser, openBrowser, openPortal, type Portal } from './fixture.ts';

const minute = 60_000;
const figures = ['deliveryRate', 'sent', 'failed', 'replies', 'medianMs'];

const figure = ({ page }: Portal, name: string) => page.locator(`[data-figure=${name}]`);

async function numberOf(portal: Portal, name: string): Promise<number> {
  const text = await figure(portal, name).locator('span').nth(1).innerText();
  return Number(text.replaceAll(/\D/g, ''));
}

/** How many messages the log finds for a link. */
async function found({ page, url }: Portal, link: ReturnType<typeof figure>): Promise<number> {
  const href = (await link.getAttribute('href')) ?? '';
  const q = new URL(href, url).searchParams.get('q') ?? '';
  const answer = await page.request.get(`${url}/api/portal/v1/message-histogram?${new URLSearchParams({ q })}`);
  const { data } = (await answer.json()) as { data: { count: number; problems: unknown[] } };
  expect(data.problems, q).toEqual([]);
  return data.count;
}

describe.skipIf(noBrowser)('Home', { timeout: 4 * minute }, () => {
  it('counts what its links find, against the time before, on one screen', async () => {
    const portal = await openPortal();
    const { page, sandbox } = portal;
    const client = new Heliograph({ baseUrl: sandbox.url, ...sandbox.credentials });
    await portal.go('/');
    await page.getByRole('heading', { name: 'Get to your first conversation' }).waitFor();
    expect(await page.getByRole('button', { name: '7 days' }).count()).toBe(0);
    await portal.screenshot('home-fresh');
    const { messages } = await client.sandbox.seedDemo();
    await page.getByText(`This is demo traffic: ${messages.toLocaleString('en-US')} messages`).waitFor();

    for (const [period, title] of [
      ['24 hours', 'Last 24 hours'],
      ['7 days', 'Last 7 days'],
      ['30 days', 'Last 30 days'],
    ] as const) {
      await page.getByRole('button', { name: period }).press('Enter');
      await page.getByRole('heading', { name: title }).waitFor();
      for (const name of ['sent', 'failed', 'replies']) {
        const link = figure(portal, name).getByRole('link');
        // Figures are counted shortly after the message.
        await expect
          .poll(async () => (await numberOf(portal, name)) - (await found(portal, link)), { timeout: 40_000 })
          .toBe(0);
        expect(await numberOf(portal, name), `${name} of ${period}`).toBeGreaterThan(0);
      }
      const rows = page.locator('[data-reason]');
      for (const row of await rows.all()) {
        const count = Number(await row.locator('td').nth(2).innerText());
        expect(await found(portal, row.getByRole('link').first())).toBe(count);
      }
      await portal.screenshot(`home-${period.replace(' ', '-')}`);
    }
    expect(await page.locator('[data-reason]').count()).toBeGreaterThan(3);
    expect(await figure(portal, 'deliveryRate').innerText()).toMatch(/\d+(\.\d)?%/);
    expect(await figure(portal, 'medianMs').innerText()).toMatch(/ s\b|ms\b|min\b/);

    await page.getByRole('button', { name: '24 hours' }).click();
    await page.getByRole('heading', { name: 'Last 24 hours' }).waitFor();
    expect(await figure(portal, 'sent').innerText()).toMatch(/(more|less|as before)$/);
    for (const name of figures) {
      const box = (await figure(portal, name).boundingBox())!;
      expect(box.y + box.height, name).toBeLessThan(800);
    }
    const chart = (await page.getByRole('figure').boundingBox())!;
    expect(chart.y + chart.height).toBeLessThan(800);
    expect(await faultsWithin(portal, 'main')).toEqual([]);

    await page.getByRole('button', { name: 'View as table' }).press('Enter');
    const row = page
      .getByRole('row')
      .filter({ has: page.locator('a[href^="/messages"]') })
      .nth(1);
    await row.waitFor();
    await portal.screenshot('home-table');
    expect(await faultsWithin(portal, 'main')).toEqual([]);
    await page.getByRole('button', { name: 'View as chart' }).click();

    const failed = await numberOf(portal, 'failed');
    expect(failed).toBeGreaterThan(0);
    await figure(portal, 'failed').getByRole('link').click();
    await page.getByRole('heading', { name: 'Messages' }).waitFor();
    const header = 1;
    await expect.poll(() => page.getByRole('row').count()).toBe(header + failed);
    await page.goBack();

    for (const [width, height, dark] of [
      [1280, 800, true],
      [360, 740, false],
      [360, 740, true],
    ] as const) {
      const other = await openBrowser(sandbox, { width, height, dark });
      onTestFinished(() => other.context.close());
      await other.go('/?period=7d');
      await figure(other, 'sent').waitFor();

      expect(await faultsWithin(other, 'main')).toEqual([]);
      await other.screenshot(`home-demo-${width}${dark ? '-dark' : ''}`);
      expect(await other.page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      expect(other.problems).toEqual([]);
    }
    expect(portal.problems).toEqual([]);
  });

  it('names carriers that are down first, whichever environment is on show', async () => {
    const portal = await openPortal();
    const { page, sandbox } = portal;
    await portal.go('/');
    await page.getByRole('link', { name: /^(\d) of \1 carriers? up$/ }).waitFor();
    const steps = page.getByRole('heading', { name: 'Get to your first conversation' });
    const top = async () => (await steps.boundingBox())!.y;
    const before = await top();
    const faults = await sandbox.post('/api/v1/sandbox/faults', { refuseBind: true, dropLink: true });
    expect(faults.status, faults.text).toBe(200);
    await page
      .getByText(/^Carrier .* is down\.$/)
      .first()
      .waitFor();
    await page.getByRole('link', { name: /^\d of \d carriers? up$/ }).waitFor();
    await portal.screenshot('home-carrier-down');
    // Not under the eyes of a reader: only who opens the page anew finds it above the steps.
    expect(await top()).toBe(before);
    await page.reload();
    await steps.waitFor();
    expect(await top()).toBeGreaterThan(before);
    await page.getByRole('link', { name: 'Open the carrier' }).first().click();
    await page.waitForURL(/\/carriers\/.+/);
    expect(portal.problems).toEqual([]);
  });
});
