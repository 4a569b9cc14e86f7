/** A gateway that takes every connection and never answers: nobody looks at something that turns for ever. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noBrowser, openBrowser, type Portal, startPortalGateway } from './fixture.ts';
import { openSilentProxy, type SilentProxy } from './silent-proxy.ts';

describe.skipIf(noBrowser)('a gateway that says nothing', { timeout: 120_000 }, () => {
  let portal: Portal;
  let proxy: SilentProxy;

  beforeAll(async () => {
    const sandbox = await startPortalGateway();
    proxy = await openSilentProxy(sandbox.gateway.port);
    portal = await openBrowser({ ...sandbox, url: proxy.url });
    portal.page.setDefaultTimeout(10_000);
    // Nobody waits here for what people wait for.
    await portal.page.clock.install();
    await portal.go('/opt-outs');
    await portal.page.locator('[role=status]').getByText('Live', { exact: true }).waitFor();
  }, 120_000);

  afterAll(() => proxy?.close());

  it('is given up on after twenty seconds, and asked once more when somebody likes', async () => {
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

  it('leaves it open whether a change was made, and says where to look', async () => {
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

  it('does not keep people on the page before when the next one does not come', async () => {
    const { page } = portal;
    await portal.go('/opt-outs');
    await page.locator('[role=status]').getByText('Live', { exact: true }).waitFor();
    proxy.fallSilent();
    await page.getByRole('link', { name: 'Campaigns' }).click();
    await page.clock.fastForward(21_000);
    await page.getByText('This page will load when it is back.').waitFor();
    await page.getByRole('heading', { name: 'Campaigns', level: 1 }).waitFor();
    proxy.speakAgain();
    // By itself; who cannot wait presses the button.
    await page.getByRole('tab').first().waitFor();
    // The router tells of a page that did not come on the console too.
    expect(portal.problems.filter((one) => !one.includes('module did not come'))).toEqual([]);
  });
});
