/**
 * The portal for the role Viewer: no text of any message, no button whose action would be refused, and a note that says
 * whom to ask.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { noBrowser, openBrowser, openPortal, type Portal } from './fixture.ts';

const phone = '12025550100';
const secret = 'Your code is 481 516.';

describe.skipIf(noBrowser)('a Viewer', () => {
  let viewer: Portal;

  beforeAll(async () => {
    const owner = await openPortal();
    await owner.sandbox.until(await owner.sandbox.text(phone, secret), ['delivered']);
    const small = { signedIn: false, width: 360, height: 740 };
    viewer = await openBrowser(owner.sandbox, small);
    await owner.go('/settings/users');
    await owner.page.getByRole('button', { name: 'Invite' }).click();
    await owner.page.getByLabel('E-mail').fill('grace@example.com');
    await owner.page.getByRole('button', { name: 'Make the link' }).click();
    await viewer.page.goto((await owner.page.getByRole('dialog').locator('pre').innerText()).trim());
    await viewer.page.getByLabel('Your name').fill('Grace Hopper');
    await viewer.page.getByLabel('Password', { exact: true }).fill('nanoseconds of copper wire');
    await viewer.page.getByRole('button', { name: 'Join' }).click();
    await viewer.page.getByRole('button', { name: 'Menu' }).waitFor();
    await owner.context.close();
  });

  async function look(name: string): Promise<void> {
    for (const width of [360, 1280]) {
      await viewer.page.setViewportSize({ width, height: 740 });
      const over = await viewer.page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
      expect(over, `${name} ${width}`).toBeLessThanOrEqual(0);
      await viewer.screenshot(`viewer-${name}-${width}`);
    }
  }

  it('sees how long the texts on a handset are, and cannot write from it', async () => {
    const { page, go } = viewer;
    await go(`/handsets/${phone}`);
    await page.getByText('••• 21 characters').first().waitFor();
    await page.getByText('not write from it', { exact: false }).waitFor();
    await look('handset');
    expect(await page.content()).not.toContain(secret);
    expect(await page.locator('main').getByRole('link', { name: 'Write a message' }).count()).toBe(0);
    expect(await page.locator('main').getByRole('textbox', { name: /Reply/ }).count()).toBe(0);
  });

  it.each([
    ['/conversations', 'Your role does not read what people write'],
    [`/conversations/12025550199/${phone}`, 'Your role does not read what people write'],
    ['/messages/new', 'Your role does not send messages'],
    ['/carriers', 'This page is for operators'],
    ['/carriers/sandbox', 'This page is for operators'],
    ['/routes', 'This page is for operators'],
    ['/accounts', 'This page is for operators'],
    ['/accounts/acc_1', 'This page is for operators'],
    ['/audit', 'Your role does not read the audit log'],
    ['/settings/company', 'Your role may look at this'],
    ['/settings/users', 'Your role may look at this'],
    ['/settings/security', 'Your role may look at this'],
    ['/settings/retention', 'Your role may look at this'],
    ['/settings/company/api-keys', 'Your role can look at key pairs'],
  ])('learns once on %s whom to ask, and has no button there', async (path, words) => {
    const { page, go } = viewer;
    await go(path);
    await page.getByText(words, { exact: false }).waitFor();
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
    await look(path.slice(1).replaceAll('/', '-'));
    const names = '[...document.querySelectorAll("main button")].map((one) => one.ariaLabel ?? one.innerText)';
    const buttons = await page.evaluate<string[]>(names);
    expect(buttons.filter((text) => !['Export CSV', 'Views'].includes(text))).toEqual([]);
    expect(await page.locator('main').getByRole('alert').count()).toBe(0);
  });

  it('had no console errors, failed loads or calls to other hosts', () => {
    expect(viewer.problems).toEqual([]);
  });
});
