/** How much JavaScript a page of the portal loads, as the gateway serves it to a browser, until a person does something. */
import type { Locator } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { noBrowser, openBrowser, type Portal, startPortalGateway } from './fixture.ts';

/** Compressed bodies. */
const bytesMax = 200_000;

/** Of every script that the page asks for by itself, within a minute; `last` is what shows last. */
async function scriptBytes({ page }: Portal, path: string, last: Locator): Promise<number> {
  const bodies: Promise<number>[] = [];
  page.on('request', (request) => {
    // The worker belongs to all tabs, and no browser says when it is loaded.
    if (/^(?!.*live-worker).*\.js$/.test(new URL(request.url()).pathname))
      bodies.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
  });
  await page.clock.install();
  await page.goto(path);
  await last.waitFor();
  await page.clock.runFor(60_000);
  // What a timer asked for is under way before this is answered.
  await page.evaluate('fetch("/healthz")');
  return (await Promise.all(bodies)).reduce((sum, bytes) => sum + bytes, 0);
}

describe.skipIf(noBrowser)('JavaScript on its way to a browser', { timeout: 120_000 }, () => {
  it('is at most 200 kB for the sign-in, and for Home with all that it shows', async () => {
    const sandbox = await startPortalGateway();
    for (const [path, signedIn, button] of [
      ['/login', false, 'Sign in'],
      ['/', true, 'Send now'],
    ] as const) {
      const portal = await openBrowser(sandbox, { signedIn });
      onTestFinished(() => portal.context.close());
      const bytes = await scriptBytes(portal, path, portal.page.getByRole('button', { name: button, exact: true }));
      expect(bytes, path).toBeGreaterThan(100_000);
      expect(bytes, path).toBeLessThanOrEqual(bytesMax);
      expect(portal.problems).toEqual([]);
    }
  });

  it('brings the palette as soon as a person is there', async () => {
    const portal = await openBrowser(await startPortalGateway());
    const { page } = portal;
    await portal.go('/');
    const came = page.waitForResponse((response) => /\/assets\/Palette-.*\.js$/.test(response.url()));
    await page.mouse.move(200, 200);
    await came;
    await page.keyboard.press('Control+K');
    await page.getByRole('dialog', { name: 'Search or jump' }).waitFor();
    expect(portal.problems).toEqual([]);
  });
});
