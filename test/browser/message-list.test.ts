/**
 * The list of messages as people work through it: dense, beside an open message, by keyboard, over time, on a phone.
 */
import type { Locator } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { faultsWithin, noBrowser, openBrowser, openPortal, type Portal } from './fixture.ts';

const minute = 60_000;
const long = 'with a neighbour, who is at home until eight in the evening and would like to be called before';

describe.skipIf(noBrowser)('the list of messages', () => {
  let portal: Portal;

  beforeAll(async () => {
    portal = await openPortal();
    for (let i = 0; i < 45; i++) await portal.sandbox.text('12025550100', `Parcel ${i} is ${long}`);
    await portal.sandbox.until(await portal.sandbox.text('12025550111', 'To nobody'), ['undelivered']);
  }, 2 * minute);

  const rowOf = (text: string): Locator => portal.page.getByRole('row').filter({ hasText: text });
  const open = (): string | null => new URL(portal.page.url()).searchParams.get('open');
  const focused = 'document.activeElement.closest("tbody tr")?.textContent';

  it('shows twenty messages and more on a screen 800 pixels high, each in one line', async () => {
    const { page } = portal;
    await portal.go('/messages');
    await rowOf('To nobody').waitFor();
    await page.getByRole('listbox', { name: 'Messages over time' }).waitFor();
    const rows = await page.evaluate<{ bottom: number; height: number }[]>(
      '[...document.querySelectorAll("tbody tr")].map((row) => { const { bottom, height } = row.getBoundingClientRect(); return { bottom, height }; })',
    );
    expect(rows.filter(({ bottom }) => bottom <= 800).length).toBeGreaterThanOrEqual(20);
    expect(Math.max(...rows.map(({ height }) => height))).toBeLessThanOrEqual(36);
    const heads = await page.getByRole('columnheader').allTextContents();
    // All these messages have the same sender.
    expect(heads).toEqual(['Time', 'Number', 'Text', 'Status']);
    const widths = await page.evaluate<number[]>(
      '[...document.querySelectorAll("th")].map((head) => head.clientWidth)',
    );
    expect(widths.indexOf(Math.max(...widths))).toBe(2);
    await portal.screenshot('message-list');
  });

  it('stays where it is while a message is open, marks its row, and is worked through by keys', async () => {
    const { page } = portal;
    await portal.go('/messages');
    await rowOf('Parcel 9 ').scrollIntoViewIfNeeded();
    const scrolled = await page.evaluate<number>('scrollY');
    expect(scrolled).toBeGreaterThan(100);
    const box = await rowOf('Parcel 12 ').boundingBox();
    await rowOf('Parcel 12 ').getByText('Parcel 12 ').click();
    const panel = page.getByRole('complementary', { name: 'Message' });
    const shows = (text: string) => panel.getByText(text).first().waitFor();
    await shows('Parcel 12 is');
    expect(await page.evaluate<number>('scrollY')).toBe(scrolled);
    expect((await rowOf('Parcel 12 ').boundingBox())!.y).toBe(box!.y);
    expect(await rowOf('Parcel 12 ').getAttribute('aria-current')).toBe('true');
    expect(await page.evaluate(focused)).toContain('Parcel 12 ');
    const first = open();
    expect(first).toMatch(/^msg_/);
    const entries = await page.evaluate<number>('history.length');
    await page.keyboard.press('j');
    await shows('Parcel 11 is');
    expect(open()).not.toBe(first);
    await page.keyboard.press('k');
    await page.keyboard.press('k');
    await shows('Parcel 13 is');
    expect(await page.evaluate(focused)).toContain('Parcel 13 ');
    expect(await rowOf('Parcel 13 ').getAttribute('aria-current')).toBe('true');
    // Back closes the panel in one step, regardless of how many messages were opened.
    expect(await page.evaluate<number>('history.length')).toBe(entries);
    expect(await faultsWithin(portal, 'main')).toEqual([]);
    await portal.screenshot('message-list-panel');
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    expect(open()).toBeNull();
    expect(await page.evaluate(focused)).toContain('Parcel 13 ');
    // Without a panel the keys only move the selection; Enter opens the panel, and Enter again opens the page.
    await page.keyboard.press('k');
    expect(open()).toBeNull();
    await page.keyboard.press('Enter');
    await shows('Parcel 14 is');
    const messageId = open();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/messages/${messageId}`);
    await page.getByRole('heading', { name: 'What happened' }).waitFor();
  });

  it('opens a page in a tab of its own where a browser would', async () => {
    const { page } = portal;
    await portal.go('/messages');
    const came = portal.context.waitForEvent('page');
    await rowOf('To nobody')
      .getByRole('link')
      .first()
      .click({ modifiers: ['Control'] });
    const other = await came;
    await other.getByRole('heading', { name: 'What happened' }).waitFor();
    expect(open()).toBeNull();
    await other.close();
    expect(page.url()).toMatch(/\/messages$/);
  });

  it('is narrowed to a time by dragging over the histogram, by a click and by keys', async () => {
    const { page } = portal;
    await portal.go('/messages?q=to%3A12025550100');
    const bars = page.getByRole('listbox', { name: 'Messages over time' });
    await page.getByText('45 messages').first().waitFor();
    const q = () => new URL(page.url()).searchParams.get('q') ?? '';
    const { x, y, width } = (await bars.boundingBox())!;
    await page.mouse.move(x + 1, y + 10);
    await page.mouse.down();
    await page.mouse.move(x + width / 2, y + 10, { steps: 4 });
    expect(await bars.getByRole('option', { selected: true }).count()).toBeGreaterThan(1);
    await portal.screenshot('message-histogram');
    await page.mouse.up();
    await expect.poll(q).toMatch(/^to:12025550100 after:\d{4}-\d\d-\d\dT\S+Z before:\d{4}-\d\d-\d\dT\S+Z$/);
    const narrowed = q();
    await page
      .getByRole('listitem')
      .filter({ hasText: /^From / })
      .waitFor();
    await page
      .getByRole('listitem')
      .filter({ hasText: /^Until / })
      .waitFor();
    // The counts on the strip and above the list agree.
    const counts = page.getByText(/^\d+ messages?$/);
    await expect.poll(async () => new Set(await counts.allTextContents()).size).toBe(1);
    await page.goBack();
    await expect.poll(q).toBe('to:12025550100');
    await page.getByText('45 messages').first().waitFor();
    await bars.focus();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Shift+ArrowLeft');
    expect(await bars.getByRole('option', { selected: true }).count()).toBe(2);
    await page.keyboard.press('Escape');
    expect(await bars.getByRole('option', { selected: true }).count()).toBe(0);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    await expect.poll(q).toMatch(/ after:\S+ before:\S+$/);
    expect(q()).not.toBe(narrowed);
    expect(await faultsWithin(portal, 'main')).toEqual([]);
  });

  it('has all its tools as icons with words, and says that a request was copied', async () => {
    const { page } = portal;
    await portal.go('/messages');
    await rowOf('To nobody').waitFor();
    for (const name of ['Filter', 'Views', 'One row per request', 'Columns', 'Export', 'Copy API request', 'More']) {
      const button = page.locator('main').getByRole('button', { name, exact: true });
      await button.hover();
      const tip = await button.evaluate((one) => {
        const { content, display } = getComputedStyle(one, '::after');
        return { content, display };
      });
      expect(tip).toEqual({ content: `"${name}"`, display: 'block' });
    }
    // Escape hides a tooltip that covers something.
    await page.keyboard.press('Escape');
    const more = page.locator('main').getByRole('button', { name: 'More' });
    expect(await more.evaluate((one) => getComputedStyle(one, '::after').display)).toBe('none');
    await page.locator('main').getByRole('button', { name: 'Copy API request' }).click();
    await page
      .locator('main')
      .getByRole('status')
      .filter({ hasText: /^Copied|Ctrl\+C/ })
      .waitFor();
    await more.click();
    await page.getByRole('menuitem', { name: 'Pause' }).click();
    await page.getByRole('status').getByText('Paused', { exact: true }).waitFor();
    await more.click();
    await page.getByRole('menuitem', { name: 'Resume' }).click();
    await page.getByRole('status').getByText('Live', { exact: true }).waitFor();
  });

  it('has rows as high as the person likes, in this browser, from the first paint on', async () => {
    const { page } = portal;
    const height = async () => (await rowOf('To nobody').boundingBox())!.height;
    await portal.go('/messages');
    await rowOf('To nobody').waitFor();
    const compact = await height();
    await page.locator('main').getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Comfortable rows' }).click();
    expect(await height()).toBe(compact + 4);
    await portal.go('/messages');
    await rowOf('To nobody').waitFor();
    expect(await height()).toBe(compact + 4);
    await page.locator('main').getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Compact rows' }).click();
    expect(await height()).toBe(compact);
  });

  it('has two lines a message on a telephone, and its tools folded', async () => {
    const small = await openBrowser(portal.sandbox, { width: 360, height: 740, dark: true });
    const { page } = small;
    await small.go('/messages');
    const row = page.getByRole('row').filter({ hasText: 'To nobody' });
    await row.waitFor();
    expect((await row.boundingBox())!.height).toBeLessThan(64);
    expect((await row.boundingBox())!.y).toBeLessThan(270);
    const views = page.locator('main').getByRole('button', { name: 'Views' });
    expect(await views.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Tools of the list' }).click();
    await views.click();
    await page.getByRole('menuitem', { name: 'Save this search …' }).waitFor();
    await page.keyboard.press('Escape');
    await small.screenshot('message-list-360');
    expect(await faultsWithin(small, 'main')).toEqual([]);
    for (const width of [360, 320]) {
      await page.setViewportSize({ width, height: 740 });
      const over = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      expect([width, await page.evaluate(over)]).toEqual([width, 0]);
    }
    await row.click();
    await page.getByRole('heading', { name: 'What happened' }).waitFor();
    expect(small.problems).toEqual([]);
    await small.context.close();
  });

  it('did nothing wrong', () => {
    expect(portal.problems).toEqual([]);
  });
});
