/** Small things of several pages: keys leave the address, charts lead to the messages behind them. */
import { beforeAll, describe, expect, it } from 'vitest';
import { noBrowser, openBrowser, openPortal, type Portal } from './fixture.ts';

describe.skipIf(noBrowser)('details', () => {
  let portal: Portal;

  beforeAll(async () => {
    portal = await openPortal();
  });

  it('takes a one-time key out of the address as soon as the page has it', async () => {
    const guest = await openBrowser(portal.sandbox, { signedIn: false });
    const looked: string[] = [];
    guest.page.on('request', (request) => {
      if (request.url().endsWith('/look')) looked.push(request.postData() ?? '');
    });
    const key = 'A'.repeat(43);
    for (const path of ['/setup', '/invitation']) {
      await guest.go(`${path}#k=${key}`);
      await expect.poll(() => new URL(guest.page.url()).hash).toBe('');
      expect(new URL(guest.page.url()).pathname).toBe(path);
    }
    await expect.poll(() => looked).toEqual([expect.stringContaining(key), expect.stringContaining(key)]);
    await guest.context.close();
  });

  it('opens the messages of an hour from its bar, and of a day from the usage chart', async () => {
    const { page, sandbox } = portal;
    await sandbox.until(await sandbox.text('12025550100', 'Behind a bar'), ['delivered']);
    await portal.go('/');
    const bars = page.locator('figure a[href^="/messages?"]').filter({ has: page.locator('span') });
    await bars.last().click({ force: true });
    await page.waitForURL(/\/messages\?q=direction/);
    await page.getByRole('cell', { name: 'Behind a bar' }).waitFor();
    await portal.go('/usage');
    const days = page.getByRole('slider').first();
    await days.focus();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.waitForURL(/day=/);
    await page.getByRole('link', { name: 'Show the messages' }).click();
    await page.waitForURL(/\/messages\?q=/);
    await page.getByRole('cell', { name: 'Behind a bar' }).waitFor();
    expect(portal.problems).toEqual([]);
  });
});
