/** The frame around every page: addresses that name nothing, aliases, the palette, and pages on the narrowest screen. */
import { beforeAll, describe, expect, it } from 'vitest';
import { noBrowser, openPortal, type Portal } from './fixture.ts';
import { filledRoutes } from './routes.ts';

let portal: Portal;

describe.skipIf(noBrowser)('the frame', () => {
  beforeAll(async () => {
    portal = await openPortal();
  }, 120_000);

  it('stays around an address that names nothing, with a search', async () => {
    const { page, go } = portal;
    await go('/no/such/page');
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Docs' }).waitFor();
    await portal.screenshot('lost');
    await page.getByRole('searchbox').fill('12025550100');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByRole('heading', { name: 'Messages', exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('q')).toContain('12025550100');

    await go('/messages/msg_nope');
    await page.getByText('There is no such thing here').waitFor();
    expect(await page.getByText('could not be loaded').count()).toBe(0);
    await portal.screenshot('lost-message');
  }, 60_000);

  it('knows its other addresses', async () => {
    const { page, go, sandbox } = portal;
    await go('/routes/test');
    await page.getByRole('tab', { name: 'Where would it go?', selected: true }).waitFor();
    await go('/settings/roles');
    await page.getByRole('heading', { name: 'What each role may do' }).waitFor();
    await go('/settings/sandbox');
    await page.getByRole('button', { name: 'Reset handsets and faults' }).click();
    await page.getByText('Done. The handsets are empty.').waitFor();
    await portal.screenshot('settings-sandbox');
    const messageId = await sandbox.text('12025550100', 'To one of them');
    await go(`/messages/${messageId}/recipients/12025550100`);
    await page.waitForURL(`**/messages/${messageId}`);
    await go(`/messages/${messageId}/recipients/12025550123`);
    await page.getByText('This request has no such recipient').waitFor();
  }, 60_000);

  it('offers a handset and a conversation for a telephone number', async () => {
    const { page, go, sandbox } = portal;
    await go('/');
    for (const [choice, path] of [
      ['Open handset', '/handsets/12025550100'],
      ['Conversation with', `/conversations/${sandbox.from}/12025550100`],
    ] as const) {
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').getByRole('searchbox').fill('+1 (202) 555-0100');
      await page.getByRole('menuitem', { name: choice }).click();
      await page.waitForURL(`**${path}`);
    }
  }, 60_000);

  it('has no page that is wider than 320 pixels, and says SANDBOX there', async () => {
    const { page, go } = portal;
    await page.setViewportSize({ width: 320, height: 640 });
    const tooWide: unknown[] = [];
    for (const { path } of await filledRoutes(portal)) {
      await go(path);
      await page.waitForTimeout(200);
      await page.getByText('SANDBOX', { exact: true }).waitFor();
      const html = 'document.documentElement';
      const over = await page.evaluate<number>(`${html}.scrollWidth - ${html}.clientWidth`);
      if (over > 0) {
        const who = await page.evaluate<string[]>(
          `[...document.querySelectorAll('body *')].filter((one) => one.getBoundingClientRect().right > 321 || one.scrollWidth > one.clientWidth + 2 && one.clientWidth > 1)
            .map((one) => one.tagName + '.' + one.getAttribute('class') + ' ' + (one.textContent || '').slice(0, 30)).slice(-6)`,
        );
        tooWide.push([path, over, who]);
      }
    }
    await portal.screenshot('narrowest');
    await page.setViewportSize({ width: 1280, height: 800 });
    expect(tooWide).toEqual([]);
    expect(portal.problems).toEqual([]);
  }, 120_000);
});
