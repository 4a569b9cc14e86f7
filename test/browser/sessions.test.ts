/**
 * Sessions that end, and second factors that become required, while the portal is open: people are redirected at once.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { administrator, noBrowser, openBrowser, openPortal, type Portal } from './fixture.ts';

let portal: Portal;

describe.skipIf(noBrowser)('an open portal', () => {
  beforeAll(async () => {
    portal = await openPortal();
  });

  it('leads to the sign-in page when its session was ended elsewhere, and back', async () => {
    const { page, go } = portal;
    const other = await openBrowser(portal.sandbox);
    await other.go('/messages/new');
    await other.page.getByLabel('Text', { exact: true }).first().fill('Begun and not sent');
    await expect.poll(() => other.page.url()).toContain('draft=');
    await other.go('/numbers?q=555#here');
    await go('/profile');
    await page.getByRole('button', { name: 'End all others' }).click();
    await expect.poll(() => page.getByRole('button', { name: /^End the session of/ }).count()).toBe(0);
    // The first click, unless the stream was faster and the page is already redirecting.
    const link = other.page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Messages' });
    await Promise.all([other.page.waitForURL(/\/login\?/), link.click({ timeout: 5_000 }).catch(() => {})]);
    await other.page.getByText('You were signed out:', { exact: false }).waitFor();
    await other.screenshot('signed-out');
    expect(await other.page.getByText('could not be loaded').count()).toBe(0);
    const { searchParams } = new URL(other.page.url());
    expect(['/messages', '/numbers?q=555#here']).toContain(searchParams.get('next'));
    await other.page.getByLabel('E-mail').fill(administrator.email);
    await other.page.getByLabel('Password', { exact: true }).fill(administrator.password);
    await other.page.getByRole('button', { name: 'Sign in' }).click();
    await other.page.waitForURL((url) => url.pathname === new URL(searchParams.get('next')!, url).pathname);
    await other.page.getByRole('status').filter({ hasText: 'Live' }).waitFor();
    await other.go('/messages/new');
    await other.page.getByText('Begun and not sent', { exact: false }).first().waitFor();
    expect(other.problems).toEqual([]);
    await other.context.close();
  });

  it('shows how to go on when a second factor is asked for at once', async () => {
    const { page, go } = portal;
    await go('/settings/security');
    const answer = await page.evaluate<number>(`(async () => {
      const { data } = await (await fetch('/api/portal/v1/me')).json();
      const headers = { 'content-type': 'application/json', 'x-helio-csrf': data.csrf };
      const company = (await (await fetch('/api/portal/v1/company')).json()).data;
      const body = JSON.stringify({ roles: ['Owner'], graceDays: 0, version: company.version });
      return (await fetch('/api/portal/v1/company/second-factor', { method: 'POST', headers, body })).status;
    })()`);
    expect(answer).toBe(200);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Numbers' }).click();
    await page.getByRole('heading', { name: 'Two-factor sign-in is needed', level: 1 }).waitFor();
    await portal.screenshot('factor-needed');
    await page.getByRole('link', { name: 'Set it up' }).click();
    await page.getByRole('button', { name: 'Set up two-factor sign-in' }).waitFor();
    expect(portal.problems).toEqual([]);
  });
});
