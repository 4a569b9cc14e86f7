/** Unread replies on every page: in the navigation, on the tab, and as a notification once it is turned on. */
import { beforeAll, describe, expect, it } from 'vitest';
import { noBrowser, openPortal, type Portal, wideAndNarrow } from './fixture.ts';

const phone = '12025550101';

/** Counts the browser's permission prompts, and keeps the notifications. */
const recorder = `
  window.shown = [];
  window.prompts = 0;
  window.Notification = class {
    static permission = sessionStorage.getItem('granted') === 'yes' ? 'granted' : 'default';
    static async requestPermission() {
      window.prompts++;
      sessionStorage.setItem('granted', 'yes');
      return (this.permission = 'granted');
    }
    constructor(title, options) { window.shown.push([title, options.body]); window.last = this; }
    close() {}
  };
`;

describe.skipIf(noBrowser)('unread replies', () => {
  let portal: Portal;

  const writes = async (text: string) => {
    const { sandbox } = portal;
    const answer = await sandbox.post(`/api/v1/sandbox/handsets/${phone}/reply`, { to: sandbox.from, text });
    expect(answer.status, answer.text).toBe(200);
  };

  beforeAll(async () => {
    portal = await openPortal();
    await portal.page.addInitScript(recorder);
    await portal.sandbox.text(phone, 'Hello');
  });

  it('are counted in the navigation and in the tab, and gone once they are read', async () => {
    const { page } = portal;
    await portal.go('/numbers');
    await page.locator('[role=status]').getByText('Live', { exact: true }).waitFor();
    expect(await page.title()).toBe('Numbers · Heliograph');
    await writes('One');
    await page.getByRole('link', { name: 'Conversations 1 unread reply' }).waitFor();
    await writes('Two');
    await page.getByRole('link', { name: 'Conversations 2 unread replies' }).waitFor();
    expect(await page.title()).toBe('(2) Numbers · Heliograph');
    await wideAndNarrow(portal, 'unread');
    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByRole('button', { name: 'Menu, 2 unread replies' }).waitFor();
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('link', { name: 'Conversations 2 unread replies' }).click();
    await page.getByRole('link', { name: /Two/ }).click();
    await page.getByRole('link', { name: 'Conversations', exact: true }).waitFor();
    await expect.poll(() => page.title()).toBe('1 (202) 555-0101 · Conversations · Heliograph');
    await page.reload();
    await page.getByRole('link', { name: 'Conversations', exact: true }).waitFor();
  });

  it('notify only people who turned it on; the permission prompt comes only then', async () => {
    const { page } = portal;
    await portal.go('/profile');
    await page.locator('[role=status]').getByText('Live', { exact: true }).waitFor();
    await page.evaluate('document.hasFocus = () => false');
    await writes('Nobody asked');
    await page.getByRole('link', { name: 'Conversations 1 unread reply' }).waitFor();
    const toggle = page.getByRole('switch', { name: 'Notify me of replies in this browser' });
    expect([await toggle.isChecked(), await page.evaluate('prompts')]).toEqual([false, 0]);
    await toggle.click({ force: true });
    await expect.poll(() => toggle.isChecked()).toBe(true);
    expect(await page.evaluate('prompts')).toBe(1);
    await portal.screenshot('notifications');
    await writes('Please tell me');
    await expect
      .poll(() => page.evaluate('shown'))
      .toEqual([['New message from 1 (202) 555-0101', 'To 1 (202) 555-0199']]);
    await page.evaluate('last.onclick()');
    await page.waitForURL(`**/conversations/${portal.sandbox.from}/${phone}`);
    await page.getByRole('link', { name: 'Conversations', exact: true }).waitFor();

    await portal.go('/profile');
    await page.evaluate('document.hasFocus = () => false');
    expect(await toggle.isChecked()).toBe(true);
    await toggle.click({ force: true });
    await expect.poll(() => toggle.isChecked()).toBe(false);
    await page.locator('[role=status]').getByText('Live', { exact: true }).waitFor();
    await writes('Quietly');
    await page.getByRole('link', { name: /Conversations 1 unread reply/ }).waitFor();
    expect(await page.evaluate('shown')).toEqual([]);
    expect(portal.problems).toEqual([]);
  });
});
