/** The frame around every page: addresses that name nothing, aliases, the palette, and pages on the narrowest screen. */
import { dirname } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { startGateway } from '../props/gateway.ts';
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
    const phone = '+1 (202) 555-0100';
    for (const [typed, choice, path] of [
      [phone, 'Open handset', '/handsets/12025550100'],
      // On the number it last had to do with, which is not the first that the company has.
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
  }, 60_000);

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
  }, 60_000);

  it('is as high as its page: nothing of a list that scrolls makes the document longer', async () => {
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
  }, 120_000);

  it('has the help link in its top bar on every width', async () => {
    const { page, go } = portal;
    for (const width of [1280, 768, 360]) {
      await page.setViewportSize({ width, height: 740 });
      await go('/numbers');
      await page.getByRole('banner').getByRole('link', { name: 'Help' }).waitFor();
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  }, 60_000);

  it('asks a gateway that is there whatever the browser believes of the network', async () => {
    const { page, go } = portal;
    await page.addInitScript("Object.defineProperty(Navigator.prototype, 'onLine', { get: () => false })");
    await go('/numbers');
    await page.getByRole('link', { name: '1 (202) 555-0199' }).waitFor();
    await page.getByRole('link', { name: 'Opt-outs' }).click();
    await page.getByText('Nobody has opted out').first().waitFor();
    expect(await page.getByText('The gateway does not answer').count()).toBe(0);
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

  it('says that the gateway does not answer, and takes it back when it does', async () => {
    const own = await openPortal();
    const { page, sandbox } = own;
    const status = page.getByText('The gateway does not answer');
    await own.go('/');
    await page.locator('[role=status]').getByText('Live', { exact: true }).waitFor();
    await sandbox.gateway.stop();
    await status.waitFor({ timeout: 15_000 });
    await page.getByText('Reconnecting…').waitFor();
    // A page that was never opened cannot come now: the frame stays, and it comes by itself.
    await page.getByRole('link', { name: 'Numbers' }).click();
    await page.getByRole('heading', { name: 'This page has not come yet' }).waitFor();
    await own.screenshot('frame-offline');
    const { port } = sandbox.gateway;
    const env = { HELIO_SANDBOX: '1', HELIO_SMPP_PORT: '0' };
    const again = await startGateway({ folder: dirname(sandbox.dataDir), port, env });
    try {
      await status.waitFor({ state: 'detached', timeout: 30_000 });
      await page.getByRole('link', { name: '1 (202) 555-0199' }).waitFor();
    } finally {
      await own.context.close();
      await again.stop();
    }
  }, 120_000);
});
