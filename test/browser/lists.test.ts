/** What lists share: a filter in the address can be saved under a name; and forms that validate before they send. */
import { beforeAll, describe, expect, it } from 'vitest';
import { noBrowser, openPortal, type Portal, wideAndNarrow } from './fixture.ts';

describe.skipIf(noBrowser)('lists', () => {
  let portal: Portal;

  beforeAll(async () => {
    portal = await openPortal();
  });

  it('save a filter under a name, each list its own', async () => {
    const { page, go } = portal;
    await go('/numbers?q=0199&can-send=yes');
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Save this search' }).click();
    await page.getByRole('dialog').getByText('0199').waitFor();
    await page.getByRole('dialog').getByLabel('Name').fill('The one that sends');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await go('/numbers?campaign=none');
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'The one that sends' }).click();
    await expect.poll(() => new URL(page.url()).search).toBe('?q=0199&can-send=yes');
    await page.getByRole('searchbox').and(page.locator('[value="0199"]')).waitFor();
    await wideAndNarrow(portal, 'list-numbers');
    for (const path of ['/campaigns', '/campaigns?tab=brands', '/opt-outs', '/audit', '/conversations', '/accounts']) {
      await go(path);
      const button = page.locator('main').getByRole('button', { name: 'Views' });
      if ((await button.count()) === 0) continue;
      await button.click();
      await page.getByRole('menuitem', { name: 'Save this search' }).waitFor();
      expect([path, await page.getByRole('menuitem', { name: 'The one that sends' }).count()]).toEqual([path, 0]);
      await page.keyboard.press('Escape');
      await wideAndNarrow(portal, `list${path.replaceAll(/\W/g, '-')}`);
    }
  });

  it('of messages mark the row whose page was just left, and keep scroll position and focus', async () => {
    const { page, go, sandbox } = portal;
    for (let i = 0; i < 40; i++) await sandbox.text('12025550100', `Message ${i}.`);
    const current = '[...document.querySelectorAll("tbody tr[aria-current]")].map((row) => row.textContent)';
    const focused = 'document.activeElement.closest("tbody tr")?.textContent';
    for (const width of [1_000, 390]) {
      await page.setViewportSize({ width, height: 700 });
      await go('/messages?q=text:Message');
      const row = page.getByRole('row').filter({ hasText: 'Message 20.' });
      await row.scrollIntoViewIfNeeded();
      // The position at the moment of the click: what loads late may move the page before it.
      await page.evaluate('addEventListener("click", () => { leftAt = scrollY; }, { capture: true, once: true })');
      await row.getByText('Message 20.').click();
      await page.getByRole('heading', { name: 'What happened' }).waitFor();
      const scrolledTo = await page.evaluate<number>('leftAt');
      expect(scrolledTo).toBeGreaterThan(0);
      await page.goBack();
      await row.waitFor();
      await expect.poll(() => page.evaluate(focused)).toContain('Message 20.');
      expect(await page.evaluate(current)).toEqual([expect.stringContaining('Message 20.')]);
      expect(await page.evaluate<number>('scrollY')).toBe(scrolledTo);
      await portal.screenshot(`list-returned-${width}`);
      // The breadcrumb opens the list at its top, but scrolls to the row.
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'What happened' }).waitFor();
      await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'Messages' }).click();
      await row.waitFor();
      await expect.poll(() => page.evaluate(focused)).toContain('Message 20.');
      const seen = `(({ top, bottom }) => top >= 0 && bottom <= innerHeight)(document.activeElement.getBoundingClientRect())`;
      expect(await page.evaluate(seen)).toBe(true);
      await go('/numbers');
      await page.goBack();
      await row.waitFor();
      expect(await page.evaluate(current)).toEqual([]);
    }
    await page.setViewportSize({ width: 1_280, height: 800 });
  });

  it('have a form of endpoints that shows its faults before it sends anything', async () => {
    const { page, go } = portal;
    await go('/webhooks');
    await page.getByRole('button', { name: 'Add endpoint' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('URL').fill('https://shop.example/hooks');
    await dialog.getByText('All events', { exact: false }).first().click();
    for (const box of await dialog.getByRole('checkbox').all())
      if (await box.isChecked()) await box.click({ force: true });
    await dialog.getByLabel('Name of an own header').fill('Host');
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') sent.push(request.url());
    });
    await dialog.getByRole('button', { name: 'Add' }).last().click();
    await dialog.getByText('Choose at least one event, or all of them.').first().waitFor();
    await dialog.getByText('its name is reserved, or it is no valid HTTP header', { exact: false }).first().waitFor();
    await portal.screenshot('endpoint-form-faults');
    expect(sent).toEqual([]);
    expect(portal.problems).toEqual([]);
  });
});
