/**
 * Forms that are sent with faults: a summary on top takes the focus, and each line links to its field; and the
 * password prompt.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type SandboxGateway, startSandbox } from '../props/sandbox.ts';
import {
  administrator,
  faultsWithin,
  noBrowser,
  openBrowser,
  openPortal,
  type Portal,
  wideAndNarrow,
} from './fixture.ts';

describe.skipIf(noBrowser)('forms', () => {
  let portal: Portal;
  let fresh: SandboxGateway;
  beforeAll(async () => {
    portal = await openPortal();
    fresh = await startSandbox();
  });
  afterAll(() => fresh.stop());
  afterEach(() => expect(portal.problems).toEqual([]));

  /** Where the focus is: the summary by its count, a field by its name. */
  const focused = ({ page }: Portal): Promise<string> =>
    page.evaluate<string>(
      "document.activeElement.labels?.[0]?.textContent ?? document.activeElement.textContent ?? ''",
    );

  it('list every fault, and link to each field', async () => {
    const newcomer = await openBrowser(fresh, { signedIn: false });
    const card = (): string => readFileSync(join(fresh.dataDir, '..', 'gateway.stdout'), 'utf8');
    await expect.poll(card).toContain('Lost this?');
    const { page } = newcomer;
    await page.goto(`/${/setup#k=\S+/.exec(card())![0]}`);
    const create = page.getByRole('button', { name: 'Create administrator' });
    await create.click();
    // The page has taken the key, and the address no longer contains it.
    const { href, hash } = new URL(page.url());
    expect(hash).toBe('');
    await page.getByText('3 fields are not right yet').waitFor();
    await expect.poll(() => focused(newcomer)).toContain('3 fields are not right yet');
    const links = page.getByRole('alert').getByRole('link');
    expect((await links.allInnerTexts()).map((text) => text.split(':')[0])).toEqual([
      'Your name',
      'E-mail',
      'Password',
    ]);
    expect(await faultsWithin(newcomer, 'form')).toEqual([]);
    await wideAndNarrow(newcomer, 'setup-faults');
    await links.nth(1).click();
    expect(await focused(newcomer)).toBe('E-mail');
    // A link to a field does not change the address.
    expect(page.url()).toBe(href);
    await page.keyboard.type('grace@example.com');
    await page.getByLabel('Your name').fill('Grace Hopper');
    await page.getByLabel('Password', { exact: true }).fill('short');
    await page.keyboard.press('Enter');
    await page.getByText('This is not right yet').waitFor();
    await expect.poll(() => focused(newcomer)).toContain('This is not right yet');
    expect(await links.count()).toBe(1);
    expect(newcomer.problems).toEqual([]);
    await newcomer.context.close();
  });

  it('show the faults that the page itself finds, each time they are sent', async () => {
    const { page, go } = portal;
    await go('/messages/new');
    const send = page.getByRole('button', { name: /^Send/ });
    for (const button of [send, page.getByRole('button', { name: 'Check only' }), send]) {
      await button.click();
      await expect.poll(() => focused(portal)).toContain('2 fields are not right yet');
    }
    await page.getByRole('alert').getByRole('link', { name: /^Text/ }).click();
    expect(await focused(portal)).toBe('Text');
    await page.keyboard.type('Hello');
    await page.getByText('This is not right yet').waitFor();
    // A corrected field leaves the list, and the focus stays in the field.
    expect(await focused(portal)).toBe('Text');
    await wideAndNarrow(portal, 'compose-faults');
    await page.getByRole('textbox', { name: 'To' }).fill('12025550100');
    await page.getByText('not right yet').waitFor({ state: 'detached' });
  });

  it('show a refusal that belongs to no field in its own words', async () => {
    const { page, go } = portal;
    await page.route('**/api/portal/v1/me', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({
            status: 409,
            headers: { 'x-request-id': 'req_test' },
            json: { success: false, reason: 'CONFLICT', detail: 'Not at this moment.' },
          })
        : route.fallback(),
    );
    await go('/profile');
    await page.getByRole('button', { name: 'Save' }).first().click();
    await page.getByRole('alert').getByText('Not at this moment.').waitFor();
    await page.getByText('req_test').waitFor();
    await page.unroute('**/api/portal/v1/me');
  });
});

