/** A gateway that accepts every connection and never answers: no page shows a spinner for ever. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noBrowser, openBrowser, type Portal, startPortalGateway } from './fixture.ts';
import { openSilentProxy, type SilentProxy } from './silent-proxy.ts';

describe.skipIf(noBrowser)('a gateway that says nothing', () => {
  let portal: Portal;
  let proxy: SilentProxy;

  beforeAll(async () => {
    const sandbox = await startPortalGateway();
    proxy = await openSilentProxy(sandbox.gateway.port);
    portal = await openBrowser({ ...sandbox, url: proxy.url });
    // The browser's clock is moved, so the test does not wait for time-outs.
    await portal.page.clock.install();
    await portal.go('/opt-outs');
    await portal.page.locator('[role=status]').getByText('Live', { exact: true }).waitFor();
  });

  afterAll(() => proxy?.close());

  it('times out after twenty seconds, and a button retries', async () => {
    const { page } = portal;
    proxy.fallSilent();
    await page.getByRole('searchbox').fill('12025550100');
    await page.getByRole('button', { name: 'Find', exact: true }).click();
    await page.locator('main [aria-busy="true"]').waitFor();
    await page.clock.fastForward(20_000);
    const fault = page.getByRole('alert').filter({ hasText: 'has not answered for 20 seconds' });
    await fault.waitFor();
    expect(await page.locator('main [aria-busy="true"]').count()).toBe(0);
    await portal.screenshot('silence-read');
    proxy.speakAgain();
    await fault.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Nobody fits').or(page.getByText('No opt-out')).first().waitFor();
    await fault.waitFor({ state: 'detached' });
  });

  it('makes the result of a change unknown, and the page says where to look', async () => {
    const { page } = portal;
    await portal.go('/opt-outs');
    await page.getByRole('button', { name: 'Add opt-out' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Number that wants no messages').fill('12025550177');
    await dialog.getByRole('button', { name: /Messages from/ }).click();
    await page.getByRole('option').first().click();
    await dialog.getByLabel('Reason').fill('Asked by letter');
    proxy.fallSilent();
    await dialog.getByRole('button', { name: 'Add opt-out' }).click();
    await page.clock.fastForward(60_000);
    await dialog.getByText('it is not known whether this was done').waitFor();
    await portal.screenshot('silence-write');
    proxy.speakAgain();
  });

  it('does not keep people on the previous page when the next one fails to load', async () => {
    const { page } = portal;
    await portal.go('/opt-outs');
    await page.locator('[role=status]').getByText('Live', { exact: true }).waitFor();
    proxy.fallSilent();
    await page.getByRole('link', { name: 'Campaigns' }).click();
    await page.clock.fastForward(21_000);
    await page.getByText('This page will load when it is back.').waitFor();
    await page.getByRole('heading', { name: 'Campaigns', level: 1 }).waitFor();
    proxy.speakAgain();
    // The page retries by itself; its button retries at once.
    await page.getByRole('tab').first().waitFor();
    // The router also reports a page that failed to load to the console.
    expect(portal.problems.filter((one) => !one.includes('module did not come'))).toEqual([]);
  });
});
