/** Every route of the portal against the rules of WCAG 2.2 A and AA, in light and dark, wide and narrow. */
import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { noBrowser, openPortal, type Portal } from './fixture.ts';
import { filledRoutes, openRoutes, portalRoutes } from './routes.ts';

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** `HELIO_AXE=settings` tests only the routes with that in their address. */
const only = process.env.HELIO_AXE;
const routes = portalRoutes().filter((route) => only === undefined || route.includes(only));

/** The violated rules, and where. The call is text because the types here know no document. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const options = { runOnly: tags, resultTypes: ['violations'] };
  const found = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(options)})`);
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} — ${failureSummary?.split('\n')[1]?.trim()}`),
  );
}

/** Waits until the page shows no skeleton any more. */
async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
}

const overflows = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

describe.skipIf(noBrowser)('accessibility of every route', () => {
  let portal: Portal;
  let paths: Map<string, string>;
  beforeAll(async () => {
    portal = await openPortal();
    const messageId = await portal.sandbox.text('12025550100', 'Something to show');
    await portal.sandbox.until(messageId, ['delivered']);
    paths = new Map((await filledRoutes(portal)).map(({ route, path }) => [route, path]));
    for (const route of openRoutes) paths.set(route, route);
  });

  it.each(routes)(
    '%s',
    async (route) => {
      const { page } = portal;
      const faults: string[] = [];
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width: 1280, height: 800 });
        await page.goto(paths.get(route) ?? route);
        await settled(page);
        faults.push(...(await violations(page)).map((fault) => `${colorScheme} ${fault}`));
      }
      await page.setViewportSize({ width: 360, height: 740 });
      faults.push(...(await violations(page)).map((fault) => `narrow ${fault}`));
      if ((await overflows(page)) > 0) faults.push(`narrow: ${await overflows(page)} px wider than the screen`);
      expect(faults).toEqual([]);
    },
    60_000,
  );
});