describe.skipIf(noBrowser)('the password once more', () => {
  let portal: Portal;
  beforeAll(async () => {
    portal = await openPortal();
  });
  afterEach(() => expect(portal.problems).toEqual([]));
  const ask = () => portal.page.getByRole('dialog', { name: 'Your password, please' });

  it('comes before a long form opens; canceling shows no error', async () => {
    const { page, go } = portal;
    await page.route('**/api/portal/v1/me', async (route) => {
      const answer = await route.fetch();
      const json = await answer.json();
      await route.fulfill({ response: answer, json: { ...json, data: { ...json.data, recent: false } } });
    });
    await go('/settings/company/api-keys');
    const create = page.getByRole('button', { name: 'Create key pair' });
    const form = page.getByRole('dialog', { name: 'Create a key pair' });
    await create.click();
    await ask().getByRole('button', { name: 'Cancel' }).click();
    await ask().waitFor({ state: 'detached' });
    expect(await form.count()).toBe(0);
    expect(await page.getByRole('alert').count()).toBe(0);
    await create.click();
    await ask().getByLabel('Password', { exact: true }).fill(administrator.password);
    await portal.screenshot('password-first');
    await page.keyboard.press('Enter');
    await form.waitFor();
    await page.unroute('**/api/portal/v1/me');
  });

  it('comes on sending when it is due; canceling keeps the form’s contents', async () => {
    const { page } = portal;
    const form = page.getByRole('dialog', { name: 'Create a key pair' });
    let refusals = 2;
    await page.route('**/api/portal/v1/keys', (route) =>
      route.request().method() === 'POST' && refusals-- > 0
        ? route.fulfill({
            status: 403,
            json: { success: false, reason: 'RECENT_SIGN_IN_NEEDED', detail: 'This needs your password once more.' },
          })
        : route.fallback(),
    );
    await form.getByLabel('Name', { exact: true }).fill('Billing service');
    await form.getByRole('button', { name: 'Create key pair' }).click();
    await ask().getByRole('button', { name: 'Cancel' }).click();
    await ask().waitFor({ state: 'detached' });
    expect(await form.getByRole('alert').count()).toBe(0);
    expect(await form.getByLabel('Name', { exact: true }).inputValue()).toBe('Billing service');
    await form.getByRole('button', { name: 'Create key pair' }).click();
    await ask().getByLabel('Password', { exact: true }).fill(administrator.password);
    await page.keyboard.press('Enter');
    await page.getByRole('alertdialog', { name: 'Your new key pair' }).waitFor();
  });

  it('leaves one place marked in the navigation', async () => {
    const { page, go } = portal;
    const marked = page.getByRole('navigation', { name: 'Main' }).locator('[aria-current=page]');
    for (const [path, place] of [
      ['/settings/company/api-keys', 'API keys'],
      ['/settings/company', 'Settings'],
      ['/settings/users', 'Settings'],
      ['/messages/new', 'Messages'],
    ] as const) {
      await go(path);
      expect([path, await marked.allInnerTexts()]).toEqual([path, [place]]);
    }
  });

  it('is asked of a role that must have a second factor, in time and after it', async () => {
    const { page, go } = portal;
    await go('/settings/security');
    const form = page.getByRole('form', { name: 'Who must use it' });
    await form.getByText('Owner', { exact: true }).click();
    await form.getByLabel('Days to set it up').fill('soon');
    await form.getByRole('button', { name: 'Save' }).click();
    await form
      .getByRole('alert')
      .getByRole('link', { name: /^Days to set it up/ })
      .waitFor();
    await form.getByLabel('Days to set it up').fill('7');
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByText('You are asked to use two-factor sign-in.', { exact: false }).waitFor();
    await wideAndNarrow(portal, 'factor-rule');
    await form.getByLabel('Days to set it up').fill('0');
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Two-factor sign-in is needed' }).waitFor();
    await wideAndNarrow(portal, 'factor-needed');
    await page.getByRole('link', { name: 'Set it up' }).click();
    await page.getByRole('button', { name: 'Set up two-factor sign-in' }).click();
    await page.getByText('Six digits', { exact: true }).waitFor();
    await go('/messages');
    await page.getByRole('heading', { name: 'Two-factor sign-in is needed' }).waitFor();
  });
});
