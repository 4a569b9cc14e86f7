/** The documentation as the gateway serves it: read without a script, searched without another host. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { docPages } from '../props/doc-pages.ts';
import type { SandboxGateway } from '../props/sandbox.ts';
import { faultsWithin, noBrowser, openBrowser, type Portal, startPortalGateway, wideAndNarrow } from './fixture.ts';

/** One page of each kind; the others are made of the same parts. */
const kinds = { '/docs': 'start', '/docs/tutorials/first-text': 'tutorial', '/docs/carriers': 'tables' };

describe.skipIf(noBrowser)('the documentation', () => {
  let started: Promise<SandboxGateway> | null = null;
  const gateway = () => {
    started ??= startPortalGateway();
    return started;
  };

  async function open(options: { dark?: boolean; width?: number } = {}): Promise<Portal> {
    const portal = await openBrowser(await gateway(), { signedIn: false, ...options });
    onTestFinished(() => portal.context.close());
    return portal;
  }

  it('finds a page by keyboard, with the index of this gateway alone', async () => {
    const portal = await open();
    const { page } = portal;
    await portal.go('/docs');
    await page.keyboard.press('Tab');
    const skip = page.getByRole('link', { name: 'Skip to the page' });
    expect((await skip.boundingBox())?.width).toBeGreaterThan(80);
    await page.keyboard.press('/');
    const field = page.getByRole('combobox', { name: 'Search the documentation' });
    await page.keyboard.type('carrier opted out');
    await page.getByRole('option', { name: /CARRIER_OPTED_OUT/ }).waitFor();
    await page
      .getByRole('status')
      .getByText(/^\d+ results?$/)
      .waitFor();
    await field.fill('rotating the key');
    await page.getByRole('option').first().waitFor();
    expect(await field.getAttribute('aria-activedescendant')).toBe('found-0');
    await page.keyboard.press('ArrowDown');
    expect(await field.getAttribute('aria-activedescendant')).toBe('found-1');
    await portal.screenshot('docs-search');
    expect(await faultsWithin(portal, 'dialog')).toEqual([]);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/docs\/[a-z-]+/);
    // An operation is found too, and leads into the reference.
    await page.keyboard.press('Control+k');
    await page.keyboard.type('SendSMS');
    await page.getByRole('option', { name: /^POST \/SendSMS/ }).waitFor();
    await field.fill('xyzzyplugh');
    await page.getByText('Nothing found. Try another word.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(portal.problems).toEqual([]);
  });

  it('copies a block of code', async () => {
    const portal = await open();
    const { page } = portal;
    await portal.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await portal.go('/docs/tutorials/first-text');
    const box = page.locator('.code').filter({ hasText: 'helio sandbox wait' });
    await box.getByRole('button', { name: 'Copy' }).click();
    await box.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await box.locator('code').textContent());
    expect(portal.problems).toEqual([]);
  });

  it('marks the page that is open, and leads through all of them and back', async () => {
    const portal = await open();
    const { page } = portal;
    const seen: string[] = [];
    await portal.go(`/docs/${docPages()[0]}`);
    for (;;) {
      seen.push(new URL(page.url()).pathname.replace('/docs/', ''));
      const current = page.locator('nav.beside [aria-current=page]');
      expect(await current.evaluateAll((all) => all.map((one) => (one as HTMLAnchorElement).pathname))).toEqual([
        new URL(page.url()).pathname,
      ]);
      const next = page.getByRole('link', { name: /^Next/ });
      if ((await next.count()) === 0) break;
      await next.click();
      await page.waitForURL((url) => !url.pathname.endsWith(`/${seen.at(-1)}`));
    }
    expect(seen).toEqual(docPages());
    await page.getByRole('link', { name: /^Previous/ }).click();
    await page.waitForURL(`**/docs/${docPages().at(-2)}`);
    expect(portal.problems).toEqual([]);
  });

  it.each([false, true])('has no fault that axe finds, wide and narrow (dark: %s)', async (dark) => {
    const portal = await open({ dark });
    for (const [path, name] of Object.entries(kinds)) {
      await portal.go(path);
      expect([name, await faultsWithin(portal, 'html')]).toEqual([name, []]);
      await wideAndNarrow(portal, `docs-${name}${dark ? '-dark' : ''}`);
      await portal.page.setViewportSize({ width: 360, height: 740 });
      expect([name, await faultsWithin(portal, 'html')]).toEqual([name, []]);
      await portal.page.setViewportSize({ width: 1280, height: 800 });
    }
    expect(portal.problems).toEqual([]);
  });

  it('has no page that is wider than a telephone', async () => {
    const portal = await open({ width: 360 });
    for (const name of docPages()) {
      await portal.go(`/docs/${name}`);
      const html = 'document.documentElement';
      expect([name, await portal.page.evaluate<number>(`${html}.scrollWidth - ${html}.clientWidth`)]).toEqual([
        name,
        0,
      ]);
    }
    expect(portal.problems).toEqual([]);
  });

  it('is read without a script: every page, its contents and its neighbours', async () => {
    const { context, problems } = await open();
    const url = (await gateway()).url;
    for (const name of docPages()) {
      const html = await (await context.request.get(`${url}/docs/${name}`)).text();
      expect(html).toMatch(/<h1>.+<\/h1>/);
      expect(html).toMatch(/rel="(next|prev)"/);
      // Nothing inline: the policy would stop it.
      expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|\bon[a-z]+="|\bstyle="|<style/);
    }
    expect(problems).toEqual([]);
  });
});
