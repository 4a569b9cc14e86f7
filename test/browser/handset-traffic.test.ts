/** The page of a handset that has many texts while more come: what is there already is neither styled anew nor moved. */
import { beforeAll, describe, expect, it } from 'vitest';
import { noBrowser, openPortal, type Portal } from './fixture.ts';
import { restyledBy } from './restyled.ts';

const phone = '12025550101';
const texts = 100;

describe.skipIf(noBrowser)('the page of a handset with many texts', () => {
  let portal: Portal;
  const lists = () => {
    const named = (name: string) => portal.page.getByRole('list', { name });
    return { chat: named('Messages'), wire: named('Wire') };
  };
  /** Sends a text, and waits until the page shows it and its receipt. */
  async function come(text: string): Promise<void> {
    const { chat, wire } = lists();
    await portal.sandbox.until(await portal.sandbox.text(phone, text), ['delivered']);
    await chat.getByText(text, { exact: true }).waitFor();
    await wire.getByText(`“${text}”`).waitFor();
    await wire.locator('li:last-child', { hasText: 'deliver_sm_resp' }).waitFor();
  }
  beforeAll(async () => {
    portal = await openPortal();
    const { sandbox } = portal;
    for (let text = 0; text < texts; text += 1) {
      await sandbox.send({ from: sandbox.from, to: [phone], text: `Before ${text}` });
    }
    await portal.go(`/handsets/${phone}`);
    await come('The first to be seen coming');
  });

  it('styles only what a text adds', async () => {
    const { chat, wire } = lists();
    const [inChat, inWire] = await Promise.all(
      [chat, wire].map((list) => list.evaluate((element) => element.querySelectorAll('*').length)),
    );
    const restyled = await restyledBy(portal.page, () => come('One more'));
    // Something is styled: the trace has this page.
    expect(restyled).toBeGreaterThan(10);
    expect(restyled).toBeLessThan(Math.min(inChat!, inWire!) / 2);
    expect(portal.problems).toEqual([]);
  });

  it('leaves the view to somebody who has scrolled up, though the oldest entries are dropped', async () => {
    const { wire } = lists();
    const middle = await wire.evaluate(async (list) => {
      list.scrollTo({ top: list.scrollHeight / 2 });
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      const { top } = list.getBoundingClientRect();
      const row = [...list.children].find((one) => one.getBoundingClientRect().top > top)!;
      Object.assign(globalThis, { row, first: list.firstElementChild });
      return row.getBoundingClientRect().top;
    });
    await come('While somebody reads');
    const [at, isDropped] = await portal.page.evaluate(() => {
      const { row, first } = globalThis as unknown as { row: Element; first: Element };
      return [row.getBoundingClientRect().top, !first.isConnected] as const;
    });
    expect(isDropped).toBe(true);
    expect(Math.abs(at - middle)).toBeLessThan(2);
    // Back at its end it follows again.
    await wire.evaluate((list) => list.scrollTo({ top: list.scrollHeight }));
    await come('The last');
    const left = () => wire.evaluate((list) => list.scrollHeight - list.scrollTop - list.clientHeight);
    await expect.poll(left).toBeLessThan(2);
    expect(portal.problems).toEqual([]);
  });

  it('shows what follows the messages once they have come, so that nothing jumps', async () => {
    const { page } = portal;
    let release = () => undefined as unknown;
    const isReleased = new Promise((resolve) => {
      release = () => resolve(undefined);
    });
    await page.route(/sandbox\/handsets\/\d+\/messages/, async (route) => {
      await isReleased;
      await route.continue();
    });
    await portal.go('/handsets/12025550102');
    const hex = page.getByText('Hex', { exact: true });
    await hex.waitFor({ state: 'attached' });
    expect(await hex.isVisible()).toBe(false);
    release();
    await hex.waitFor({ state: 'visible' });
    await page.unroute(/sandbox\/handsets\/\d+\/messages/);
    expect(portal.problems).toEqual([]);
  });
});
