/** The frame around every page: unknown addresses, aliases, the palette, and pages on the narrowest screen. */
import { dirname } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { startGateway } from '../props/gateway.ts';
import { noBrowser, openPortal, type Portal } from './fixture.ts';
import { filledRoutes } from './routes.ts';

let portal: Portal;

/**
 * The text spacing of WCAG 1.4.12. The rule goes into an existing sheet, because the page's policy allows no other
 * style.
 */
const spaced = `document.styleSheets[0].insertRule('* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }')`;

describe.skipIf(noBrowser)('the frame', () => {
  beforeAll(async () => {
    portal = await openPortal();
  });

  it('stays around an unknown address, with a search', async () => {
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
  });

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
  });

  it('offers a handset and a conversation for a telephone number', async () => {
    const { page, go, sandbox } = portal;
    await go('/');
    const phone = '+1 (202) 555-0100';
    for (const [typed, choice, path] of [
      [phone, 'Open handset', '/handsets/12025550100'],
      // For the number last used in the conversation, not the company's first number.
      [phone, 'Conversation with', `/conversations/${sandbox.from}/12025550100`],
      ['0195', 'Your number 1 (202) 555-0195', '/numbers/12025550195'],
      ['demo', 'Campaign Sandbox demo', '/campaigns/SBX-DEMO'],
      ['OPTED_OUT', 'What OPTED_OUT means', '/reasons/OPTED_OUT'],
    ] as const) {
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').getByRole('searchbox').fill(typed);
      await page.getByRole('menuitem', { name: choice }).click();
      await page.waitForURL(`**${path}`);
    }
  });

  it('finds handsets by a part of their number, messages by a reference, and says when nothing fits', async () => {
    const { page, go, sandbox } = portal;
    await sandbox.send({ from: sandbox.from, to: ['12025550101'], text: 'Number 77', referenceId: 'order-77' });
    await go('/');
    const typed = page.getByRole('dialog').getByRole('searchbox');
    await page.keyboard.press('Control+k');
    await typed.fill('zzzqq');
    await page.getByText('Nothing here is called “zzzqq”.', { exact: false }).waitFor();
    await page.getByRole('menuitem', { name: 'Search messages for “zzzqq”' }).waitFor();
    await typed.fill('0100');
    await page.getByText('Nothing here is called', { exact: false }).waitFor({ state: 'detached' });
    await page.getByRole('menuitem', { name: 'Open handset 1 (202) 555-0100' }).click();
    await page.waitForURL('**/handsets/12025550100');
    await page.keyboard.press('Control+k');
    await typed.fill('order-77');
    await page.getByRole('menuitem', { name: 'Messages with your reference order-77' }).click();
    await page.getByRole('cell', { name: 'Number 77' }).waitFor();
  });

  it('is as high as its page: a scrolling list does not make the document longer', async () => {
    const { page, go, sandbox } = portal;
    for (let i = 0; i < 30; i++) await sandbox.text('12025550100', `Much to look at, ${i}`);
    const tooHigh: unknown[] = [];
    for (const { path } of await filledRoutes(portal)) {
      await go(path);
      await page.waitForTimeout(300);
      const [document, inside] = await page.evaluate<[number, number]>(
        `[document.documentElement.scrollHeight, Math.max(innerHeight, scrollY + document.querySelector('main').getBoundingClientRect().bottom)]`,
      );
      if (document > inside + 1) tooHigh.push([path, document, inside]);
    }
    expect(tooHigh).toEqual([]);
  });

  it('knows the company’s numbers: they come first and offer no handset', async () => {
    const { page, go } = portal;
    await go('/');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('searchbox').fill('+1 (202) 555-0199');
    await page.getByRole('menuitem', { name: 'Your number 1 (202) 555-0199' }).waitFor();
    expect(await page.getByRole('menuitem').first().textContent()).toBe('Your number 1 (202) 555-0199');
    expect(await page.getByRole('menuitem', { name: 'Open handset' }).count()).toBe(0);
    await go('/handsets/12025550199');
    await page.getByText('1 (202) 555-0199 is your own number').waitFor();
    expect(await page.getByRole('textbox', { name: 'Reply from this phone' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Open the number' }).click();
    await page.waitForURL('**/numbers/12025550199');
  });

  it('has one control for sandbox and live: the name of the company', async () => {
    const { page, go } = portal;
    const bar = page.getByRole('banner');
    const pill = bar.getByText('SANDBOX', { exact: true });
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 740 });
      await go('/numbers');
      await pill.waitFor();
      expect(await page.getByRole('button', { name: 'sandbox or live' }).count()).toBe(1);
      const company = bar.getByRole('button', { name: 'Sandbox Company Sandbox, sandbox or live' });
      // The whole name can be read.
      expect(await company.locator('strong').evaluate((name) => name.scrollWidth <= name.clientWidth)).toBe(true);
      await company.click();
      await page.getByRole('option', { name: 'Live' }).click();
      await pill.waitFor({ state: 'detached' });
      await bar.getByRole('button', { name: 'Sandbox Company Live, sandbox or live' }).click();
      await page.getByRole('option', { name: 'Sandbox' }).click();
      await pill.waitFor();
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it('has a menu on a narrow screen that takes the focus and closes on Esc or when the focus leaves it', async () => {
    const { page, go } = portal;
    await page.setViewportSize({ width: 360, height: 740 });
    await go('/numbers');
    const button = page.getByRole('button', { name: 'Menu', exact: true });
    const focused = () =>
      page.evaluate<string>('document.activeElement.ariaLabel ?? document.activeElement.textContent');
    const menu = page.getByRole('navigation', { name: 'Main' });
    await button.focus();
    await page.keyboard.press('Enter');
    await menu.waitFor();
    await expect.poll(focused).toBe('Numbers');
    // In a list that opens from the menu, Esc closes only the list.
    await menu.getByRole('button', { name: 'Colours' }).click();
    await page.getByRole('option', { name: 'Dark' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('option', { name: 'Dark' }).waitFor({ state: 'detached' });
    await menu.waitFor();
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'hidden' });
    await expect.poll(focused).toBe('Menu');
    await page.keyboard.press('Enter');
    await menu.getByRole('button', { name: 'Sign out' }).focus();
    await page.keyboard.press('Tab');
    await menu.waitFor({ state: 'hidden' });
    expect(await button.getAttribute('aria-expanded')).toBe('false');
    await button.click();
    await menu.waitFor();
    await page.mouse.click(340, 500);
    await menu.waitFor({ state: 'hidden' });
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it('has the help link in its top bar on every width', async () => {
    const { page, go } = portal;
    for (const width of [1280, 768, 360]) {
      await page.setViewportSize({ width, height: 740 });
      await go('/numbers');
      await page.getByRole('banner').getByRole('link', { name: 'Help' }).waitFor();
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it('calls a reachable gateway even when the browser believes that it is offline', async () => {
    const { page, go } = portal;
    await page.addInitScript("Object.defineProperty(Navigator.prototype, 'onLine', { get: () => false })");
    await go('/numbers');
    await page.getByRole('link', { name: '1 (202) 555-0199' }).waitFor();
    await page.getByRole('link', { name: 'Opt-outs' }).click();
    await page.getByText('Nobody has opted out').first().waitFor();
    expect(await page.getByText('The gateway does not answer').count()).toBe(0);
  });

  it('has no page that is wider than 320 pixels, with text spaced apart too, and says SANDBOX there', async () => {
    const { page, go } = portal;
    await page.setViewportSize({ width: 320, height: 640 });
    await portal.sandbox.post('/api/v1/sandbox/handsets/12025550100/reply', {
      to: portal.sandbox.from,
      text: 'Do you have room for a long answer on a small screen?',
    });
    const me = await (await portal.context.request.get(`${portal.url}/api/portal/v1/me`)).json();
    const made = await portal.context.request.post(`${portal.url}/api/portal/v1/endpoints`, {
      headers: { origin: portal.url, 'sec-fetch-site': 'same-origin', 'x-helio-csrf': me.data.csrf },
      data: { url: 'http://127.0.0.1:9/a-rather-long-path-of-an-endpoint/of-a-customer' },
    });
    expect(await made.json()).toMatchObject({ success: true });
    const tooWide: unknown[] = [];
    for (const { path } of await filledRoutes(portal)) {
      await go(path);
      await page.waitForTimeout(200);
      await page.getByText('SANDBOX', { exact: true }).waitFor();
      const html = 'document.documentElement';
      const measure = () => page.evaluate<number>(`${html}.scrollWidth - ${html}.clientWidth`);
      const plain = await measure();
      await page.evaluate(spaced);
      const over = Math.max(plain, await measure());
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
  });

  it('says that the gateway does not answer, and takes it back when it does', async () => {
    const own = await openPortal();
    const { page, sandbox } = own;
    const status = page.getByText('The gateway does not answer', { exact: true });
    await own.go('/');
    await page.locator('[role=status]').getByText('Live', { exact: true }).waitFor();
    // Hovering over the link loads the code of the page, but not its data.
    const part = page.waitForResponse(/MessagesPage/);
    await page.getByRole('link', { name: 'Messages', exact: true }).hover();
    await part;
    await page.waitForTimeout(500);
    await sandbox.gateway.stop();
    await status.waitFor();
    await page.getByText('Reconnecting…').waitFor();
    // The page keeps the data it has and shows its age.
    await page.getByText('What stands here was updated').waitFor();
    // A page without its code and a page without its data are no faults: each shows a calm sentence and loads by itself
    // later.
    for (const place of ['Numbers', 'Messages']) {
      await page.getByRole('link', { name: place, exact: true }).click();
      await page.getByRole('heading', { name: place, level: 1 }).waitFor();
      await page.getByText('This page will load when it is back.').waitFor();
      expect(await page.getByText('What stands here').count()).toBe(0);
      expect(await page.getByRole('alert').count()).toBe(0);
      await own.screenshot(`frame-offline-${place}`);
    }
    await page.getByRole('link', { name: 'Home', exact: true }).click();
    await page.getByText('What stands here was updated').waitFor();
    expect(await page.getByText('This page will load').count()).toBe(0);
    await page.getByRole('link', { name: 'Numbers', exact: true }).click();
    await page.getByText('This page will load when it is back.').waitFor();
    const { port } = sandbox.gateway;
    const env = { HELIO_SANDBOX: '1', HELIO_SMPP_PORT: '0' };
    const again = await startGateway({ folder: dirname(sandbox.dataDir), port, env });
    try {
      await status.waitFor({ state: 'detached' });
      await page.getByRole('link', { name: '1 (202) 555-0199' }).waitFor();
    } finally {
      await own.context.close();
      await again.stop();
    }
  });
});
