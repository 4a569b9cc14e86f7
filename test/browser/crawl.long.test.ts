/**
 * Presses every button on every page: none may write an error to the console, call another host, crash the page, or
 * have no effect. Confirmation dialogs are canceled. `HELIO_CRAWL='settings|usage'` crawls only the routes that match.
 */
import type { Locator } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { noBrowser, openPortal, type Portal } from './fixture.ts';
import { filledRoutes, openRoutes, portalRoutes } from './routes.ts';

const only = process.env.HELIO_CRAWL;
const routes = portalRoutes().filter(
  (route) => !openRoutes.includes(route) && (only === undefined || new RegExp(only).test(route)),
);
/** Presses on one page; a list of a thousand rows has the same buttons in each row. */
const pressesMax = 60;
/** The test looks for the effect of a press, or an error, after this time, and then again up to `effectMaxMs`. */
const effectMs = 400;
const effectMaxMs = 10_000;

const pressable = 'main :is(button, [role="tab"], summary):visible, main label:has(input[type="checkbox"]):visible';

/**
 * Counts the changes of the page from now on, except those that every press causes (pressed, focused). A string,
 * because it runs in the page.
 */
const watch = `
  globalThis.helioSeen = 0;
  const own = /^(data-(pressed|hovered|focused|focus-visible|react-aria-pressable)|style|class)$/;
  new MutationObserver((changes) => {
    helioSeen += changes.filter(({ attributeName }) => attributeName === null || !own.test(attributeName)).length;
  }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
`;
/** A new document has no counter: the press loaded it, so it had an effect. */
const seen = 'globalThis.helioSeen ?? 1';

describe.skipIf(noBrowser)('every button of every page', () => {
  let portal: Portal;
  let paths: Map<string, string>;
  beforeAll(async () => {
    portal = await openPortal();
    const messageId = await portal.sandbox.text('12025550100', 'Something to show');
    await portal.sandbox.until(messageId, ['delivered']);
    paths = new Map((await filledRoutes(portal)).map(({ route, path }) => [route, path]));
  });

  async function open(path: string): Promise<void> {
    await portal.page.goto(path);
    await portal.page.locator('h1').first().waitFor();
    await portal.page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
  }

  /** An empty search has no effect, so the fields get a value first. */
  async function fillForm(button: Locator): Promise<void> {
    if ((await button.getAttribute('type')) !== 'submit') return;
    const fields = portal.page.locator(
      'form:has([data-pressing]) :is(input:not([type]), input[type="text"], input[type="search"], input[type="tel"])',
    );
    await button.evaluate((one) => one.setAttribute('data-pressing', ''));
    for (const field of await fields.all()) if ((await field.inputValue()) === '') await field.fill('12025550100');
  }

  /** The fault of the button at this place; null when there is none. */
  async function press(path: string, index: number): Promise<string | null> {
    const { page } = portal;
    await open(path);
    const button = page.locator(pressable).nth(index);
    if ((await button.count()) === 0) return null;
    const name = (await button.getAttribute('aria-label')) ?? (await button.innerText()).trim().slice(0, 60);
    if (await button.isDisabled()) {
      const reason = await button.evaluate(
        (one) => (one as unknown as { title: string }).title !== '' || one.hasAttribute('aria-describedby'),
      );
      return reason ? null : `${name}: disabled without a reason`;
    }
    let requests = 0;
    const counted = (): void => {
      requests += 1;
    };
    // A selected tab or a checked option has nothing left to do.
    for (const chosen of ['aria-selected', 'aria-checked', 'aria-current']) {
      if ((await button.getAttribute(chosen)) === 'true') return null;
    }
    await fillForm(button);
    await page.evaluate(watch);
    page.on('request', counted);
    page.on('download', counted);
    page.on('filechooser', counted);
    const before = page.url();
    const hasHappened = async () => requests > 0 || page.url() !== before || (await page.evaluate<number>(seen)) > 0;
    try {
      await button.click();
      const end = performance.now() + effectMaxMs;
      do await page.waitForTimeout(effectMs);
      while (!(await hasHappened()) && performance.now() < end);
    } catch (error) {
      return `${name}: cannot be pressed (${String(error).split('\n')[0]})`;
    } finally {
      page.off('request', counted);
      page.off('download', counted);
      page.off('filechooser', counted);
    }
    if ((await page.getByText('This page stopped').count()) > 0) return `${name}: the page fell over`;
    const happened = await hasHappened();
    await page.keyboard.press('Escape');
    return happened ? null : `${name}: nothing happens`;
  }

  it.each(routes)(
    '%s',
    async (route) => {
      const path = paths.get(route) ?? route;
      await open(path);
      const count = Math.min(await portal.page.locator(pressable).count(), pressesMax);
      const faults: string[] = [];
      for (let index = 0; index < count; index++) {
        const fault = await press(path, index);
        if (fault !== null) faults.push(fault);
        faults.push(...portal.problems.splice(0));
      }
      expect(faults).toEqual([]);
    },
    300_000,
  );
});
