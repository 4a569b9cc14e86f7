/**
 * How much JavaScript a page of the portal loads before a person does anything, as the gateway serves it to a browser.
 */
import type { Locator } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { noBrowser, openBrowser, type Portal, startPortalGateway } from './fixture.ts';

/** Limit of the compressed bodies. */
const bytesMax = 200_000;

/**
 * Compressed bytes of every script that the page loads by itself within a minute; `last` is the last element to appear.
 */
async function scriptBytes({ page }: Portal, path: string, last: Locator): Promise<number> {
  const bodies: Promise<number>[] = [];
  page.on('request', (request) => {
    // All tabs share the worker, and browsers do not report when it has loaded.
    if (/^(?!.*live-worker).*\.js$/.test(new URL(request.url()).pathname))
      bodies.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
  });
  await page.clock.install();
  await page.goto(path);
  await last.waitFor();
  await page.clock.runFor(60_000);
  // Requests that a timer started are on their way before this one is answered.
  await page.evaluate('fetch("/healthz")');
  return (await Promise.all(bodies)).reduce((sum, bytes) => sum + bytes, 0);
}

describe.skipIf(noBrowser)('JavaScript on its way to a browser', () => {
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

  it('is at most 200 kB for Home with figures, whose chart comes by itself', async () => {
    const sandbox = await startPortalGateway();
    await sandbox.until(await sandbox.text('12025550100', 'Counted'), ['delivered']);
    const reply = await sandbox.post('/api/v1/sandbox/handsets/12025550100/reply', { text: 'YES' });
    expect(reply.status, reply.text).toBe(200);
    const portal = await openBrowser(sandbox);
    const home = () => portal.context.request.get(`${portal.url}/api/portal/v1/home`).then((answer) => answer.json());
    // The list of first steps loads scripts too, until its last step (the webhook) is done.
    await expect
      .poll(async () => (await home()).data.checklist.every(({ done }: { done: boolean }) => done))
      .toBe(true);
    const bytes = await scriptBytes(portal, '/', portal.page.getByRole('figure'));
    expect(bytes).toBeGreaterThan(100_000);
    expect(bytes).toBeLessThanOrEqual(bytesMax);
    expect(portal.problems).toEqual([]);
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
