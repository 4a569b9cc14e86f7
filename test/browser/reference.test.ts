/** The reference of the API in a browser: complete, tried with the sandbox's credentials, and read without a script. */
import { describe, expect, it, onTestFinished } from 'vitest';
import type { SandboxGateway } from '../props/sandbox.ts';
import { faultsWithin, noBrowser, openBrowser, type Portal, startPortalGateway, wideAndNarrow } from './fixture.ts';

describe.skipIf(noBrowser)('the reference of the API', () => {
  let started: Promise<SandboxGateway> | null = null;
  const gateway = () => {
    started ??= startPortalGateway();
    return started;
  };

  async function open(options: { dark?: boolean; signedIn?: boolean } = {}): Promise<Portal> {
    const portal = await openBrowser(await gateway(), options);
    onTestFinished(() => portal.context.close());
    return portal;
  }

  it('lists every operation of the documents, by its tag, with six samples, also without a script', async () => {
    const { url } = await gateway();
    const documentAt = async (path: string) =>
      (await (await fetch(`${url}${path}`)).json()) as {
        paths: Record<string, Record<string, { operationId: string; tags: string[] }>>;
        webhooks: object;
      };
    const document = await documentAt('/openapi.json');
    const { paths } = await documentAt('/openapi-sandbox.json');
    const operations = Object.values({ ...document.paths, ...paths }).flatMap((methods) => Object.values(methods));
    const { page, context } = await open({ signedIn: false });
    await context.route('**/*.js', (route) => route.abort());
    await page.goto('/docs/api');
    const sections = page.locator('.operation:not([id^=event-])');
    const ids = await sections.evaluateAll((all) => all.map(({ id }) => id));
    expect(ids.sort()).toEqual(operations.map(({ operationId }) => operationId).sort());
    expect(ids.length).toBeGreaterThan(40);
    const links = await page.locator('nav.beside a').evaluateAll((all) => all.map((one) => one.getAttribute('href')));
    expect(links).toEqual(expect.arrayContaining(ids.map((id) => `#${id}`)));
    const samples = await sections.evaluateAll((all) =>
      all.map((one) => one.querySelectorAll('[data-language]').length),
    );
    expect([...new Set(samples)]).toEqual([6]);
    expect(await page.locator('[id^=event-]').count()).toBe(Object.keys(document.webhooks).length);
    // Controls that need the script are absent.
    expect(await page.getByRole('button').count()).toBe(0);
    expect(await page.getByText('Try it').filter({ visible: true }).count()).toBe(0);
    // Chooses another language by keyboard alone.
    await page.locator('#sendSMS input[value=curl]').focus();
    await page.keyboard.press('ArrowRight');
    await page.locator('#sendSMS [data-language="Node.js"]').getByText('await fetch').waitFor();
    expect(await page.locator('#sendSMS [data-language=curl]').isVisible()).toBe(false);
  });

  it('sends a request with the pair of the sandbox and shows the raw answer', async () => {
    const portal = await open();
    const { page, sandbox } = portal;
    await portal.go('/docs/api#sendSMS');
    await page.getByText('The pair of the sandbox is filled in.').waitFor();
    const section = page.locator('#sendSMS');
    expect(await section.locator('[data-language=curl] code').textContent()).toContain('Bearer bt_sbx_••••');
    await section.getByText('Try it').click();
    await section.getByRole('button', { name: 'Send' }).click();
    await section.getByText(/^HTTP 200/).waitFor();
    await section.getByText(/x-request-id: req_/).waitFor();
    const raw = JSON.parse((await section.locator('.answer code').textContent()) ?? '');
    expect(raw).toMatchObject({ success: true, schema: { resultResponses: [{ status: 'SUCCESS' }] } });
    const { messageId } = raw.schema.resultResponses[0];
    expect((await sandbox.until(messageId, ['delivered'])).state).toBe('delivered');

    // A call with a value in the path and one in the query, and a refusal shown unchanged.
    const one = page.locator('#getMessage');
    await one.getByText('Try it').click();
    await one.getByRole('textbox', { name: 'messageId (required)' }).fill('msg_nobody');
    await page.keyboard.press('Enter');
    await one.getByText(/^HTTP 404/).waitFor();
    await one.getByRole('textbox', { name: 'messageId (required)' }).fill(messageId);
    await page.keyboard.press('Enter');
    await one.getByText(/^HTTP 200/).waitFor();
    const list = page.locator('#listMessages');
    await list.getByText('Try it').click();
    await list.getByRole('textbox', { name: 'limit' }).fill('0');
    await list.getByRole('button', { name: 'Send' }).click();
    await list.getByText(/^HTTP 400/).waitFor();
    expect(await faultsWithin(portal, '#sendSMS')).toEqual([]);
    expect(portal.problems).toEqual([]);
  });

  it('copies a sample with the credentials that it masks, in the chosen language everywhere', async () => {
    const portal = await open();
    const { page, sandbox, context } = portal;
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await portal.go('/docs/api');
    await page.getByText('The pair of the sandbox is filled in.').waitFor();
    await page.locator('#listMessages').getByRole('radio', { name: 'Python' }).check();
    const sample = page.locator('#sendSMS [data-language=Python]');
    await sample.getByRole('button', { name: 'Copy' }).click();
    await sample.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toContain(`Bearer ${sandbox.credentials.bearerToken}`);
    expect(copied).toContain(sandbox.credentials.authToken);
    expect(await sample.locator('code').textContent()).not.toContain(sandbox.credentials.authToken);
    await page.getByRole('button', { name: 'Reveal' }).click();
    await sample.getByText(sandbox.credentials.authToken).waitFor();
    await page.getByRole('button', { name: 'Hide' }).click();
    await sample.getByText('at_sbx_••••').waitFor();
    await page.reload();
    await sample.getByText('urllib.request.Request').waitFor();
    expect(portal.problems).toEqual([]);
  });

  it('marks the operation that is read in its list, which goes along', async () => {
    const portal = await open({ signedIn: false });
    const { page } = portal;
    const current = page.locator('nav.beside [aria-current=location]');
    const marked = () => current.evaluateAll((all) => all.map((one) => one.getAttribute('href')));
    await portal.go('/docs/api#uploadMedia');
    await expect.poll(marked).toEqual(['#uploadMedia']);
    await page.goto('/docs/api#listOptOuts');
    await expect.poll(marked).toEqual(['#listOptOuts']);
    const isSeen = () =>
      current.evaluate((link) => link.getBoundingClientRect().bottom <= document.documentElement.clientHeight);
    await expect.poll(isSeen).toBe(true);
    await page.getByRole('link', { name: 'Sign in' }).waitFor();
    expect(portal.problems).toEqual([]);
  });

  it('takes credentials from a person who is not signed in, and says what is missing', async () => {
    const portal = await open({ signedIn: false });
    const { page, sandbox } = portal;
    await portal.go('/docs/api');
    const usage = page.locator('#getUsage');
    await usage.getByText('Try it').click();
    await usage.getByRole('button', { name: 'Send' }).click();
    await usage.getByText('This request needs credentials').waitFor();
    await page.getByLabel('Bearer Token').fill(sandbox.credentials.bearerToken);
    await page.getByLabel('Auth Token').fill('wrong');
    await usage.getByRole('button', { name: 'Send' }).click();
    await usage.getByText(/"NOT_AUTHORIZED"/).waitFor();
    await page.getByLabel('Auth Token').fill(sandbox.credentials.authToken);
    await usage.getByRole('button', { name: 'Send' }).click();
    await usage.getByText(/^HTTP 200/).waitFor();
    // A public operation is called without credentials.
    const limits = page.locator('#getLimits');
    await limits.getByText('Try it').click();
    const request = page.waitForRequest('**/limits');
    await limits.getByRole('button', { name: 'Send' }).click();
    expect((await request).headers().authorization).toBeUndefined();
    await limits.getByText(/^HTTP 200/).waitFor();
    expect(portal.problems).toEqual([]);
  });

  it.each([false, true])('has no fault that axe finds, wide and narrow (dark: %s)', async (dark) => {
    const portal = await open({ dark });
    await portal.go('/docs/api');
    await portal.page.getByText('The pair of the sandbox is filled in.').waitFor();
    await portal.page.evaluate('document.querySelectorAll("details").forEach((one) => { one.open = true })');
    expect(await faultsWithin(portal, 'html')).toEqual([]);
    await wideAndNarrow(portal, `reference${dark ? '-dark' : ''}`);
    expect(portal.problems).toEqual([]);
  });
});
